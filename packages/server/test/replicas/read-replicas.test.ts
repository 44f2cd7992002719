import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkReplicas } from '#app/cli/doctor/servers/replicas.ts';
import { startExportService, type ExportService } from '../exports/export-service.ts';
import { createTestContext } from '../support/context.ts';
import type { TestService } from '../support/service.ts';
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
  for (let n = 0; n < 40; n++) {
    await service.first.apply('/contact/create', people(`seen-${n}`));
    const { body } = await service.first.v5('/contact/search', named(`seen-${n}`));
    expect(body).toMatchObject({ count: 1, data: [{ identity: `seen-${n}@example.com` }] });
  }
  const after = await reads();
  // Some may have been behind. Each read is counted once.
  expect(after.served).toBeGreaterThan(before.served + 20);
  expect(after.served + after.behind - before.served - before.behind).toBe(40);
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

test('a replica that is behind costs time, not answers', async () => {
  await replication.replica.sql('select pg_wal_replay_pause()');
  try {
    await service.first.apply('/contact/create', people('not-replayed'));
    const before = await reads();
    const { body } = await service.first.v5('/contact/search', named('not-replayed'));
    expect(body).toMatchObject({ count: 1 });
    expect((await reads()).behind).toBeGreaterThanOrEqual(before.behind);
    // Soon it is not asked any more.
    await expect.poll(problem, { timeout: 20_000 }).toBe('behind');
    const unused = await reads();
    expect((await service.first.v5('/contact/search', named('not-replayed'))).body).toMatchObject({ count: 1 });
    expect(await reads()).toEqual(unused);
    const lag = await service.context.metrics.replicaLag.get();
    expect(lag.values[0]!.value).toBeGreaterThan(1);
  } finally {
    await replication.replica.sql('select pg_wal_replay_resume()');
  }
  await isUsed();
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
        ['ok', expect.stringMatching(/^Reads use the replica SERVER; it is 0\.\d s behind\.$/)],
        ['warning', 'The replica SERVER can cancel long exports, which then begin again on the primary.'],
        ['fault', 'The server SERVER in ROSTER_REPLICA_URL is not a replica, so reads use the primary.'],
      ],
    );
  } finally {
    await primary.end();
  }
});
