import { randomUUID } from 'node:crypto';
import pg from 'pg';
import pino from 'pino';
import { expect, inject, test } from 'vitest';
import { checkCluster } from '#app/cli/doctor/servers/cluster.ts';
import type { Context } from '#platform/context.ts';
import { watchCluster } from '#app/worker/watch-cluster.ts';
import { keepShardStatistics } from '#platform/database/layout/shard-statistics.ts';
import { distributeTables } from '#platform/database/layout/distribute.ts';
import { commitInTwoPhases } from '#platform/database/layout/needs-coordinator.ts';
import { readClusterState } from '#platform/database/layout/cluster/cluster-state.ts';
import { lockSharedRows } from '#pipeline/queue/lane.ts';
import { migrateToLatest } from '#platform/database/schema/migrate.ts';
import { isCluster, testShards } from '../support/cluster.ts';
import { testAdminToken } from '../support/context.ts';
import { createEmptyDatabase } from '../support/database.ts';
import { startTestService, type TestAccount, type TestService } from '../support/service.ts';
import { expectExactCounts } from '../statistics/support.ts';

// These tests run only on a cluster: `ROSTER_TEST_LAYOUT=citus`.
const onCluster = test.runIf(isCluster);

async function run<Row extends pg.QueryResultRow>(
  url: string,
  statement: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement, [...values])).rows;
  } finally {
    await client.end();
  }
}

async function distribute(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await distributeTables(client, testShards);
  } finally {
    await client.end();
  }
}

const identified = (identities: readonly string[], contact: object = {}) => ({
  data: { contact_type: 'identified', contacts: identities.map((identity) => ({ identity, ...contact })) },
});

/** The number of contacts, activities and audiences of each account, on all nodes. */
async function contents(url: string): Promise<Record<string, ReadonlyMap<number, number>>> {
  const counts: Record<string, ReadonlyMap<number, number>> = {};
  for (const table of ['contacts', 'activities', 'audiences', 'request_results', 'account_numbers']) {
    const rows = await run<{ account_id: number; count: number }>(
      url,
      `select account_id, count(*)::int as count from ${table} group by account_id order by account_id`,
    );
    counts[table] = new Map(rows.map(({ account_id: accountId, count }) => [accountId, count]));
  }
  return counts;
}

/** The distributed tables whose rows are also on the coordinator, where no statement sees them. */
async function leftOnCoordinator(url: string): Promise<unknown[]> {
  return run(
    url,
    `select logicalrelid::regclass::text as name from pg_dist_partition
     where (partmethod = 'h' or repmodel = 't') and pg_relation_size(logicalrelid) > 0`,
  );
}

/** The contacts of an account, counted by a search. */
async function counted(account: TestAccount): Promise<number> {
  const answer = await account.v5('/contact/search', { get_count: true, output: { pagination: { limit: 1 } } });
  expect(answer.status).toBe(200);
  return answer.body.count;
}

