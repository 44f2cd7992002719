import { mkdtempDisposable } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import pino from 'pino';
import { expect, test } from 'vitest';
import { runChecks } from '#app/cli/doctor/run-checks.ts';
import { borrowConnections } from '#platform/database/connection/borrowed-connections.ts';
import { openPool } from '#platform/database/connection/database.ts';
import { migrateToLatest } from '#platform/database/schema/migrate.ts';
import { keepsSessions } from '#platform/database/statements/kept-sessions.ts';
import { testLayout } from '../support/context.ts';
import { createTestDatabase } from '../support/database.ts';
import { forFile } from '../support/for-file.ts';
import { startPoolerProxy, startSharingPooler } from '../support/pooler-proxy.ts';
import { startTestService } from '../support/service.ts';

const database = await forFile(createTestDatabase());
const pooler = await forFile(startPoolerProxy(database.url));

test('the service stores, applies and finds contacts through a connection pooler, and sends it no parameter that it refuses', async () => {
  await using service = await startTestService({ config: { databaseUrl: pooler.url } });
  await service.first.createContacts([{ identity: 'asha@example.com' }]);
  expect(await service.first.rows({ output: { fields: ['identity'] } })).toEqual([{ identity: 'asha@example.com' }]);
  const settings = async (pool: typeof service.context.pool) =>
    (
      await pool.query(
        `select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement`,
      )
    ).rows;
  expect(await settings(service.context.pool)).toEqual([{ lock: '10s', statement: '0' }]);
  expect(await settings(service.context.searchPool)).toEqual([{ lock: '10s', statement: '15s' }]);
  expect([...pooler.refused]).toEqual([]);
});

test('a statement is cancelled through a connection pooler, which tells clients other process numbers', async () => {
  const log = pino({ level: 'silent' });
  const pool = openPool({ url: pooler.url, name: 'test', size: 1, log });
  const control = openPool({ url: pooler.url, name: 'test control', size: 1, log });
  {
    await using borrowed = await borrowConnections({ pool, control, second: () => undefined });
    const sleeping = sql`select pg_sleep(60)`.execute(borrowed.db).catch((error: unknown) => error);
    const runs = () =>
      control.query(`select from pg_stat_activity where query like '%pg_sleep(60)%' and pid <> pg_backend_pid()`);
    await expect.poll(async () => (await runs()).rowCount).toBe(1);
    borrowed.cancel(new Error('nobody waits'));
    expect(await sleeping).toMatchObject({ code: '57014' });
  }
  await Promise.all([pool.end(), control.end()]);
});

test('a start and doctor refuse a connection pooler that shares the sessions of the server', async () => {
  await using sharing = await startSharingPooler(database.url);
  const advice = 'Set pool_mode = session in the pooler, or connect to the server directly.';
  await expect(migrateToLatest(sharing.url, pino({ level: 'silent' }))).rejects.toThrow(advice);
  await using dataDir = await mkdtempDisposable(path.join(os.tmpdir(), 'roster-pooler-'));
  const variables = { DATABASE_URL: sharing.url, ...testLayout, ROSTER_DATA_DIR: dataDir.path, PORT: '1' };
  const findings = await runChecks(variables);
  expect(findings.filter(({ severity }) => severity === 'fault')).toEqual([
    expect.objectContaining({ check: 'database', advice }),
  ]);
});

test('a connection pooler that shares sessions is noticed when it gives the sessions to the connections by turns', async () => {
  await using sharing = await startSharingPooler(database.url, 2);
  const pool = openPool({ url: sharing.url, name: 'test', size: 2, log: pino({ level: 'silent' }) });
  expect(await keepsSessions(pool)).toBe(false);
  await pool.end();
});

test('doctor opens a connection as the service does, and says what to do when a pooler refuses it', async () => {
  await using dataDir = await mkdtempDisposable(path.join(os.tmpdir(), 'roster-pooler-'));
  const check = async (url: string) =>
    (await runChecks({ DATABASE_URL: url, ...testLayout, ROSTER_DATA_DIR: dataDir.path, PORT: '1' })).filter(
      (finding) => finding.check === 'database',
    );
  expect((await check(pooler.url)).map(({ severity }) => severity)).toEqual(['ok', 'warning']);
  expect(await check(`${pooler.url}?options=-c%20jit%3Doff`)).toEqual([
    {
      check: 'database',
      severity: 'fault',
      message: 'Could not connect to the database: unsupported startup parameter: options.',
      advice:
        'A connection pooler refuses a parameter of the connection. Remove the parameter from DATABASE_URL, or allow it in the pooler.',
    },
  ]);
});
