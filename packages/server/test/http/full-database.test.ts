import { expect, test } from 'vitest';
import { batch } from '../batch-add/support.ts';
import { startTestService, type Answer, type TestService } from '../support/service.ts';

/**
 * Lets PostgreSQL refuse new requests as it does when its disk is full. The crash test fills a real
 * disk.
 */
const fillDisk = `
  create function refuse_rows() returns trigger language plpgsql as $$
    begin
      raise exception 'could not extend file: No space left on device' using errcode = '53100';
    end $$;
  create trigger full_disk before insert on requests for each row execute function refuse_rows()`;

const create = async (service: TestService): Promise<Answer> =>
  service.first.v5('/contact/create', {
    data: { contact_type: 'identified', contacts: [{ identity: 'eva@example.com' }] },
  });

test('while the disk of the database is full, requests are refused with the reason, and searches work', async () => {
  await using service = await startTestService();
  const { first, context } = service;
  await context.pool.query(fillDisk);
  expect(await create(service)).toMatchObject({
    status: 503,
    body: { description: expect.stringContaining('The disk of the database is full.') },
    headers: { 'retry-after': '5' },
  });
  const search = { output: { fields: ['identity'] } };
  expect(await first.rows(search)).toEqual([]);
  // v3 has no status 503.
  expect(
    await service.call('POST', '/v3/contact/batchadd', {
      body: batch([{ EMAIL: 'eva@example.com' }]),
      headers: { 'api-key': first.apiKey },
    }),
  ).toMatchObject({ status: 400, body: { message: 'the service server not found' } });

  await context.pool.query('drop function refuse_rows cascade');
  expect(await create(service)).toMatchObject({ status: 200 });
  await service.settled();
  expect(await first.rows(search)).toHaveLength(1);
});