onCluster('an installation with data is distributed, and nothing changes when it is distributed again', async () => {
  await using database = await createEmptyDatabase();
  const { url } = database;
  await migrateToLatest(url, pino({ level: 'silent' }));
  const known: { accountId: number; apiKey: string }[] = [];
  {
    const config = { databaseUrl: url, layout: 'single' };
    await using service = await startTestService({ config });
    for (let n = 0; n < 8; n++) {
      const account = n === 0 ? service.first : await service.createAccount({ name: `Account ${n}` });
      known.push(account);
      await account.operator('POST', '/lists', { name: 'List' });
      await account.apply('/contact/create', identified([`a${n}@example.com`, `b${n}@example.com`]));
      const activity = { identity: `a${n}@example.com`, channel: 'email', activity: 'sent' };
      const data = [{ ...activity, occurred_at: new Date().toISOString() }];
      expect((await account.operator('POST', '/activities', { data })).status).toBe(200);
    }
    await service.settled();
  }
  {
    const config = { databaseUrl: url, layout: 'single' };
    await using service = await startTestService({ config, worker: false });
    // These requests wait in the queue while the tables are distributed.
    for (const { accountId, apiKey } of known) {
      const answer = await service.account(accountId, apiKey).v5('/contact/create', identified(['later@example.com']));
      expect(answer.status).toBe(200);
    }
  }
  const before = await contents(url);
  expect([...before['contacts']!.values()]).toEqual(known.map(() => 2));
  await distribute(url);
  expect(await contents(url)).toEqual(before);
  expect(await leftOnCoordinator(url)).toEqual([]);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const state = await readClusterState(client);
  expect(state.missing).toEqual([]);
  expect(state.nodes.map(({ shards }) => shards)).toEqual([2, 2, 2]);
  expect(state.nodes.reduce((sum, { accounts }) => sum + accounts, 0)).toBe(known.length);
  await distribute(url);
  expect(await readClusterState(client)).toEqual(state);
  await client.end();
  expect(await contents(url)).toEqual(before);

  await using service = await startTestService({ config: { databaseUrl: url } });
  await service.settled();
  for (const [n, { accountId, apiKey }] of known.entries()) {
    const account = service.account(accountId, apiKey);
    expect(await counted(account)).toBe(3);
    const { counts } = await account.apply('/contact/create', identified([`a${n}@example.com`, 'new@example.com']));
    expect(counts).toMatchObject({ created: 1 });
  }
});

onCluster(
  'several processes can distribute the tables at the same time',
  async () => {
    await using database = await createEmptyDatabase();
    await migrateToLatest(database.url, pino({ level: 'silent' }));
    await Promise.all([1, 2, 3].map(async () => distribute(database.url)));
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    expect((await readClusterState(client)).missing).toEqual([]);
    await client.end();
  },
  120_000,
);

onCluster('each shard of contacts gets the statistics of a new table once, and stays as it is', async () => {
  await using service = await startTestService();
  const { servers } = service.context;
  await service.first.createContacts([{ identity: 'one@example.com' }]);
  const read = async () => {
    const shards = await servers.shards();
    return Promise.all(
      shards.map(async (shard) => {
        const { contacts } = await shard.tables(['contacts']);
        const { rows } = await shard.server.pool.query(
          `select stadistinct, s.xmin, (select count(*) from ${contacts}) as contacts
           from pg_statistic s where starelid = $1::regclass and staattnum = 1`,
          [contacts],
        );
        return rows[0];
      }),
    );
  };
  await Promise.all([keepShardStatistics(service.context), keepShardStatistics(service.context)]);
  const first = await read();
  expect(first.map(({ stadistinct }) => stadistinct)).toEqual(first.map(() => 1));
  expect(first.map(({ contacts }) => Number(contacts)).filter((count) => count > 0)).toEqual([1]);
  await keepShardStatistics(service.context);
  expect(await read()).toEqual(first);
});

