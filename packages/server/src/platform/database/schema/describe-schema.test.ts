import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../../../test/support/database.ts';
import { jobSchema } from './job-schema.ts';
import { describeSchema } from './describe-schema.ts';

test('the SQL description of a schema creates the same schema', async (context) => {
  await using database = await createTestDatabase();
  const version = await withClient(
    database.url,
    async (client) => (await client.query('show server_version_num')).rows[0],
  );
  // The description is for the embedded server. `storage` in a column definition is new in
  // PostgreSQL 16.
  context.skip(Number(version.server_version_num) < 160_000);
  const described = await withClient(database.url, describeSchema);
  expect(described).toContain('create table contacts (');
  expect(described).not.toContain(jobSchema);
  const again = await withClient(database.url, async (client) => {
    await client.query('drop schema public cascade; create schema public');
    await client.query(described);
    return describeSchema(client);
  });
  expect(again).toBe(described);
});

test('every kind of schema change changes the SQL description', async () => {
  await using database = await createTestDatabase();
  const changes = [
    'alter table contacts add column note text',
    'alter table contacts alter column email set not null',
    "alter table accounts alter column name set default 'none'",
    'create index accounts_name on accounts (name)',
    'create statistics accounts_zone on name, time_zone from accounts',
    'alter table lists_check add check (number > 0)',
    "alter type contact_type add value 'other'",
    'alter table accounts set (fillfactor = 70)',
  ];
  await withClient(database.url, async (client) => {
    await client.query('create table lists_check (number integer)');
    let before = await describeSchema(client);
    for (const change of changes) {
      await client.query(change);
      const after = await describeSchema(client);
      expect(after, change).not.toBe(before);
      before = after;
    }
  });
});

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
