import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { jobSchema } from '#platform/database/schema/job-schema.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { lockLane } from '#pipeline/queue/lane.ts';
import type { AccountServers } from '#platform/database/layout/account-servers.ts';
import { startTestService, type Answer, type TestAccount, type TestService } from '../support/service.ts';
import { simulateCluster, type SimulatedCluster } from '../support/simulated-cluster.ts';
import { isCluster } from '../support/cluster.ts';

// On a cluster, the nodes belong to all test files.
const onOneServer = test.skipIf(isCluster);

let cluster: SimulatedCluster;
let service: TestService;
/** An account on the node that goes down in the tests, and one on the other node. */
let down: TestAccount;
let up: TestAccount;
let number = 0;

beforeAll(async () => {
  if (isCluster) return;
  cluster = await simulateCluster();
  service = await startTestService({ config: { databaseUrl: cluster.url, layout: 'citus' } });
  const accounts = [service.first, await service.createAccount()];
  up = accounts.find(({ accountId }) => accountId % 2 === 1)!;
  down = accounts.find(({ accountId }) => accountId % 2 === 0)!;
});
afterEach(async () => {
  if (isCluster) return;
  await cluster.nodes[0].restore();
  await expect.poll(() => service.context.servers.anyDown).toBe(false);
});
afterAll(async () => {
  if (isCluster) return;
  await service[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

const people = (name: string) => ({
  data: { contact_type: 'identified', contacts: [{ identity: `${name}@example.com` }] },
});
const create = (account: TestAccount, name = `person-${number++}`, headers?: Record<string, string>) =>
  account.v5('/contact/create', people(name), headers);
const named = (name: string) => ({
  filtering_criteria: [
    { condition_details: [{ field: 'identity', operation: 'equals', value: `${name}@example.com` }] },
  ],
  output: { fields: ['identity'], get_count: true },
});
const isNoticed = () => expect.poll(() => service.context.servers.anyDown).toBe(true);
const refusal = {
  status: 503,
  headers: { 'retry-after': '5' },
  body: { description: expect.stringContaining('server with the data of this account cannot be reached') },
};

/** Creates a contact and waits until a search finds it. */
async function isServed(account: TestAccount): Promise<void> {
  const name = `served-${number++}`;
  expect(await create(account, name)).toMatchObject({ status: 200 });
  await expect.poll(async () => (await account.v5('/contact/search', named(name))).body.count).toBe(1);
}

onOneServer('only accounts on a killed node get 503, and they continue when it is back', async () => {
  await isServed(down);
  await cluster.nodes[0].kill();
  await isNoticed();
  for (const path of ['/contact/create', '/contact/search', '/client/attribute/search']) {
    expect(await down.v5(path, path.endsWith('create') ? people('x') : {})).toMatchObject(refusal);
  }
  expect(await down.operator('GET', '/lists')).toMatchObject({ ...refusal, body: expect.anything() });
  await isServed(up);
  await cluster.nodes[0].restore();
  await expect.poll(async () => (await create(down)).status).toBe(200);
  await isServed(down);
});

onOneServer('a node without accounts is no longer probed, and is probed again when it has some', async () => {
  const { context } = service;
  const [node, other] = cluster.nodes.map(({ port }) => `127.0.0.1:${port}`);
  const isMeasured = async (name: string) =>
    (await context.metrics.registry.metrics()).includes(`roster_cluster_node_up{node="${name}"}`);
  const moveTo = async (group: string, known: readonly AccountServers[]) => {
    await sql.raw(`update pg_dist_placement set groupid = ${group}`).execute(context.db);
    for (const servers of known) {
      servers.forget();
      await servers.shards();
    }
  };
  await isServed(down);
  expect(await isMeasured(node!)).toBe(true);
  await cluster.nodes[0].kill();
  await isNoticed();
  // The searches do not notice that the node has no accounts.
  await moveTo('1', [context.servers]);
  expect((await create(down)).status).toBe(200);
  expect(context.servers.anyDown).toBe(false);
  await expect.poll(() => isMeasured(node!)).toBe(false);
  expect(await isMeasured(other!)).toBe(true);
  await moveTo('shardid', [context.servers]);
  await isNoticed();
  expect(await create(down)).toMatchObject(refusal);
  await moveTo('1', [context.servers]);
  await cluster.nodes[0].restore();
  await moveTo('shardid', [context.servers, context.searchServers]);
  await isServed(down);
  expect(await isMeasured(node!)).toBe(true);
});

onOneServer('v3 says that the server is not found while the node of the account is down', async () => {
  await cluster.nodes[0].kill();
  await isNoticed();
  const batch = { listid: 1, primarykey: 'email', notifyemail: 'a@example.com', callbackurl: '', data: [] };
  const call = (account: TestAccount): Promise<Answer> =>
    service.call('POST', '/v3/contact/batchadd', { body: batch, headers: { 'api-key': account.apiKey } });
  const answer = await call(down);
  expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining('server not found')]);
  expect(JSON.stringify((await call(up)).body)).not.toContain('server not found');
});

onOneServer('the service stays ready while one of two nodes is down, and the metrics show it', async () => {
  const ready = () => service.call('GET', '/readyz');
  await expect.poll(async () => (await ready()).body).toMatchObject({ nodes: { reachable: 2, unreachable: 0 } });
  const node = `node="127.0.0.1:${cluster.nodes[0].port}"`;
  const metrics = async () => (await service.call('GET', '/metrics')).body as string;
  expect(await metrics()).toContain(`roster_cluster_node_up{${node}} 1`);
  await cluster.nodes[0].kill();
  await isNoticed();
  await expect
    .poll(ready)
    .toMatchObject({ status: 200, body: { status: 'ok', nodes: { reachable: 1, unreachable: 1 } } });
  expect(await metrics()).toContain(`roster_cluster_node_up{${node}} 0`);
});

onOneServer('requests that wait when their node goes down are applied when it is back', async () => {
  const accepted: Answer[] = [];
  await using lane = await holdLane(down.accountId);
  for (let n = 0; n < 5; n++) accepted.push(await create(down));
  expect(accepted.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  await cluster.nodes[0].kill();
  await isNoticed();
  await lane.release();
  await isServed(up);
  await cluster.nodes[0].restore();
  for (const { body } of accepted) {
    await expect
      .poll(async () => (await down.operator('GET', `/requests/${body.request_id}`)).body.status)
      .toBe('done');
  }
});

onOneServer('callers of other accounts are not slowed down while a node hangs', async () => {
  for (const account of [down, up]) await isServed(account);
  const alone = await timesOf(up);
  cluster.nodes[0].pause();
  // More than all connections and all places that other accounts could need.
  const hanging = Array.from({ length: 40 }, async (_, n) => [
    await create(down, undefined, n % 2 === 0 ? undefined : { 'idempotency-key': `hangs-${n}` }),
    await down.v5('/contact/search', { output: { get_count: true } }),
  ]);
  const next = await timesOf(up);
  await isServed(up);
  // Every call of the other account waits at most for a moment, not for a time limit.
  expect(Math.max(...next)).toBeLessThan(Math.max(...alone) + 2000);
  const answers = (await Promise.all(hanging)).flat();
  // Those with 429 would have used more than the share of their account.
  expect(answers.filter(({ status }) => status !== 503 && status !== 429)).toEqual([]);
  await isNoticed();
  expect(await create(down)).toMatchObject(refusal);
});

/** Returns the milliseconds of calls of an account. */
async function timesOf(account: TestAccount): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < 30; n++) {
    const started = performance.now();
    const answer =
      n % 3 === 0
        ? await account.v5('/contact/search', { output: { get_count: true } })
        : await create(account, undefined, n % 3 === 1 ? undefined : { 'idempotency-key': `key-${number++}` });
    expect(answer.status).toBe(200);
    times.push(performance.now() - started);
  }
  return times;
}