onCluster('the doctor and the metrics show the nodes, and what is wrong with them', async () => {
  await using service = await startTestService({ worker: false });
  const { context } = service;
  const { config } = context;
  await service.createAccount();
  const client = new pg.Client({ connectionString: config.databaseUrl });
  await client.connect();
  try {
    const nodes = inject('servers')
      .slice(1)
      .map((server) => new URL(server).host);
    const found = await checkCluster(client, config);
    expect(found.map(({ severity }) => severity)).toEqual(['ok', 'ok', 'ok']);
    for (const [at, { message }] of found.entries()) {
      expect(message).toMatch(new RegExp(`^The node ${nodes[at]} responds. It has 2 shards and \\d accounts?.$`));
    }
    await watchCluster(context);
    const metrics = await metricsOf(context, 'roster_cluster_node_up', nodes.length);
    for (const node of nodes) {
      expect(metrics).toContain(`roster_cluster_node_up{node="${node}"} 1`);
      expect(metrics).toContain(`roster_cluster_node_shards{node="${node}"} 2`);
    }
    expect(metrics).toContain('roster_cluster_tables_not_distributed 0');

    expect(await checkCluster(client, { ...config, layout: 'single' })).toMatchObject([{ severity: 'fault' }]);
    await client.query(`select undistribute_table('forgotten')`);
    // No server listens on this port.
    await client.query('update pg_dist_node set nodeport = 1 where nodeport = $1', [
      new URL(`http://${nodes[2]}`).port,
    ]);
    const faults = (await checkCluster(client, config)).filter(({ severity }) => severity === 'fault');
    expect(faults).toMatchObject([
      { message: expect.stringMatching(/^The node 127.0.0.1:1 with 2 shards and \d accounts? does not respond: /) },
      { message: 'These tables are not distributed over the nodes: forgotten.' },
    ]);
    context.servers.forget();
    await watchCluster(context);
    const worse = await metricsOf(context, 'roster_cluster_node_up{node="127.0.0.1:1"}', 1);
    expect(worse).toContain('roster_cluster_node_up{node="127.0.0.1:1"} 0');
    expect(worse).toContain(`roster_cluster_node_up{node="${nodes[0]}"} 1`);
    expect(worse).toContain('roster_cluster_tables_not_distributed 1');
  } finally {
    await client.end();
  }
});

/** Returns the metrics when there are so many with a name. A process probes the nodes that it uses. */
async function metricsOf({ metrics, servers }: Context, name: string, count: number): Promise<string> {
  await servers.shards();
  let text = '';
  await expect
    .poll(async () => (text = await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith(name)))
    .toHaveLength(count);
  return text;
}

/** What the writers have sent to an account, and what was accepted. */
interface Sent {
  readonly account: TestAccount;
  /** All contacts join this list. */
  readonly listId: number;
  contacts: number;
  activities: number;
  requests: number;
  repeated: number;
}

