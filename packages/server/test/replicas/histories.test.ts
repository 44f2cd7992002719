import pg from 'pg';
import { expect, test } from 'vitest';
import { checkReplicas } from '#app/cli/doctor/servers/replicas.ts';
import { provePrimary, readPoint } from '#platform/database/replicas/primary-state.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';
import { startReplication, type StreamingReplica } from './streaming-replica.ts';

// A cluster has no read replicas. The servers of this file are not a cluster.
const startService = (databaseUrl: string, replica: StreamingReplica): Promise<TestService> =>
  startTestService({ config: { databaseUrl, layout: 'single', replicaUrls: [replica.url] } });

const person = (name: string) => ({
  data: { contact_type: 'identified', contacts: [{ identity: `${name}@example.com` }] },
});

async function countOf(account: TestAccount, name: string): Promise<unknown> {
  const { status, body } = await account.v5('/contact/search', {
    filtering_criteria: [
      { condition_details: [{ field: 'identity', operation: 'equals', value: `${name}@example.com` }] },
    ],
    output: { fields: ['identity'], get_count: true },
  });
  return status === 200 ? body.count : status;
}

const problemOf = ({ context }: TestService): string | undefined => context.replicas.all[0]!.state.problem;

async function servedBy({ context }: TestService): Promise<number> {
  const { values } = await context.metrics.replicaReads.get();
  return values.find(({ labels }) => labels.outcome === 'served')?.value ?? 0;
}

/** Writes some MiB of WAL. */
const fill = (url: string): Promise<void> =>
  withClient(url, async (client) => {
    await client.query('create table filler as select n, md5(n::text) from generate_series(1, 100000) n');
  });

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const positionOf = async (replica: StreamingReplica): Promise<number> =>
  Number((await replica.sql(`select pg_last_wal_replay_lsn() - '0/0' as position`))[0]!['position']);

test('after a failover, reads do not use a replica that was ahead of the promoted one', async () => {
  await using replication = await startReplication();
  const promoted = replication.replica;
  const ahead = await replication.startReplica(replication.url);
  let apiKey: string;
  {
    await using service = await startService(replication.url, ahead);
    ({ apiKey } = service.first);
    await service.first.apply('/contact/create', person('everywhere'));
    await expect.poll(() => problemOf(service), { timeout: 30_000 }).toBeUndefined();
    const end = Number((await service.context.pool.query(`select pg_current_wal_lsn() - '0/0' as end`)).rows[0].end);
    await expect.poll(() => positionOf(promoted), { timeout: 30_000 }).toBeGreaterThanOrEqual(end);
    await promoted.signal('SIGKILL');
    await service.first.apply('/contact/create', person('lost'));
    await fill(replication.url);
    expect(await countOf(service.first, 'lost')).toBe(1);
    await expect.poll(() => problemOf(service), { timeout: 30_000 }).toBeUndefined();
  }
  await replication.stopPrimary();
  await promoted.start();
  await promoted.sql('select pg_promote()');

  // The promoted server has marks of the former primary. They prove nothing about its own history.
  await using pool = Object.assign(new pg.Pool({ connectionString: promoted.url, max: 1 }), {
    [Symbol.asyncDispose]: () => pool.end(),
  });
  expect((await pool.query('select marks from history_marks')).rows[0].marks.length).toBeGreaterThan(0);
  expect(await readPoint(pool)).toBeUndefined();
  expect((await provePrimary(pool)).point).toBeDefined();

  await using service = await startService(promoted.url, ahead);
  const account = service.account(1, apiKey);
  await expect.poll(() => problemOf(service), { timeout: 30_000 }).toBe('of another history');
  for (let n = 0; n < 10; n++) {
    await account.apply('/contact/create', person(`after-${n}`));
    expect(await countOf(account, `after-${n}`)).toBe(1);
  }
  expect([await countOf(account, 'everywhere'), await countOf(account, 'lost')]).toEqual([1, 0]);

  // The primary overtakes the replica, which then could look as if it were only behind.
  await fill(promoted.url);
  await fillUntil(promoted, await positionOf(ahead));
  const findings = await withClient(promoted.url, (client) => checkReplicas(client, service.context.config));
  expect(findings[0]!.severity).not.toBe('ok');
  await service.context.replicas.all[0]!.probe(await provePrimary(pool));
  expect(problemOf(service)).toBe('of another history');
  expect(await countOf(account, 'lost')).toBe(0);
  expect(await servedBy(service)).toBe(0);
}, 180_000);

async function fillUntil(server: StreamingReplica, position: number): Promise<void> {
  await expect
    .poll(
      async () => {
        await server.sql('insert into filler select * from filler limit 50000');
        return Number((await server.sql(`select pg_current_wal_lsn() - '0/0' as position`))[0]!['position']);
      },
      { timeout: 60_000 },
    )
    .toBeGreaterThan(position);
}

test('reads do not use a replica that follows another server than the primary', async () => {
  await using replication = await startReplication();
  const between = replication.replica;
  const cascaded = await replication.startReplica(between.url);
  await using service = await startService(replication.url, cascaded);
  await service.first.apply('/contact/create', person('before'));
  await expect.poll(() => problemOf(service), { timeout: 30_000 }).toBeUndefined();
  await expect
    .poll(async () => [await countOf(service.first, 'before'), (await servedBy(service)) > 0], { timeout: 30_000 })
    .toEqual([1, true]);

  await between.sql('select pg_promote()');
  await fill(between.url);
  await expect
    .poll(() => cascaded.sql(`select to_regclass('filler') is not null as found`), { timeout: 30_000 })
    .toEqual([{ found: true }]);
  await expect.poll(() => problemOf(service), { timeout: 30_000 }).toBe('of another history');
  const served = await servedBy(service);
  for (let n = 0; n < 10; n++) {
    await service.first.apply('/contact/create', person(`after-${n}`));
    expect(await countOf(service.first, `after-${n}`)).toBe(1);
  }
  expect(await servedBy(service)).toBe(served);
  const findings = await withClient(replication.url, (client) => checkReplicas(client, service.context.config));
  expect(findings).toMatchObject([
    { severity: 'fault', message: expect.stringMatching(/^The replica \S+ has other changes than the server in/) },
  ]);
}, 180_000);
