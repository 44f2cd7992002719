import pg from 'pg';
import { expect, test } from 'vitest';
import { migrateToLatest, migrationNames } from '#platform/database/schema/migrate.ts';
import { openLease } from '#platform/jobs/lease.ts';
import { createTestContext } from '../support/context.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { silent } from '../../../embedded-postgres/test/support.ts';

/**
 * Starts on a database (default: a migrated one) after running some statements. Returns the message,
 * and whether the tables are unchanged.
 */
async function startAfter(
  statements: string,
  create: () => Promise<TestDatabase> = createTestDatabase,
): Promise<{ message: string; untouched: boolean }> {
  await using database = await create();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query(statements);
    const tables = async () => {
      const { rows } = await client.query(
        `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by relname`,
      );
      return rows;
    };
    const before = await tables();
    const message = await migrateToLatest(database.url, silent).then(
      () => 'started',
      (error: Error) => error.message,
    );
    return { message, untouched: JSON.stringify(await tables()) === JSON.stringify(before) };
  } finally {
    await client.end();
  }
}

test('a database of a newer version is refused, with the advice to start that version', async () => {
  const newer = `insert into kysely_migration (name, timestamp) values ('9999_future', '')`;
  expect(await startAfter(newer)).toEqual({
    message: expect.stringMatching(
      /newer version of Roster made the database \(migration 9999_future\).*Start that version/,
    ),
    untouched: true,
  });
});

test('a database with migrations of another history is refused, and is not reported as newer', async () => {
  const renamed = `update kysely_migration set name = '0003_another' where name like '0003%'`;
  expect(await startAfter(renamed)).toEqual({
    message: expect.stringMatching(/0003_another, which no version of Roster has in this position/),
    untouched: true,
  });
});

test('a database with tables of another program is refused, with their names, and left unchanged', async () => {
  const statements = 'create table contacts (id int); create table orders (id int)';
  expect(await startAfter(statements, createEmptyDatabase)).toEqual({
    message: expect.stringMatching(/tables that Roster did not make \(contacts, orders\).*empty database of its own/),
    untouched: true,
  });
});

test('a start with pending migrations is refused while a worker of the older version runs', async () => {
  await using context = await createTestContext();
  const url = context.config.databaseUrl!;
  const newest = (await migrationNames()).at(-1);
  {
    await using lease = await openLease(context);
    await lease.addPool('a pool of the older version');
    // Nothing is pending.
    await migrateToLatest(url, silent);
    await context.pool.query('delete from kysely_migration where name = $1', [newest]);
    await expect(migrateToLatest(url, silent)).rejects.toThrow(
      'workers of an older version still run (1). With the new schema, accepted requests would fail in them. Stop all processes of Roster, then start this version.',
    );
  }
  const { rows } = await context.pool.query('select from kysely_migration where name = $1', [newest]);
  expect(rows).toEqual([]);
});

test('an empty database can be migrated by several processes at once', async () => {
  await using database = await createEmptyDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  // The functions of an extension are not those of another program.
  await client.query('create extension btree_gin');
  await client.end();
  await Promise.all(Array.from({ length: 4 }, () => migrateToLatest(database.url, silent)));
});