/** Sends contacts and activities until `isOver`. A request that fails is repeated with its key. */
async function write(service: TestService, sent: Sent, isOver: () => boolean): Promise<void> {
  const { account } = sent;
  const joining = { audience_details: [{ audience_id: sent.listId, action: 'add' }] };
  const post = async (url: string, headers: Record<string, string>, body: unknown): Promise<void> => {
    const key = { 'idempotency-key': randomUUID() };
    for (;;) {
      const { status } = await service.call('POST', url, { body, headers: { ...headers, ...key } });
      if (status === 200) break;
      // The service may be busy while a shard moves. It must never refuse a correct request.
      expect(status).toBe(503);
      sent.repeated++;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    sent.requests++;
  };
  while (!isOver()) {
    const identities = Array.from({ length: 5 }, (_, n) => `c${sent.contacts + n}@example.com`);
    await post('/v5/contact/create', { 'api-key': account.apiKey }, identified(identities, joining));
    sent.contacts += identities.length;
    const changed = Array.from({ length: 20 }, (_, n) => ({
      identity: `c${(7 * n) % sent.contacts}@example.com`,
      attributes: { FIRST_NAME: `Name ${sent.requests}` },
    }));
    await post('/v5/contact/update', { 'api-key': account.apiKey }, { data: { contacts: changed } });
    const at = new Date(Date.now() - sent.activities).toISOString();
    const data = [{ identity: identities[0], channel: 'email', activity: 'sent', occurred_at: at }];
    const authorization = `Bearer ${testAdminToken}`;
    await post(`/admin/v1/accounts/${account.accountId}/activities`, { authorization }, { data });
    sent.activities++;
  }
}

onCluster(
  'a node is added and shards move while contacts are written, and nothing is lost or doubled',
  async () => {
    await using service = await startTestService();
    const url = service.context.config.databaseUrl!;
    const ask = <Row extends pg.QueryResultRow>(statement: string, values?: readonly unknown[]) =>
      run<Row>(url, statement, values);
    // Citus gives up when it cannot have its lock at once, such as next to its own cleanup of moved shards.
    const askAgain = async (statement: string, values: readonly unknown[]): Promise<void> => {
      const ended = async () =>
        ask(statement, values).then(
          () => 'done',
          (error: unknown) => {
            if (!/could not acquire the lock/.test(String(error))) throw error;
            return 'busy';
          },
        );
      await expect.poll(ended, { timeout: 60_000, interval: 200 }).toBe('done');
    };
    const [, , , last] = inject('servers').map((server) => new URL(server));
    const added = [last!.hostname, Number(last!.port)];
    await ask(`select citus_drain_node($1, $2, 'block_writes')`, added);
    await ask('select citus_remove_node($1, $2)', added);

    const sent: Sent[] = [];
    for (let n = 0; n < 6; n++) {
      // Some have parallel lanes: their requests end when the last part has ended.
      const settings = { buckets: n % 2 === 0 ? 16 : 1 };
      const account = n === 0 ? service.first : await service.createAccount({ name: `Account ${n}` });
      expect((await account.operator('PATCH', '', { settings })).status).toBe(200);
      const listId: number = (await account.operator('POST', '/lists', { name: 'All' })).body.audience_id;
      sent.push({ account, listId, contacts: 0, activities: 0, requests: 0, repeated: 0 });
    }
    let isOver = false;
    const writers = sent.map((one) => write(service, one, () => isOver));
    try {
      await ask('select citus_add_node($1, $2)', added);
      await askAgain(`select rebalance_table_shards('contacts', shard_transfer_mode => 'block_writes')`, []);
      // Each account moves to another node, and back.
      for (const { account } of sent.slice(0, 3)) {
        const places = await ask<{ shard: string; host: string; port: number; to_host: string; to_port: number }>(
          `select p.shardid as shard, n.nodename as host, n.nodeport as port, other.nodename as to_host, other.nodeport as to_port
         from pg_dist_placement p join pg_dist_node n using (groupid)
         join pg_dist_node other on other.groupid > 0 and other.groupid <> n.groupid and other.noderole = 'primary'
         where p.shardid = get_shard_id_for_distribution_column('contacts', $1::int) limit 1`,
          [account.accountId],
        );
        const { shard, host, port, to_host, to_port } = places[0]!;
        const move = `select citus_move_shard_placement($1::bigint, $2, $3, $4, $5, 'block_writes')`;
        await askAgain(move, [shard, host, port, to_host, to_port]);
        await askAgain(move, [shard, to_host, to_port, host, port]);
      }
      // An account gets a shard of its own.
      const isolate = `select isolate_tenant_to_new_shard('contacts', $1::int, 'CASCADE', shard_transfer_mode => 'block_writes')`;
      await askAgain(isolate, [sent[5]!.account.accountId]);
    } finally {
      isOver = true;
      await Promise.all(writers);
    }
    await service.settled();

    const nodes = await ask<{ nodes: number }>(
      `select count(distinct groupid)::int as nodes from pg_dist_placement join pg_dist_shard using (shardid)
     where logicalrelid = 'contacts'::regclass`,
    );
    expect(nodes).toEqual([{ nodes: 3 }]);
    const stored = await contents(url);
    for (const { account, listId, contacts, activities, requests } of sent) {
      expect(contacts).toBeGreaterThan(0);
      await expectExactCounts(service, account);
      const members = await ask<{ total: number; by_day: number }>(
        `select member_count::int as total, (select sum(joined - departed)::int from list_days d
           where d.account_id = $1 and d.audience_id = a.audience_id) as by_day
         from audiences a where account_id = $1 and audience_id = $2`,
        [account.accountId, listId],
      );
      expect(members).toEqual([{ total: contacts, by_day: contacts }]);
      expect(await counted(account)).toBe(contacts);
      expect(stored['contacts']!.get(account.accountId)).toBe(contacts);
      expect(stored['activities']!.get(account.accountId)).toBe(activities);
      expect(stored['request_results']!.get(account.accountId)).toBe(requests);
      const results = await ask<{ created: number; failed: number }>(
        `select sum((counts ->> 'created')::int)::int as created, sum((counts ->> 'failed')::int)::int as failed
       from request_results where account_id = $1`,
        [account.accountId],
      );
      expect(results).toEqual([{ created: contacts + activities, failed: 0 }]);
    }
  },
  300_000,
);

onCluster('after a shard is split, batches write the tables of the new shards', async () => {
  await using service = await startTestService();
  const { servers, pool } = service.context;
  const hashes = async (accountIds: readonly number[]) => {
    const { rows } = await pool.query<{ id: number; shard: number }>(
      `select id, get_shard_id_for_distribution_column('contacts', id) as shard
       from unnest($1::int[]) as id order by worker_hash(id)`,
      [accountIds],
    );
    return rows;
  };
  const accounts = new Map([[service.first.accountId, service.first]]);
  const together = async () =>
    [...Map.groupBy(await hashes([...accounts.keys()]), ({ shard }) => shard).values()].find((own) => own.length > 1);
  while ((await together()) === undefined) {
    const account = await service.createAccount();
    accounts.set(account.accountId, account);
  }
  const [first, last] = (await together())!.map(({ id }) => accounts.get(id)!);
  for (const account of [first!, last!]) await account.apply('/contact/create', identified(['a@example.com']));
  const before = (await servers.shards()).map(({ id }) => id);
  // The first part begins with the same hash value as the shard that is split.
  const isolate = `select isolate_tenant_to_new_shard('contacts', $1::int, 'CASCADE', shard_transfer_mode => 'block_writes')`;
  await pool.query(isolate, [last!.accountId]);
  await expect.poll(async () => (await servers.shards()).map(({ id }) => id)).not.toEqual(before);
  for (const account of [first!, last!]) {
    await account.apply('/contact/create', identified(['b@example.com', 'c@example.com']));
    expect(await counted(account)).toBe(3);
    await expectExactCounts(service, account);
  }
});

onCluster('lanes that write through different servers wait for each other at the rows that all change', async () => {
  await using service = await startTestService({ worker: false });
  const { context } = service;
  const { accountId } = await service.createAccount();
  const node = await context.servers.of(accountId);
  // Once before the row of the lock exists, and once after.
  for (const pools of [
    [node.pool, context.pool],
    [context.pool, node.pool],
  ] as const) {
    const [first, second] = await Promise.all(pools.map(async (pool) => pool.connect()));
    try {
      for (const client of [first!, second!]) await client.query('begin');
      await lockSharedRows(first!, { accountId, numbers: [1] });
      let isLocked = false;
      const locked = lockSharedRows(second!, { accountId, numbers: [2] }).then(() => (isLocked = true));
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(isLocked).toBe(false);
      await first!.query('commit');
      await locked;
      await second!.query('commit');
    } finally {
      first!.release(true);
      second!.release(true);
    }
  }
});

onCluster('a transaction on the coordinator that also writes rows of one node can commit in two phases', async () => {
  await using service = await startTestService({ worker: false });
  const client = new pg.Client({ connectionString: service.context.config.databaseUrl! });
  const commands: string[] = [];
  client.on('notice', ({ message }) => commands.push(message ?? ''));
  await client.connect();
  try {
    await client.query('set client_min_messages = notice; set citus.log_remote_commands = on');
    for (const statements of [[], [commitInTwoPhases]]) {
      commands.length = 0;
      await client.query('begin');
      for (const statement of statements) await client.query(statement);
      await client.query('delete from mails where account_id = 0');
      await client.query(`insert into lane_terms (account_id, lane, term) values (1, ${10 + statements.length}, 1)`);
      await client.query('commit');
      expect(commands.some((command) => command.includes('PREPARE TRANSACTION'))).toBe(statements.length > 0);
    }
  } finally {
    await client.end();
  }
});
