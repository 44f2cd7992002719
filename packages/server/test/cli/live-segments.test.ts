import { expect, test } from 'vitest';
import { follow } from '../live-segments/support.ts';
import { testAdminToken } from '../support/context.ts';
import { listening } from '../support/listening.ts';
import { startTestService } from '../support/service.ts';
import { run } from './in-process.ts';

test('the changes of a live segment are listed up to a limit', async () => {
  await using service = await startTestService();
  const place = ['--url', await listening(service), '--token', testAdminToken, '--account', '1', '--json'];
  const roster = async (args: readonly string[], input?: object): Promise<unknown> => {
    const { code, stdout, stderr } = await run([...args, ...place], JSON.stringify(input ?? ''));
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout);
  };
  const everybody = { filtering_criteria: [{ condition_details: [{ field: 'identity', operation: 'is_not_null' }] }] };
  const { audience_id: id } = (await roster(['segments', 'create', 'All', '--live'], everybody)) as {
    audience_id: number;
  };
  const contacts = ['ada', 'bob', 'eve'].map((name) => ({ identity: `${name}@example.com` }));
  await service.first.apply('/contact/create', { data: { contact_type: 'identified', contacts } });
  await follow(service.context, 1);
  const changes = (await roster(['segments', 'changes', String(id)])) as object[];
  expect(changes).toHaveLength(3);
  expect(await roster(['segments', 'changes', String(id), '--limit', '2'])).toEqual(changes.slice(0, 2));
});
