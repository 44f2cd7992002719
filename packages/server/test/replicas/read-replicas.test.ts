import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkReplicas } from '#app/cli/doctor/servers/replicas.ts';
import { readAnywhere } from '#platform/database/replicas/read-anywhere.ts';
import { openReadReplicas } from '#platform/database/replicas/read-replicas.ts';
import { openReplica } from '#platform/database/replicas/replica.ts';
import { createMetrics } from '#platform/observability/metrics.ts';
import { startExportService, type ExportService } from '../exports/export-service.ts';
import { createTestContext } from '../support/context.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { until } from '../../../embedded-postgres/test/support.ts';
import { startReplication, type Replication } from './streaming-replica.ts';

let replication: Replication;
let exports: ExportService;
let service: TestService;

beforeAll(async () => {
  replication = await startReplication();
  exports = await startExportService({
    // A cluster has no read replicas. The servers of this file are not a cluster.
    config: {
      databaseUrl: replication.url,
      layout: 'single',
      replicaUrls: [replication.replica.url],
      databasePoolSize: 10,
    },
  });
  ({ service } = exports);
  await until(() => problem() === undefined, 30_000);
}, 120_000);
afterAll(async () => {
  await exports[Symbol.asyncDispose]();
  await replication[Symbol.asyncDispose]();
});

const problem = (): string | undefined => service.context.replicas.all[0]!.state.problem;

/** Waits until reads use the replica. */
async function isUsed(): Promise<void> {
  const { pool, replicas } = service.context;
  const onReplica = () =>
    replicas.read(async (server) => server.pool !== pool, { primary: { pool, control: pool }, patience: 0 });
  await expect.poll(onReplica, { timeout: 30_000 }).toBe(true);
}

/** The numbers of reads by outcome. */
async function reads(): Promise<Record<'served' | 'behind' | 'failed', number>> {
  const { values } = await service.context.metrics.replicaReads.get();
  const of = (outcome: string): number => values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;
  return { served: of('served'), behind: of('behind'), failed: of('failed') };
}

const people = (...names: readonly string[]) => ({
  data: { contact_type: 'identified', contacts: names.map((name) => ({ identity: `${name}@example.com` })) },
});
const named = (name: string) => ({
  filtering_criteria: [
    { condition_details: [{ field: 'identity', operation: 'equals', value: `${name}@example.com` }] },
  ],
  output: { fields: ['identity'], get_count: true },
});

test('a search on the replica sees what was stored before it', async () => {
  const before = await reads();
  let after = before;
  let searches = 0;
  // On a busy machine, a probe can find the replica behind, and the reads of the next second do not try it.
  while (after.served < before.served + 20) {
    const name = `seen-${searches++}`;
    await service.first.apply('/contact/create', people(name));
    const { body } = await service.first.v5('/contact/search', named(name));
    expect(body).toMatchObject({ count: 1, data: [{ identity: `${name}@example.com` }] });
    after = await reads();
  }
  // Each read is counted at most once.
  expect(after.served + after.behind - before.served - before.behind).toBeLessThanOrEqual(searches);
  expect(after.failed).toBe(before.failed);
}, 60_000);

test('a segment counts on the replica right after it was created', async () => {
  await service.first.apply('/contact/create', people('in-segment'));
  const filter = { filtering_criteria: named('in-segment').filtering_criteria };
  const created = await service.first.operator('POST', '/segments', { name: 'On a replica', ...filter });
  expect(created.status).toBe(201);
  const id: number = created.body.audience_id;
  expect((await service.first.operator('GET', `/segments/${id}/count`)).body).toMatchObject({ count: 1 });
});

test('the timeline, the statistics and the activity of a person come from the replica', async () => {
  await service.first.apply('/contact/create', people('reader'));
  const [row] = await service.first.rows({ ...named('reader'), output: { fields: ['contact_id'] } });
  const id = String(row!['contact_id']);
  await isUsed();
  const before = await reads();
  const timeline = await service.first.operator('GET', `/contacts/${id}/timeline`);
  const kinds: string[] = timeline.body.data.map(({ kind }: { kind: string }) => kind);
  expect(kinds.sort()).toEqual(['created', 'request']);
  const growth = await service.first.operator('GET', '/statistics/contacts');
  expect(growth.status).toBe(200);
  const activity = await service.first.operator('GET', '/statistics/activities');
  expect(activity.status).toBe(200);
  const messages = await service.first.operator('GET', '/statistics/messages');
  expect(messages.status).toBe(200);
  const after = await reads();
  expect(after.served + after.behind).toBe(before.served + before.behind + 4);
});

/** Exports all contacts, and returns the rows of the file. */
async function exportAll(): Promise<string[][]> {
  const { status, body } = await service.first.operator('POST', '/exports', { filter: {}, attributes: ['IDENTITY'] });
  expect(status).toBe(201);
  return exports.rows(body.request_id);
}

