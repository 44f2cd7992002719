import { afterAll, beforeAll, expect, test } from 'vitest';
import { findStored, type ActivitiesToStore } from '#features/activities/activity-store.ts';
import { monthOf } from '#features/activities/month.ts';
import { bigintArray, smallintArray, textArray, timestampArray } from '#platform/database/values/binary-array.ts';
import { pagesRead } from '../support/pages-read.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { record, recorded } from './support.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service[Symbol.asyncDispose]());

test('finding repeated records reads few pages, however many a contact has at one moment', async () => {
  const account = service.first;
  const { context } = service;
  const one = record({ id: 'the only one with an id of its own' });
  await recorded(service, account, [one]);
  // The same moment, 40,000 times more.
  await context.pool.query(`
    insert into activities (account_id, channel, activity, occurred_at, record_id, contact_key)
    select account_id, channel, activity, occurred_at, n, contact_key from activities, generate_series(1, 40000) n
    where account_id = ${account.accountId}`);

  const at = Date.parse(String(one['occurred_at']));
  const ids = Array.from({ length: 100 }, (_, n) => (n % 2 === 0 ? n + 20_000 : n + 90_000));
  const wanted = {
    month: monthOf(at),
    looked: ids.map((_, place) => place),
    lookup: [
      textArray(ids.map(() => 'asha@example.com')),
      smallintArray(ids.map(() => 1)),
      timestampArray(ids.map(() => at)),
      bigintArray(ids),
    ],
  } as unknown as ActivitiesToStore;
  let found: Set<number> | undefined;
  const pages = await pagesRead(context.config.databaseUrl!, async (client) => {
    found = await findStored(client, account.accountId, wanted);
  });
  expect(found).toEqual(new Set(ids.flatMap((id, place) => (id <= 40_000 ? [place] : []))));
  // A look-up reads the three or four levels of the index, and a row.
  expect(pages).toBeLessThan(100 * 8);
});
