import pg from 'pg';
import { inject, test } from 'vitest';
import { distributeTables } from '#platform/database/layout/distribute.ts';

/** True when the tests run on a cluster: `ROSTER_TEST_DATABASE_URL` is a database of its coordinator. */
export const isCluster = process.env['ROSTER_TEST_LAYOUT'] === 'citus';

/**
 * Returns `test`, or on a cluster a `test` that is skipped: for a test that needs all tables on one
 * server. `reason` says what it needs them for.
 */
export function onSingleServerOnly(reason: string): typeof test {
  if (reason === '') throw new Error('onSingleServerOnly needs a reason');
  return isCluster ? (test.skip as typeof test) : test;
}

/**
 * Runs a statement about sessions or locks on the server of a database, or on all servers of the
 * cluster, and returns the rows of all.
 */
export async function onEachServer<Row extends pg.QueryResultRow>(
  databaseUrl: string,
  statement: string,
): Promise<Row[]> {
  const name = new URL(databaseUrl).pathname.slice(1);
  const urls = isCluster ? inject('servers').map((server) => withDatabase(server, name)) : [databaseUrl];
  const results = await Promise.all(urls.map((url) => run<Row>(url, statement)));
  return results.flatMap(({ rows }) => rows);
}

/** True for a line of the log that says that a worker could not use the database. */
export function isServerFailure(line: string): boolean {
  return line.includes('a loop of the worker failed') || line.includes('a node of the cluster failed');
}

/** Shards of each table in databases of tests. Few, because each test file copies all of them. */
export const testShards = 6;

/** Returns the URLs of the servers that have the database: the coordinator first, then its nodes. */
export async function serversOf(url: string): Promise<string[]> {
  const { rows } = await run<{ name: string; port: number }>(
    url,
    `select nodename as name, nodeport as port from pg_dist_node where groupid > 0 and noderole = 'primary' order by nodeid`,
  );
  return [url, ...rows.map(({ name, port }) => onServer(url, name, port))];
}

/** Creates an empty database on all servers and makes them a cluster. */
export async function createClusterDatabase(coordinator: string, name: string): Promise<void> {
  const servers = await serversOf(coordinator);
  for (const server of servers) {
    await run(server, `drop database if exists ${name} with (force)`);
    await run(server, `create database ${name}`);
    await run(withDatabase(server, name), 'create extension citus');
  }
  const database = withDatabase(coordinator, name);
  const [first, ...nodes] = servers.map((server) => new URL(server));
  await run(database, `select citus_set_coordinator_host('${first!.hostname}', ${first!.port})`);
  for (const { hostname, port } of nodes) await run(database, `select citus_add_node('${hostname}', ${port})`);
}

/** Distributes the tables of the migrated template, and ends all connections to it. */
export async function distributeTemplate(template: string): Promise<void> {
  const client = new pg.Client({ connectionString: template });
  await client.connect();
  try {
    await distributeTables(client, testShards);
  } finally {
    await client.end();
  }
  const name = new URL(template).pathname.slice(1);
  for (const server of await serversOf(template)) {
    const admin = withDatabase(server, 'postgres');
    // The cluster keeps a connection to every database, which would forbid copies.
    await run(admin, `alter database ${name} allow_connections false`);
    await run(admin, `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`);
  }
}

/** Returns the URL of another database on the same server. */
export function withDatabase(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}

function onServer(url: string, hostname: string, port: number): string {
  const other = new URL(url);
  other.hostname = hostname;
  other.port = String(port);
  return other.href;
}

async function run<Row extends pg.QueryResultRow>(url: string, statement: string): Promise<pg.QueryResult<Row>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query<Row>(statement);
  } finally {
    await client.end();
  }
}