test('an export is written from the replica, and has what was stored before', async () => {
  // The jobs have a context of their own. It needs a moment until it has found the replica.
  const before = await reads();
  await expect
    .poll(async () => {
      const name = `exported-${Math.random()}`;
      await service.first.apply('/contact/create', people(name));
      expect(await exportAll()).toContainEqual([`${name}@example.com`]);
      return (await reads()).served;
    })
    .toBeGreaterThan(before.served);
}, 90_000);

/** Pauses the replay of the replica, until the result is disposed. */
async function pauseReplay(): Promise<AsyncDisposable> {
  await replication.replica.sql('select pg_wal_replay_pause()');
  return {
    async [Symbol.asyncDispose]() {
      await replication.replica.sql('select pg_wal_replay_resume()').catch((error: unknown) => {
        // The replay has resumed, and was in conflict with the statement that resumed it.
        if (!String(error).includes('conflict with recovery')) throw error;
      });
    },
  };
}

test('a replica that is behind costs time, not answers', async () => {
  {
    await using _pause = await pauseReplay();
    await service.first.apply('/contact/create', people('not-replayed'));
    const before = await reads();
    const { body } = await service.first.v5('/contact/search', named('not-replayed'));
    expect(body).toMatchObject({ count: 1 });
    expect((await reads()).served).toBe(before.served);
    // Soon it is not asked any more.
    await expect.poll(problem, { timeout: 20_000 }).toBe('behind');
    const unused = await reads();
    expect((await service.first.v5('/contact/search', named('not-replayed'))).body).toMatchObject({ count: 1 });
    expect(await reads()).toEqual(unused);
    const lag = await service.context.metrics.replicaLag.get();
    expect(lag.values[0]!.value).toBeGreaterThan(1);
  }
  await isUsed();
}, 60_000);

test('a read on a replica that does not replay in time is repeated on the primary', async () => {
  const { log, pool } = service.context;
  const metrics = createMetrics();
  const replica = openReplica({ url: replication.replica.url, name: 'roster test', size: 1, log });
  // Only one probe, so the replica counts as usable until the end. Its marks come from the service.
  const parts = { replicas: [replica], primary: pool, probePrimary: pool, log, metrics, interval: 600_000 };
  await using replicas = openReadReplicas(parts);
  await expect.poll(() => replica.state.problem, { timeout: 20_000 }).toBeUndefined();
  await using _pause = await pauseReplay();
  await service.first.apply('/contact/create', people('too-late'));
  const servers: string[] = [];
  const found = await readAnywhere({ replicas, pool, db: service.context.db }, async (db) => {
    const { rows } = await sql<{ is_replica: boolean }>`select pg_is_in_recovery() as is_replica`.execute(db);
    servers.push(rows[0]!.is_replica ? 'replica' : 'primary');
    return await db.selectFrom('contacts').select('contact_id').where('contact_key', 'like', '%too-late%').execute();
  });
  expect([found.length, servers]).toEqual([1, ['primary']]);
  const { values } = await metrics.replicaReads.get();
  expect(values.map(({ labels, value }) => [labels.outcome, value])).toEqual([['behind', 1]]);
}, 60_000);

test('all processes together write at most one mark a second, and none without replicas', async () => {
  await using other = await createTestContext({
    config: { databaseUrl: replication.url, layout: 'single', replicaUrls: [replication.replica.url] },
  });
  await expect.poll(() => other.replicas.all[0]!.state.problem, { timeout: 20_000 }).toBeUndefined();
  const read = () => service.context.db.selectFrom('history_marks').selectAll().executeTakeFirstOrThrow();
  // All kept marks are younger than this test, and the list does not grow.
  await expect.poll(async () => (await read()).marks.length, { timeout: 40_000 }).toBe(16);
  const { marks, written_at: writtenAt } = await read();
  expect(new Set(marks).size).toBe(16);
  const pauses = writtenAt.slice(1).map((at, index) => writtenAt[index]!.getTime() - at.getTime());
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(999);
  await using unused = await createTestContext();
  expect(unused.replicas.all).toEqual([]);
  expect(await unused.db.selectFrom('history_marks').selectAll().execute()).toEqual([]);
}, 60_000);

