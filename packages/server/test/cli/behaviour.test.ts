import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseAllowList } from '#platform/config/allow-list.ts';
import { runCommandLine } from '#app/cli/program.ts';
import { expect, test } from 'vitest';
import { record, recorded } from '../activities/support.ts';
import { keep, switchDerived } from '../derived-attributes/support.ts';
import { follow } from '../live-segments/support.ts';
import { testAdminToken } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';
import { listening } from '../support/listening.ts';
import { startTestService } from '../support/service.ts';
import { run, withoutInterruptListeners } from './in-process.ts';
import { typedTerminal } from './typed-terminal.ts';

const service = await forFile(startTestService({ config: { callbackAllow: parseAllowList('127.0.0.1') } }));
const place: readonly string[] = ['--url', await listening(service), '--token', testAdminToken, '--account', '1'];
const contacts = ['ada', 'bob', 'eve'].map((name) => ({ identity: `${name}@example.com` }));
await service.first.createContacts(contacts);

async function roster(args: readonly string[], input = ''): Promise<string> {
  const { code, stdout, stderr } = await run([...args, ...place], input);
  expect(code, stderr).toBe(0);
  return stdout;
}

test('the changes of a live segment are listed up to a limit', async () => {
  const everybody = { filtering_criteria: [{ condition_details: [{ field: 'identity', operation: 'is_not_null' }] }] };
  const made = await roster(['segments', 'create', 'All', '--live', '--json'], JSON.stringify(everybody));
  const id = String(JSON.parse(made).audience_id);
  await follow(service.context, 1);
  const changes = JSON.parse(await roster(['segments', 'changes', id, '--json'])) as object[];
  expect(changes).toHaveLength(3);
  const two = JSON.parse(await roster(['segments', 'changes', id, '--limit', '2', '--json'])) as object[];
  expect(two).toEqual(changes.slice(0, 2));
});

test('a contact is shown with its derived attributes', async () => {
  await switchDerived(service.first, true);
  await keep(service);
  const opened = new Date().toISOString();
  await recorded(service, service.first, [
    record({ identity: 'ada@example.com', activity: 'open', occurred_at: opened }),
  ]);
  const shown = await roster(['contacts', 'show', 'ada@example.com']);
  expect(shown).toMatch(/^activity\.engagement_score +5$/m);
  expect(shown).toMatch(/^activity\.sent_30_days +0$/m);
  expect(shown).not.toContain('activity.sms.last_open');
});

test('integers above 2^53 in records keep all their digits, and a file that is not UTF-8 is refused', async () => {
  const person = '{"identity": "long@example.com", "attributes": {"POSTAL_CODE": 12345678901234567890}}';
  for (const input of [person, `[${person}]`]) {
    await roster(['contacts', 'create'], input);
    expect(await roster(['contacts', 'show', 'long@example.com'])).toContain('12345678901234567890');
    await roster(['contacts', 'delete', '--yes'], '{"identity": "long@example.com"}');
  }
  await using directory = await mkdtempDisposable(path.join(os.tmpdir(), 'roster-latin-'));
  const file = path.join(directory.path, 'latin.ndjson');
  const latin = '{"identity": "long@example.com", "attributes": {"CITY": "Orl\xe9ans"}}';
  await writeFile(file, Buffer.from(latin, 'latin1'));
  const { code, stderr } = await run(['contacts', 'create', file, ...place]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('latin.ndjson is not UTF-8')]);
});

test.each([
  ['contacts', 'create'],
  ['activities', 'record'],
])(
  'Ctrl-C ends `roster %s %s` at once while it reads from a terminal, and nothing hides its hint',
  async (...command) => {
    const terminal = typedTerminal('{"identity": "half@example.com"}\n');
    withoutInterruptListeners();
    const ended = runCommandLine([...command, ...place], terminal);
    const hint = 'Reading JSON from the terminal. End with Ctrl-D.\n';
    await expect.poll(() => terminal.shown()).toContain(hint);
    expect(process.listenerCount('SIGINT')).toBe(1);
    process.emit('SIGINT', 'SIGINT');
    expect(await ended).toBe(130);
    expect(terminal.shown()).toBe(`${hint}Interrupted.\n`);
  },
);

