import { mkdtempDisposable } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { expect } from 'vitest';
import { runChecks } from '#app/cli/doctor/run-checks.ts';
import { migrateToLatest } from '#platform/database/schema/migrate.ts';
import { permittedConnections } from '#platform/database/statements/permitted-connections.ts';
import { onSingleServerOnly } from '../support/cluster.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts';

const log = pino({ level: 'silent' });

/** Runs statements in a database. */
async function run(url: string, ...statements: readonly string[]): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let result: pg.QueryResult | undefined;
    for (const statement of statements) result = await client.query(statement);
    return result!;
  } finally {
    await client.end();
  }
}

/** Creates a role with the name of the database that may only log in. Returns the URL for it. */
async function createRole({ url }: TestDatabase): Promise<{ readonly role: string; readonly url: string }> {
  const role = `${new URL(url).pathname.slice(1)}_role`;
  await run(url, `create role ${role} login password 'secret'`);
  const own = new URL(url);
  own.username = role;
  own.password = 'secret';
  return { role, url: own.href };
}

const dropRole = (url: string, role: string) => run(url, `drop owned by ${role} cascade`, `drop role ${role}`);

/** Expects that a start and doctor refuse a database with the same message and advice. */
async function expectRefusal(url: string, message: string, advice: string): Promise<void> {
  await expect(migrateToLatest(url, log)).rejects.toMatchObject({
    name: 'MigrationError',
    message: `${message} ${advice}`,
  });
  await using dataDir = await mkdtempDisposable(path.join(os.tmpdir(), 'roster-rights-'));
  const findings = await runChecks({ DATABASE_URL: url, ROSTER_DATA_DIR: dataDir.path, PORT: '1' });
  expect(findings).toContainEqual({ check: 'database', severity: 'fault', message, advice });
}

const onOneServer = onSingleServerOnly('it creates roles on one server');

onOneServer('a start and doctor refuse a role that may not create tables or schemas, and say what to run', async () => {
  await using database = await createEmptyDatabase();
  const name = new URL(database.url).pathname.slice(1);
  const { role, url } = await createRole(database);
  const advice = `Make it the owner of the database. Run on the server: alter database ${name} owner to ${role};`;
  await expectRefusal(url, `The role ${role} may not create tables in the schema public.`, advice);
  await run(database.url, `grant create on schema public to ${role}`);
  await expectRefusal(url, `The role ${role} may not create schemas in the database.`, advice);
  await run(database.url, `alter database ${name} owner to ${role}`);
  await migrateToLatest(url, log);
  await run(database.url, `alter database ${name} owner to current_user`);
  await dropRole(database.url, role);
});

onOneServer('a start and doctor refuse tables that belong to another role', async () => {
  await using database = await createTestDatabase();
  const name = new URL(database.url).pathname.slice(1);
  const { role, url } = await createRole(database);
  const { rows } = await run(
    database.url,
    `alter database ${name} owner to ${role}`,
    'select quote_ident(current_user) as owner',
  );
  const { owner } = rows[0];
  await expectRefusal(
    url,
    `The table _private_job_queues belongs to the role ${owner}. The role ${role} must own all tables.`,
    `Use the role ${owner} in DATABASE_URL, or change the owner of all tables. If you restored them with pg_restore, use --no-owner and the role ${role}.`,
  );
  await run(database.url, `alter database ${name} owner to current_user`);
  await dropRole(database.url, role);
});

onOneServer(
  'a start uses the schema public, even if the role has another schema first in its search path',
  async () => {
    await using database = await createEmptyDatabase();
    const name = new URL(database.url).pathname.slice(1);
    await run(database.url, 'create schema app', `alter database ${name} set search_path = app`);
    await migrateToLatest(database.url, log);
    const { rows } = await run(database.url, `select to_regclass('public.contacts') is not null as found`);
    expect(rows).toEqual([{ found: true }]);
  },
);

onOneServer('a start and doctor refuse tables of Roster in another schema, and say how to move them', async () => {
  await using database = await createTestDatabase();
  await run(database.url, 'alter schema public rename to app', 'create schema public');
  const statements = 'drop schema if exists public; alter schema app rename to public;';
  await expectRefusal(
    database.url,
    'The tables of Roster are in the schema app. They must be in the schema public.',
    `Stop all processes of Roster, and run on the server: ${statements}`,
  );
  await run(database.url, statements);
  await migrateToLatest(database.url, log);
});

onOneServer('a start and doctor refuse a database without the schema public', async () => {
  await using database = await createEmptyDatabase();
  const { rows } = await run(database.url, 'drop schema public', 'select quote_ident(current_user) as role');
  const { role } = rows[0];
  await expectRefusal(
    database.url,
    'The database has no schema public, in which Roster creates its tables.',
    `Run on the server, in this database: create schema public authorization ${role};`,
  );
});

onOneServer('a start refuses a read-only database, and says why', async () => {
  await using database = await createEmptyDatabase();
  const name = new URL(database.url).pathname.slice(1);
  await run(database.url, `alter database ${name} set default_transaction_read_only = on`);
  await expectRefusal(
    database.url,
    'The database server is read-only: default_transaction_read_only is on.',
    'Turn it off in postgresql.conf, or for the role or the database.',
  );
});

onOneServer('the connection limits of the role and the database count, as the limit of the server does', async () => {
  await using database = await createEmptyDatabase();
  const name = new URL(database.url).pathname.slice(1);
  const { role, url } = await createRole(database);
  const permitted = async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const found = await permittedConnections(client);
    await client.end();
    return found;
  };
  const limitOfServer = await permitted();
  await run(database.url, `alter role ${role} connection limit 12`);
  expect(await permitted()).toBe(12);
  await run(database.url, `alter database ${name} connection limit 7`);
  expect(await permitted()).toBe(7);
  await run(database.url, `alter role ${role} connection limit -1`, `alter database ${name} connection limit -1`);
  expect(await permitted()).toBe(limitOfServer);
  await dropRole(database.url, role);
});
