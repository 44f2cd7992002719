import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';

test('accounts whose summaries had messages that were sent keep the rest, and compute it again', async () => {
  await using database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query('drop schema public cascade; create schema public');
    const directory = new URL('../../src/platform/database/schema/migrations/', import.meta.url);
    const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
    const run = async (name: string) => client.query(await readFile(new URL(name, directory), 'utf8'));
    const last = names.indexOf('0047_sent_from_activities.sql');
    for (const name of names.slice(0, last)) await run(name);
    await client.query(
      `insert into accounts (name, settings, created_at, updated_at) values
         ('Both', '{"derived_attributes": true, "derived_sent_attributes": true, "buckets": 2}', now(), now()),
         ('Without', '{"derived_attributes": true}', now(), now());
       insert into activity_summary_states (account_id, wanted, usable, with_sent, done, requested_at)
       values (1, true, true, true, 7, now()), (2, true, true, false, 7, now());
       insert into activity_summaries (account_id, contact_key, email_sent_at, email_sent_minutes, email_open_at)
       values (1, 'a@example.com', now(), '{1,2}', '2026-01-01'), (2, 'a@example.com', null, null, '2026-01-02')`,
    );
    await run(names[last]!);
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
  } finally {
    await client.end();
  }
});
