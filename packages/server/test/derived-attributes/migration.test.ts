import { expect, test } from 'vitest';
import { databaseBefore } from '../support/older-database.ts';

test('accounts whose summaries had messages that were sent keep the rest, and compute it again', async () => {
  await using older = await databaseBefore('0047_sent_from_activities');
  const { client } = older;
  await client.query(
    `insert into accounts (name, settings, created_at, updated_at) values
         ('Both', '{"derived_attributes": true, "derived_sent_attributes": true, "buckets": 2}', now(), now()),
         ('Without', '{"derived_attributes": true}', now(), now());
       insert into activity_summary_states (account_id, wanted, usable, with_sent, done, requested_at)
       values (1, true, true, true, 7, now()), (2, true, true, false, 7, now());
       insert into activity_summaries (account_id, contact_key, email_sent_at, email_sent_minutes, email_open_at)
       values (1, 'a@example.com', now(), '{1,2}', '2026-01-01'), (2, 'a@example.com', null, null, '2026-01-02')`,
  );
  await older.migrate();
  const rowsOf = async (query: string) => (await client.query<Record<string, unknown>>(query)).rows;
  expect(await rowsOf('select account_id, settings from accounts order by 1')).toEqual([
    { account_id: 1, settings: { derived_attributes: true, buckets: 2 } },
    { account_id: 2, settings: { derived_attributes: true } },
  ]);
  expect(await rowsOf('select account_id, usable, position, done from activity_summary_states order by 1')).toEqual([
    { account_id: 1, usable: true, position: '', done: '0' },
    { account_id: 2, usable: true, position: null, done: '7' },
  ]);
  expect(await rowsOf('select email_open_at from activity_summaries order by 1')).toEqual([
    { email_open_at: new Date('2026-01-01') },
    { email_open_at: new Date('2026-01-02') },
  ]);
});