test('no progress bar of a download is drawn over rows that are written to the terminal', async () => {
  await using _jobs = service.startJobs();
  const terminal = typedTerminal('', { showsOutput: true });
  expect(await runCommandLine(['export', '--list', '1', ...place], terminal)).toBe(0);
  expect(terminal.written()).toMatch(/^IDENTITY|^EMAIL/);
  expect(terminal.shown()).not.toContain('Downloading');
});

test.each([
  [['audit-log', 'list', '--from', 'yesterday'], '', '--from must be'],
  [['attributes', 'create', '1X', '--type', 'text'], '', '<name> must'],
  [['import'], '', 'The file is empty'],
])('the error of %j names what the person has typed', async (args, input, message) => {
  const { code, stderr } = await run([...args, ...place], input);
  expect(code).toBe(3);
  expect(stderr).toContain(message);
});

test('a test event that is not delivered is a failure', async () => {
  await run(['accounts', 'update', '1', '--setting', 'events=true', ...place.slice(0, 4)]);
  const body = { name: 'Nobody', url: 'https://127.0.0.1:1/events' };
  const made = JSON.parse(await roster(['subscriptions', 'create', '--json'], JSON.stringify(body))) as object;
  const { subscription_id: id } = made as { readonly subscription_id: string };
  const { code, stdout, stderr } = await run(['subscriptions', 'test', id, ...place]);
  expect([code, stderr]).toEqual([1, 'The test event was not delivered.\n']);
  expect(stdout).toMatch(/^delivered +false$/m);
});

test('sizes and numbers are written for people', async () => {
  const service = place.slice(0, 4);
  const { stdout } = await run(['system', ...service]);
  expect(stdout).toMatch(/^database\.size +[\d.]+ [kMG]B$/m);
  expect(stdout).toMatch(/^disk\.free +[\d.]+ [kMG]B$/m);
  const json = JSON.parse((await run(['system', '--json', ...service])).stdout) as { readonly disk: object };
  expect(json.disk).toEqual({ total: expect.any(Number) as number, free: expect.any(Number) as number });
});

test('the question before a list is deleted counts one member', async () => {
  await using _jobs = service.startJobs();
  const { audience_id: id } = JSON.parse(await roster(['lists', 'create', 'One', '--json'])) as { audience_id: number };
  await roster(['import', '--list', String(id)], 'EMAIL\nada@example.com\n');
  const { code, stderr } = await run(['lists', 'delete', String(id), ...place]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('“One” with one member?') as string]);
});

test('a fault in a long file has the number of its item, and the accepted requests are named', async () => {
  const lines = (items: readonly object[]): string => items.map((one) => `${JSON.stringify(one)}\n`).join('');
  const items = Array.from({ length: 1200 }, (_, n) => ({ identity: n === 1100 ? '' : `long${n}@example.com` }));
  const told = await run(['contacts', 'create', ...place], lines(items));
  expect([told.code, told.stdout]).toEqual([3, '']);
  expect(told.stderr).toMatch(
    /^The first 1000 items are accepted and will be applied\. Requests: \S+\nitem 1100: identity must not be blank\n$/,
  );
  const asJson = await run(['contacts', 'create', '--json', ...place], lines(items));
  expect(JSON.parse(asJson.stderr)).toMatchObject({
    error: {
      code: 'invalid_request',
      errors: [{ field: 'data.contacts[1100].identity' }],
      message: 'data.contacts[1100].identity must not be blank',
    },
  });
  const activity = {
    identity: 'ada@example.com',
    channel: 'fax',
    activity: 'open',
    occurred_at: '2026-01-31T09:00:00Z',
  };
  const refused = await run(['activities', 'record', ...place], lines([activity]));
  expect(refused.stderr).toMatch(/^item 0: channel must be one of /);
});
