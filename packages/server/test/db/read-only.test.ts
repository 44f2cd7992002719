import { mkdtempDisposable } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { expect, test } from 'vitest';
import { runChecks } from '#app/cli/doctor/run-checks.ts';
import { databaseFault, openPool } from '#platform/database/connection/database.ts';
import { createEmptyDatabase, createTestDatabase } from '../support/database.ts';
import { onSingleServerOnly, withDatabase } from '../support/cluster.ts';
import { startTestService, type TestService } from '../support/service.ts';

const log = pino({ level: 'silent' });
const person = (name: string) => ({
  data: { contact_type: 'identified', contacts: [{ identity: `${name}@example.com` }] },
});

/** Runs a statement about a database from another database of the server. */
async function onServer(url: string, statement: (name: string) => string): Promise<void> {
  const client = new pg.Client({ connectionString: withDatabase(url, 'postgres') });
  await client.connect();
  try {
    await client.query(statement(new URL(url).pathname.slice(1)));
  } finally {
    await client.end();
  }
}

const closeConnections = (url: string) =>
  onServer(url, (name) => `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`);

/** Makes a database read-only, and closes all connections to it, as when a primary becomes a standby. */
async function demote(url: string): Promise<void> {
  await onServer(url, (name) => `alter database ${name} set default_transaction_read_only = on`);
  await closeConnections(url);
}

/** Makes new sessions writable. Present ones stay read-only. */
const promote = (url: string) => onServer(url, (name) => `alter database ${name} reset default_transaction_read_only`);

test('a connection that was refused a write as read-only is closed, and the next one can write', async () => {
  await using database = await createTestDatabase();
  const pool = openPool({ url: database.url, name: 'test', size: 1, log });
  const write = () => pool.query('insert into sweeps_of_test values (1)');
  await pool.query('create table sweeps_of_test (one int)');
  await demote(database.url);
  const error: unknown = await write().catch((failure: unknown) => failure);
  // The first statement may find its connection closed.
  const refused = databaseFault(error) === 'unreachable' ? await write().catch((failure: unknown) => failure) : error;
  expect(refused).toMatchObject({ code: '25006' });
  expect(databaseFault(refused)).toBe('unreachable');
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await promote(database.url);
  await expect(write()).rejects.toMatchObject({ code: '25006' });
  expect((await write()).rowCount).toBe(1);
  await pool.end();
});

test('a database that allows no connections is unreachable, and the same code of a statement is not', async () => {
  await using database = await createEmptyDatabase();
  await onServer(database.url, (name) => `alter database ${name} allow_connections false`);
  const pool = openPool({ url: database.url, name: 'test', size: 1, log });
  const refused: unknown = await pool.connect().catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: '55000' });
  expect(databaseFault(refused)).toBe('unreachable');
  await onServer(database.url, (name) => `alter database ${name} allow_connections true`);
  const statement: unknown = await pool
    .query(`create sequence one; select currval('one')`)
    .catch((error: unknown) => error);
  expect(statement).toMatchObject({ code: '55000' });
  expect(databaseFault(statement)).toBe('data');
  await pool.end();
});

const onOneServer = onSingleServerOnly('it makes one server read-only');

/** Sends a contact until the response has a status, and returns the response. */
async function sendUntil(service: TestService, status: number) {
  let answer: Awaited<ReturnType<TestService['call']>> | undefined;
  await expect
    .poll(async () => {
      answer = await service.first.v5('/contact/create', person('asha'));
      return answer.status;
    })
    .toBe(status);
  return answer!;
}

onOneServer(
  'a read-only database gives 503, the worker gives up nothing, and all work again afterwards',
  async () => {
    const lines: string[] = [];
    await using service = await startTestService({
      worker: false,
      log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
    });
    const url = service.context.config.databaseUrl!;
    const earlier = await service.first.v5('/contact/create', person('mina'));
    await demote(url);

    const refused = await sendUntil(service, 503);
    expect(refused.body).toMatchObject({ code: 503 });
    expect(refused.headers['retry-after']).toBe('1');
    await expect
      .poll(async () => (await service.call('GET', '/readyz')).body)
      .toEqual({
        status: 'unavailable',
        reason: 'the database is read-only',
      });
    expect((await service.call('GET', '/metrics')).body).toContain('roster_pipeline_waiting_requests Nan');
    expect(await service.first.rows({ output: { fields: ['identity'] } })).toEqual([]);

    await using _worker = service.startWorker();
    await expect
      .poll(() => lines.filter((line) => line.includes('a loop of the worker failed')).length)
      .toBeGreaterThan(2);
    await promote(url);
    await expect.poll(async () => (await service.call('GET', '/readyz')).status).toBe(200);
    await sendUntil(service, 200);
    await expect.poll(() => service.first.rows({ output: { fields: ['identity'] } })).toHaveLength(2);
    const request = await service.first.operator('GET', `/requests/${earlier.body.request_id}`);
    expect(request.body).toMatchObject({ status: 'done', counts: { created: 1, failed: 0 } });
    expect(lines.filter((line) => /"stack":"[^"]/.test(line) || line.includes('could not apply'))).toEqual([]);
  },
  30_000,
);

onOneServer('doctor says that a database is read-only, and why', async () => {
  await using database = await createTestDatabase();
  await using dataDir = await mkdtempDisposable(path.join(os.tmpdir(), 'roster-read-only-'));
  await demote(database.url);
  const findings = await runChecks({ DATABASE_URL: database.url, ROSTER_DATA_DIR: dataDir.path, PORT: '1' });
  expect(findings).toContainEqual({
    check: 'database',
    severity: 'fault',
    message: 'The database server is read-only: default_transaction_read_only is on.',
    advice: 'Turn it off in postgresql.conf, or for the role or the database.',
  });
});
