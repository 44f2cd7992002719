/**
 * Measures the processor time of a contact on the servers of a Citus cluster: of the coordinator, and
 * of the nodes of the accounts. What a server uses without contacts is subtracted. The contacts go to
 * accounts on one node, then on two, and so on. With `--single`, the same contacts also go to a single
 * server, in turn.
 *
 * All servers must run on this machine, because the times come from `/proc`. The databases must be
 * empty, and the cluster distributed: `roster migrate --layout citus`.
 *
 * `npm run bench:cluster -- --url postgres://…/roster [--single postgres://…/roster] [--contacts 300000]`
 */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { describeCalibration, postgresCpu } from './cpu-time.ts';
import { bodiesOf, send } from './ingest-load.ts';
import { lists } from './people.ts';
import { shuffled, startBenchService, type BenchService } from './support.ts';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string' },
    single: { type: 'string' },
    contacts: { type: 'string', default: '300000' },
  },
});
if (options.url === undefined) throw new Error('Give the URL of the coordinator: --url postgres://…');
const contacts = Number(options.contacts);
/** Milliseconds in which the servers are measured without contacts. */
const idleTime = 15_000;
/** Accounts on each node. */
const perNode = 2;

/** The address of a server. */
interface Address {
  readonly host: string;
  readonly port: number;
}

/** A service with its database servers, and accounts on each node. */
interface System extends AsyncDisposable {
  readonly service: BenchService;
  readonly client: pg.Client;
  /** Process ids of the postmasters. That of the coordinator or the single server is the first. */
  readonly postmasters: readonly number[];
  /** Milliseconds of processor time that each of them uses in a second without contacts. */
  readonly idle: readonly number[];
  /** API keys of the accounts, by node or by group. */
  readonly keys: readonly (readonly string[])[];
}

await using cluster = await open(options.url, 'citus');
// With as many accounts as the cluster has.
const groups = cluster.keys.length;
await using single = options.single === undefined ? undefined : await open(options.single, 'single', groups);
for (let used = 1; used < cluster.postmasters.length; used++) {
  // Each number of nodes inserts contacts of its own, and then updates them.
  const people = shuffled(contacts).map((n) => n + used * contacts);
  for (const [version, pass] of ['insert', 'update'].entries()) {
    const bodies = bodiesOf(people, version);
    const [alone] = single === undefined ? [] : await measure(single, single.keys.slice(0, used).flat(), bodies);
    const [coordinator, ...nodes] = await measure(cluster, cluster.keys.slice(0, used).flat(), bodies);
    const onNodes = nodes.reduce((sum, one) => sum + one, 0);
    const floor =
      alone === undefined ? '' : `; single server ${alone.toFixed(1)}, nodes / single ${(onNodes / alone).toFixed(2)}`;
    console.log(
      `${used} of ${nodes.length} nodes, ${pass}: CPU µs for each contact: coordinator ${coordinator!.toFixed(1)}, ` +
        `nodes ${onNodes.toFixed(1)} (${nodes.map((one) => one.toFixed(1)).join(' + ')})${floor}`,
    );
  }
}
console.log(describeCalibration(bodiesOf(shuffled(contacts), 0)));

/**
 * Starts a service on a database, and creates accounts until each node has enough. On a single
 * server: until each of `groups` has enough.
 */
async function open(url: string, layout: 'citus' | 'single', groups?: number): Promise<System> {
  const service = await startBenchService({ DATABASE_URL: url, ROSTER_LAYOUT: layout });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const nodes = layout === 'single' ? [] : await nodesOf(client);
  const own = new URL(url);
  const addresses = [{ host: own.hostname, port: Number(own.port) }, ...nodes];
  const postmasters = await Promise.all(addresses.map((address) => postmasterOf(url, address)));
  const keys: string[][] = Array.from({ length: groups ?? nodes.length }, () => []);
  while (keys.some(({ length }) => length < perNode)) {
    const made = await service.admin('POST', '/accounts', { name: 'Benchmark' });
    const accountId = made['account_id'] as number;
    const place =
      layout === 'single' ? keys.findIndex(({ length }) => length < perNode) : await placeOf(client, accountId, nodes);
    if (keys[place]!.length === perNode) continue;
    await service.admin('PATCH', `/accounts/${accountId}`, { settings: { auto_create_attributes: true } });
    for (let n = 1; n <= lists; n++) await service.admin('POST', `/accounts/${accountId}/lists`, { name: `List ${n}` });
    keys[place]!.push(made['api_key'] as string);
  }
  const before = await cpuOf(postmasters);
  await sleep(idleTime);
  const after = await cpuOf(postmasters);
  const idle = after.map((one, at) => (one - before[at]!) / (idleTime / 1000));
  console.log(`${layout}: CPU ms a second without contacts: ${idle.map((one) => one.toFixed(1)).join(', ')}`);
  return {
    service,
    client,
    postmasters,
    idle,
    keys,
    async [Symbol.asyncDispose]() {
      await client.end();
      await service[Symbol.asyncDispose]();
    },
  };
}

async function nodesOf(client: pg.Client): Promise<Address[]> {
  const { rows } = await client.query<Address>(
    `select nodename as host, nodeport as port from pg_dist_node where shouldhaveshards order by nodeid`,
  );
  return rows;
}

/** Returns the index of the node of an account. */
async function placeOf(client: pg.Client, accountId: number, nodes: readonly Address[]): Promise<number> {
  const { rows } = await client.query<Address>(
    `select nodename as host, nodeport as port from pg_dist_placement join pg_dist_node using (groupid)
     where shardid = get_shard_id_for_distribution_column('contacts', $1::int)`,
    [accountId],
  );
  return nodes.findIndex(({ host, port }) => host === rows[0]!.host && port === rows[0]!.port);
}

/** Finds the postmaster of a server: the parent of the process of each connection. */
async function postmasterOf(url: string, { host, port }: Address): Promise<number> {
  const address = new URL(url);
  address.hostname = host;
  address.port = String(port);
  const client = new pg.Client({ connectionString: address.href });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const stat = await readFile(`/proc/${rows[0]!.pid}/stat`, 'utf8');
  await client.end();
  return Number(stat.replace(/^.*\) /s, '').split(' ')[1]);
}

/** Sends bodies to the accounts of keys in turn, and returns the µs of each server for each contact. */
async function measure(
  { service, client, postmasters, idle }: System,
  keys: readonly string[],
  bodies: readonly Buffer[],
): Promise<number[]> {
  const before = await cpuOf(postmasters);
  const started = performance.now();
  await send(service, bodies, keys);
  while ((await client.query('select from request_queue limit 1')).rowCount !== 0) await sleep(100);
  const seconds = (performance.now() - started) / 1000;
  const after = await cpuOf(postmasters);
  return after.map((one, at) => ((one - before[at]! - idle[at]! * seconds) * 1000) / contacts);
}

async function cpuOf(postmasters: readonly number[]): Promise<number[]> {
  return Promise.all(postmasters.map(postgresCpu));
}
