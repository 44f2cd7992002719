import { sql } from 'kysely';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Database } from '#platform/database/connection/database.ts';
import { borrowConnections } from '#platform/database/connection/borrowed-connections.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { onEachServer } from '../support/cluster.ts';

// Nine connections for searches, three for each account.
const service = await forFile(startTestService({ worker: false, config: { databasePoolSize: 18 } }));
const other = await service.createAccount();
const url = await service.app.listen({ port: 0 });

let calls: { readonly off: AbortController; readonly ends: Promise<unknown> }[] = [];
afterEach(async () => {
  for (const { off } of calls) off.abort(new Error('the test is over'));
  await Promise.all(calls.map(({ ends }) => ends));
  calls = [];
});

const long = (db: Database) => sql`select pg_sleep(60)`.execute(db);

/** Runs long searches of an account, until the test is over. */
function keepSearching(accountId: number, count: number): void {
  for (let n = 0; n < count; n++) {
    const off = new AbortController();
    const ends = service.context.searches.run(accountId, off.signal, long).catch((error: unknown) => error);
    calls.push({ off, ends });
  }
}

/**
 * Returns the number of statements that run, or wait for a lock, on the connections for searches.
 */
async function statements(): Promise<number> {
  const rows = await onEachServer(
    service.context.config.databaseUrl!,
    `select pid from pg_stat_activity
     where datname = current_database() and application_name = 'roster api search' and state = 'active'`,
  );
  return rows.length;
}

const untilStatements = (count: number) => expect.poll(statements).toBe(count);

describe('an account with many long searches', () => {
  test('gets 429 when too many of its searches wait, and does not block other accounts', async () => {
    keepSearching(service.first.accountId, 103);
    await untilStatements(3);
    using reads = vi.spyOn(service.context.definitions, 'read');
    const { status, headers, body } = await service.first.v5('/contact/search', {});
    expect([status, headers['retry-after'], body.code]).toEqual([429, '5', 429]);
    expect(body.description).toContain('is running its maximum number of searches');
    // A search that is refused reads nothing, so that a flood of them takes no connections.
    expect(reads).not.toHaveBeenCalled();
    for (let n = 0; n < 5; n++) expect(await other.rows({ get_count: true })).toEqual([]);
    expect(await statements()).toBe(3);
  });

  test('runs its next search when one of its searches ends', async () => {
    keepSearching(service.first.accountId, 3);
    const answer = service.first.v5('/contact/search', {});
    await untilStatements(3);
    calls[0]!.off.abort(new Error('enough'));
    expect((await answer).status).toBe(200);
  });

  test('gets 503 when several accounts use all connections for searches', async () => {
    // Each node of a cluster has connections of its own.
    const { servers } = service.context;
    const shared = await servers.of(other.accountId);
    const neighbors: TestAccount[] = [];
    while (neighbors.length < 3) {
      const one = await service.createAccount();
      if ((await servers.of(one.accountId)) === shared) neighbors.push(one);
    }
    for (const { accountId } of neighbors) keepSearching(accountId, 3);
    await untilStatements(9);
    keepSearching(other.accountId, 100);
    const { status, headers, body } = await other.v5('/contact/search', {});
    expect([status, headers['retry-after'], body.description]).toEqual([
      503,
      '5',
      'The service is busy with other requests. Try again in 5 s.',
    ]);
  });
});

test.each([
  ['search', () => search({ output: { get_count: true } })],
  ['count of a segment', countOfSegment],
])('the %s of a client that disconnects is cancelled in the database', async (_name, send) => {
  const off = new AbortController();
  await service.context.db.transaction().execute(async (trx) => {
    // The lock makes every statement that reads contacts wait, like a slow condition.
    await sql`lock table contacts in access exclusive mode`.execute(trx);
    const answer = (await send())(off.signal).catch((error: Error) => error.name);
    await expect.poll(statements).toBeGreaterThan(0);
    off.abort();
    expect(await answer).toBe('AbortError');
    await untilStatements(0);
  });
  await expect.poll(() => service.context.searches.running).toBe(0);
});

async function search(body: object) {
  const headers = { 'api-key': service.first.apiKey, 'content-type': 'application/json' };
  return (signal: AbortSignal) =>
    fetch(`${url}/v5/contact/search`, { method: 'POST', headers, body: JSON.stringify(body), signal });
}

async function countOfSegment() {
  const { body } = await service.first.operator('POST', '/segments', { name: 'All', filtering_criteria: [] });
  const path = `/admin/v1/accounts/${service.first.accountId}/segments/${body.audience_id}/count`;
  return (signal: AbortSignal) =>
    fetch(`${url}${path}`, { headers: { authorization: `Bearer ${service.context.config.adminToken}` }, signal });
}

test('a search over its time limit is cancelled, with its running and its waiting statements', async () => {
  const { searchPool: pool, pool: control } = service.context;
  await using connections = await borrowConnections({ pool, control, second: () => undefined });
  const waiting = Promise.allSettled([long(connections.db), long(connections.db)]);
  await untilStatements(1);
  connections.cancel(new Error('too late'));
  expect(await waiting).toMatchObject([{ reason: { code: '57014' } }, { reason: { message: 'too late' } }]);
  await expect(long(connections.db)).rejects.toThrow('too late');
});

describe('two concurrent statements of a search', () => {
  const pid = async (db: Database) =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid, pg_sleep(0.05)`.execute(db)).rows[0]!.pid;

  test.each([
    ['run one after the other on one connection if there is no second connection', undefined, 1],
    ['have one connection each if there is a second connection', () => undefined, 2],
  ])('%s', async (_name, giveBack, connectionCount) => {
    const { searchPool: pool, pool: control } = service.context;
    await using connections = await borrowConnections({ pool, control, second: () => giveBack });
    const pids = await Promise.all([pid(connections.db), pid(connections.db)]);
    expect(new Set(pids).size).toBe(connectionCount);
  });

  test('are both ended when one fails, and their connections stay usable', async () => {
    const { searches, searchPool } = service.context;
    const failing = searches.run(service.first.accountId, undefined, (db) =>
      Promise.all([long(db), sql`select 1 / 0`.execute(db)]),
    );
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    // The error arrives before PostgreSQL has ended the statement.
    await untilStatements(0);
    const inUse = () => [searches.running, searchPool.totalCount - searchPool.idleCount];
    await expect.poll(inUse).toEqual([0, 0]);
    expect(await service.first.rows({})).toEqual([]);
  });
});