test('a read that the replay of the replica cancels is repeated on the primary', async () => {
  await service.first.apply('/contact/create', people('vacuumed'));
  const before = await reads();
  const servers: string[] = [];
  const { pool } = service.context;
  const result = await service.context.replicas.read(
    async (server) => {
      servers.push(server.pool === pool ? 'primary' : 'replica');
      if (server.pool === pool) return 'answer';
      const client = await server.pool.connect();
      try {
        await client.query('begin isolation level repeatable read read only');
        await client.query('select count(*) from contacts');
        await pool.query(`update contacts set updated_at = now(); `);
        await pool.query('vacuum (freeze) contacts');
        await client.query('select count(*), pg_sleep(10) from contacts');
        return 'not cancelled';
      } finally {
        client.release(true);
      }
    },
    { primary: { pool, control: pool } },
  );
  expect([result, servers]).toEqual(['answer', ['replica', 'primary']]);
  expect((await reads()).failed).toBe(before.failed + 1);
  await isUsed();
}, 60_000);

test('a replica that hangs ends its reads within seconds, and the primary serves them', async () => {
  const { pool } = service.context;
  const begun = Promise.withResolvers<void>();
  const slow = service.context.replicas.read(
    async (server) => {
      if (server.pool === pool) return 'primary';
      const client = await server.pool.connect();
      try {
        await client.query('select');
        begun.resolve();
        await client.query('select pg_sleep(3)');
        return 'replica';
      } finally {
        client.release(true);
      }
    },
    { primary: { pool, control: pool } },
  );
  await begun.promise;
  await replication.replica.signal('SIGSTOP');
  const stopped = performance.now();
  try {
    expect(await slow).toBe('primary');
    // A probe once a second waits for 2 s. The rest is for a busy machine.
    expect(performance.now() - stopped).toBeLessThan(10_000);
    expect(problem()).toBe('unreachable');
    expect((await service.first.v5('/contact/search', named('seen-1'))).body).toMatchObject({ count: 1 });
  } finally {
    await replication.replica.signal('SIGCONT');
  }
  await isUsed();
}, 60_000);

test('a replica that accepts no new connections costs one read 2 s, and is used again later', async () => {
  await using other = await createTestContext({
    config: { databaseUrl: replication.url, layout: 'single', replicaUrls: [replication.replica.url] },
  });
  const { pool, replicas } = other;
  const state = () => replicas.all[0]!.state;
  await expect.poll(() => state().problem, { timeout: 20_000 }).toBeUndefined();
  const search = async (): Promise<[string, number]> => {
    const begun = performance.now();
    const server = await replicas.read(
      async (tried) => {
        const client = await tried.pool.connect();
        client.release();
        return tried.pool === pool ? 'primary' : 'replica';
      },
      { primary: { pool, control: pool } },
    );
    return [server, performance.now() - begun];
  };
  replication.replica.signalPostmaster('SIGSTOP');
  try {
    const [server, duration] = await search();
    expect(server).toBe('primary');
    expect(duration).toBeGreaterThan(1900);
    // The rest is for a busy machine. Other connections to the primary wait for up to 5 s.
    expect(duration).toBeLessThan(4500);
    // The probes have a connection that still works. They do not forget the failure.
    for (let n = 0; n < 5; n++) {
      expect(state()).toMatchObject({ problem: 'unreachable', reason: 'it accepted no connection within 2 s' });
      const [next, wait] = await search();
      expect(next).toBe('primary');
      expect(wait).toBeLessThan(1000);
      await sleep(700);
    }
  } finally {
    replication.replica.signalPostmaster('SIGCONT');
  }
  await expect.poll(async () => (await search())[0], { timeout: 20_000 }).toBe('replica');
}, 60_000);

test('searches are answered while the replica dies and comes back', async () => {
  const over = new AbortController();
  let answered = 0;
  const searching = Promise.all(
    Array.from({ length: 3 }, async () => {
      while (!over.signal.aborted) {
        const { status, body } = await service.first.v5('/contact/search', named('seen-2'));
        expect([status, body.count]).toEqual([200, 1]);
        answered++;
      }
    }),
  );
  try {
    await replication.replica.signal('SIGKILL');
    await expect.poll(problem, { timeout: 20_000 }).toBe('unreachable');
    await replication.replica.start();
    await isUsed();
    const { served } = await reads();
    await expect.poll(async () => (await reads()).served, { timeout: 20_000 }).toBeGreaterThan(served);
  } finally {
    over.abort();
    await searching;
  }
  expect(answered).toBeGreaterThan(10);
}, 90_000);

test('reads never use a server that is not a replica of the database', async () => {
  const sameServer = new URL(replication.replica.url);
  sameServer.pathname = '/postgres';
  await using other = await createTestContext({
    config: {
      databaseUrl: replication.url,
      layout: 'single',
      // The primary itself, another database of the replica, and a server that does not run.
      replicaUrls: [replication.url, sameServer.href, 'postgres://roster@127.0.0.1:9/roster'],
    },
  });
  const problems = (): unknown[] => other.replicas.all.map(({ state }) => state.problem);
  await expect.poll(problems).toEqual(['not a replica', 'of another database', 'unreachable']);
  const { pool } = other;
  expect(await other.replicas.read(async (server) => server.pool === pool, { primary: { pool, control: pool } })).toBe(
    true,
  );
});

