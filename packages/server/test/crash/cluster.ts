import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import pg from 'pg';
import pino from 'pino';
import { distributeTables } from '#platform/database/layout/distribute.ts';
import { migrateToLatest } from '#platform/database/schema/migrate.ts';
import { createClusterDatabase, serversOf, withDatabase } from '../support/cluster.ts';
import type { DatabaseOfDeployment } from './shared-database.ts';
import { until } from './wait.ts';

const database = 'roster_crash';

/** What can be done to a server of the cluster. */
type Action = 'kill' | 'start' | 'pause' | 'resume';

/** A server of the cluster: the coordinator or a node. */
export interface ClusterServer {
  /** The URL of the database of the test on this server. */
  readonly url: string;
  readonly port: number;
}

/**
 * A database on the cluster of `ROSTER_TEST_DATABASE_URL`. The program `ROSTER_TEST_NODE_PROGRAM`
 * disturbs its servers: its arguments are an action and the port of a server.
 */
export class Cluster implements DatabaseOfDeployment {
  readonly url: string;
  readonly coordinator: ClusterServer;
  readonly nodes: readonly ClusterServer[];
  readonly #program: string;

  private constructor(program: string, urls: readonly string[]) {
    const [coordinator, ...nodes] = urls.map((url) => ({ url, port: Number(new URL(url).port) }));
    this.#program = program;
    this.coordinator = coordinator!;
    this.nodes = nodes;
    this.url = this.coordinator.url;
  }

  /** Creates the database on all servers, and distributes its tables. */
  static async prepare(): Promise<Cluster> {
    const url = process.env['ROSTER_TEST_DATABASE_URL'];
    const program = process.env['ROSTER_TEST_NODE_PROGRAM'];
    if (url === undefined || program === undefined) {
      throw new Error('Set ROSTER_TEST_DATABASE_URL and ROSTER_TEST_NODE_PROGRAM. See CONTRIBUTING.md.');
    }
    await createClusterDatabase(url, database);
    const coordinator = withDatabase(url, database);
    await migrateToLatest(coordinator, pino({ level: 'silent' }));
    await using client = await connect(coordinator);
    await distributeTables(client.client);
    return new Cluster(program, await serversOf(coordinator));
  }

  /** Finds the node of an account. */
  async nodeOf(accountId: number): Promise<ClusterServer> {
    await using connection = await connect(this.url);
    const { rows } = await connection.client.query<{ port: number }>(
      `select nodeport as port from pg_dist_placement p join pg_dist_node n using (groupid)
       where p.shardid = get_shard_id_for_distribution_column('contacts', $1::int)`,
      [accountId],
    );
    return this.nodes.find(({ port }) => port === rows[0]!.port)!;
  }

  /** Kills, starts, pauses or resumes a server. */
  async act(action: Action, { port }: ClusterServer): Promise<void> {
    await promisify(execFile)(this.#program, [action, String(port)]);
  }

  /** Waits until no server has a transaction that is prepared but not committed. */
  async settled(): Promise<void> {
    await until(
      'every server has finished its interrupted transactions',
      180_000,
      async () => {
        for (const { url } of [this.coordinator, ...this.nodes]) {
          await using connection = await connect(url);
          const { rowCount } = await connection.client.query('select 1 from pg_prepared_xacts');
          if (rowCount !== 0) return false;
        }
        return true;
      },
      250,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { url } of [this.coordinator, ...this.nodes]) {
      await using connection = await connect(withDatabase(url, 'postgres'));
      await connection.client.query(`drop database if exists ${database} with (force)`);
    }
  }
}

async function connect(url: string): Promise<AsyncDisposable & { readonly client: pg.Client }> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  return { client, [Symbol.asyncDispose]: async () => client.end() };
}