/** Takes all lanes of an account, so that its requests wait. */
async function holdLane(accountId: number): Promise<AsyncDisposable & { release(): Promise<void> }> {
  const taken = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holding = service.context.db.transaction().execute(async (trx) => {
    await lockLane(trx, accountId);
    taken.resolve();
    await released.promise;
  });
  await Promise.race([taken.promise, holding]);
  const release = async (): Promise<void> => {
    released.resolve();
    await holding;
  };
  return { release, [Symbol.asyncDispose]: release };
}

onOneServer('a job of an account whose node is down runs when the node is back, and loses no attempt', async () => {
  const { db } = service.context;
  const attempts: number[] = [];
  await cluster.nodes[0].kill();
  await isNoticed();
  await using _jobs = service.startJobs({
    export: async (_context, _payload, { attempt }) => void attempts.push(attempt),
  });
  const payload = { account_id: down.accountId, request_id: '00000000-0000-0000-0000-000000000000' };
  await db.transaction().execute((trx) => addJob(trx, 'export', payload, { key: 'of-down-node' }));
  // It is tried, postponed and waits again.
  const postponed = () =>
    sql`
    select 1 from ${sql.id(jobSchema)}.jobs
    where key = 'export:of-down-node' and attempts = 0 and run_at > now() and last_error is not null`.execute(db);
  await expect.poll(async () => (await postponed()).rows.length).toBe(1);
  expect(attempts).toEqual([]);
  await cluster.nodes[0].restore();
  await expect.poll(() => attempts).toEqual([1]);
});

onOneServer(
  'a node on which transactions wait does not delay the accounts of other nodes',
  async () => {
    const waiting: TestAccount[] = [];
    while (waiting.length < 4) {
      const account = await service.createAccount();
      if (account.accountId % 2 === 0) waiting.push(account);
    }
    for (const account of waiting) await isServed(account);
    const ids = waiting.map(({ accountId }) => accountId);
    const held = await service.context.pool.connect();
    try {
      // As while a shard moves: its writers wait, and the node responds.
      await held.query('begin');
      await held.query('select from lane_terms where account_id = any ($1) for update', [ids]);
      for (const [at, account] of waiting.entries()) expect((await create(account, `waits-${at}`)).status).toBe(200);
      // Until the first wait ends, all loops may wait. Then at most one does.
      await isServedWithin(up, 5000);
      for (let n = 0; n < 8; n++) await isServedWithin(up, 1500);
    } finally {
      await held.query('rollback');
      held.release();
    }
    for (const [at, account] of waiting.entries()) {
      const found = async () => (await account.v5('/contact/search', named(`waits-${at}`))).body.count;
      await expect.poll(found, { timeout: 20_000 }).toBe(1);
    }
  },
  60_000,
);

async function isServedWithin(account: TestAccount, milliseconds: number): Promise<void> {
  const name = `served-${number++}`;
  expect(await create(account, name)).toMatchObject({ status: 200 });
  const found = async () => (await account.v5('/contact/search', named(name))).body.count;
  await expect.poll(found, { timeout: milliseconds, interval: 50 }).toBe(1);
}