test('a statement that only the replica refuses runs again on the primary', async () => {
  const before = await reads();
  const { pool } = service.context;
  const refused = (statement: string) =>
    service.context.replicas.read(
      async (server) => {
        if (server.pool === pool) return 'primary';
        await server.pool.query(statement);
        return 'replica';
      },
      { primary: { pool, control: pool } },
    );
  for (const statement of ['select from unknown_table', 'create table unwanted (x int)']) {
    await isUsed();
    expect(await refused(statement)).toBe('primary');
  }
  expect((await reads()).failed).toBe(before.failed + 2);
  // The primary would fail in the same way.
  await isUsed();
  await expect(refused('select 1 / 0')).rejects.toThrow('division by zero');
});

test('a replica is used only if its user may read all tables', async () => {
  const { pool } = service.context;
  await pool.query(`create role reader login password 'secret'`);
  const url = new URL(replication.replica.url);
  url.username = 'reader';
  url.password = 'secret';
  const replicaUrls = [url.href];
  await using reader = await startTestService({
    config: { databaseUrl: replication.url, layout: 'single', replicaUrls },
  });
  const state = () => reader.context.replicas.all[0]!.state;
  const doctor = async (): Promise<string> => {
    const primary = new pg.Client({ connectionString: replication.url });
    await primary.connect();
    try {
      return (await checkReplicas(primary, { ...reader.context.config, replicaUrls }))[0]!.message;
    } finally {
      await primary.end();
    }
  };
  const mayNotRead = expect.stringMatching(/^its user may not read \w+, \w+, \w+ and \d+ more tables$/);
  await expect.poll(state, { timeout: 20_000 }).toMatchObject({ problem: 'not readable', reason: mayNotRead });
  const search = () => service.first.v5('/contact/search', named('seen-1'));
  expect((await search()).body).toMatchObject({ count: 1 });
  expect(await doctor()).toMatch(
    /^Reads on the replica \S+ would fail, so they use the primary: its user may not read /,
  );

  await pool.query('grant select on all tables in schema public to reader');
  await expect.poll(() => state().problem, { timeout: 20_000 }).toBeUndefined();
  expect(await doctor()).toMatch(/^Reads use the replica /);

  // As after an upgrade that adds a table.
  await pool.query('create table added_later ()');
  try {
    await expect.poll(() => state().reason, { timeout: 20_000 }).toBe('its user may not read added_later');
  } finally {
    await pool.query('drop table added_later');
  }
}, 60_000);

test('the log and doctor say why a replica cannot be reached, without its password', async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const url = new URL(replication.replica.url);
  url.password = 'not-the-password';
  const replicaUrls = [url.href, 'postgres://roster:hidden@127.0.0.1:9/roster'];
  await using other = await createTestContext({
    log,
    config: { databaseUrl: replication.url, layout: 'single', replicaUrls },
  });
  const said = () => lines.filter((line) => line.includes('instead of the replica')).map((line) => JSON.parse(line));
  await expect.poll(() => said().length, { timeout: 20_000 }).toBe(2);
  const reasons = [
    `password authentication failed for user "${url.username}"`,
    expect.stringContaining('connect ECONNREFUSED 127.0.0.1:9'),
  ];
  expect(said().sort((one, two) => two.replica.length - one.replica.length)).toMatchObject(
    reasons.map((reason) => ({ problem: 'unreachable', reason })),
  );
  const primary = new pg.Client({ connectionString: replication.url });
  await primary.connect();
  try {
    const findings = await checkReplicas(primary, { ...other.config, replicaUrls });
    expect(findings[0]!.message).toContain('so reads use the primary: password authentication failed for user');
    expect(findings[1]!.message).toContain('so reads use the primary: connect ECONNREFUSED');
    expect(JSON.stringify(findings) + lines.join('')).not.toMatch(/not-the-password|hidden/);
  } finally {
    await primary.end();
  }
});

test('doctor checks the replicas', async () => {
  const primary = new pg.Client({ connectionString: replication.url });
  await primary.connect();
  try {
    const findings = await checkReplicas(primary, {
      ...service.context.config,
      replicaUrls: [replication.replica.url, replication.url],
    });
    expect(findings.map(({ severity, message }) => [severity, message.replaceAll(/127.0.0.1:\d+/g, 'SERVER')])).toEqual(
      [
        ['ok', 'Reads use the replica SERVER. It has replayed the newest change.'],
        ['warning', 'The replica SERVER can cancel long exports, which then begin again on the primary.'],
        ['fault', 'The server SERVER in ROSTER_REPLICA_URL is not a replica, so reads use the primary.'],
      ],
    );
  } finally {
    await primary.end();
  }
});
