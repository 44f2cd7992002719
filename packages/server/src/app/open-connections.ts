import type { Config } from '#platform/config/config.ts';
import { poolSizes, type ConnectionsRole } from '#platform/config/connections.ts';
import { searchTimeout, type Context } from '#platform/context.ts';
import { createDatabaseWatch } from '#platform/database/connection/database-watch.ts';
import {
  closeDatabase,
  openDatabase,
  openPool,
  shortIdleTimeout,
  type PoolOptions,
} from '#platform/database/connection/database.ts';
import { oneServer, type AccountServer, type AccountServers } from '#platform/database/layout/account-servers.ts';
import {
  clusterSettings,
  openClusterServers,
  shardWriterSettings,
} from '#platform/database/layout/cluster/cluster-servers.ts';
import { watchNodes } from '#platform/database/layout/cluster/node-watch.ts';
import {
  openReadReplicas,
  type ReadReplicas,
  type ReadReplicasOptions,
} from '#platform/database/replicas/read-replicas.ts';
import { openReplica } from '#platform/database/replicas/replica.ts';

// Milliseconds. An API process must return an error if PostgreSQL hangs or another session holds a
// lock. A worker can wait.
const apiLimits = { lockTimeout: 10_000, silenceLimit: 15_000 };
const apiSearchLimits = { ...apiLimits, silenceLimit: searchTimeout + 2000 };

// The pipeline looks up thousands of rows by key in one statement. The planner expects a disk read
// for each and prefers to scan whole accounts of up to 200,000 contacts. The pages are in memory,
// so index look-ups are faster.
const workerSettings = { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off' };

// Connections of the jobs of a worker to each replica: two exports run at a time.
const jobReads = 4;

/** The connections of a process. Disposing them closes all of them. */
export type Connections = AsyncDisposable &
  Pick<Context, 'databaseWatch' | 'db' | 'pool' | 'replicas' | 'searchDb' | 'searchPool' | 'searchServers' | 'servers'>;

/** What {@link openConnections} needs. */
export interface ConnectionsOptions extends Pick<Context, 'config' | 'log' | 'metrics'> {
  readonly role: ConnectionsRole;
}

/** Opens the connections of a process to the database, its replicas, and the nodes of a cluster. */
export function openConnections({ config, log, metrics, role }: ConnectionsOptions): Connections {
  const url = config.databaseUrl;
  if (url === undefined) throw new Error('the connections need config.databaseUrl');
  const sizes = poolSizes(config, role);
  const isApi = role === 'api';
  const watch = createDatabaseWatch();
  const idle = role === 'worker' || role === 'jobs' ? { idleTimeout: shortIdleTimeout } : {};
  const name = `roster ${role}`;
  const mainOptions: PoolOptions = {
    url,
    watch,
    name,
    size: sizes.main,
    log,
    ...(isApi ? apiLimits : {}),
    ...idle,
    settings: settingsOf(config, role),
  };
  const searchOptions: PoolOptions = {
    url,
    watch,
    name: `${name} search`,
    size: sizes.search,
    statementTimeout: searchTimeout,
    log,
    ...(isApi ? apiSearchLimits : {}),
    ...idle,
    settings: settingsOf(config, 'searches'),
  };
  const pool = openPool(mainOptions);
  const searchPool = openPool(searchOptions);
  metrics.watchPool({ user: role, pool: 'main' }, pool);
  metrics.watchPool({ user: role, pool: 'search' }, searchPool);
  const replicas = openReplicas({ config, log, metrics, role }, sizes.search, {
    primary: searchPool,
    probePrimary: pool,
  });
  const nodes = watchNodes({ log, metrics });
  const serversOn = (main: Omit<AccountServer, 'isDown'>, options: PoolOptions): AccountServers =>
    config.layout === 'single'
      ? oneServer(main)
      : openClusterServers({
          coordinator: pool,
          url,
          openPool: (nodeUrl) => openPool({ ...options, url: nodeUrl }),
          watch: nodes,
        });
  const db = openDatabase(pool);
  const searchDb = openDatabase(searchPool);
  const servers = serversOn({ pool, db, name: 'database', url }, mainOptions);
  const searchServers = serversOn({ pool: searchPool, db: searchDb, name: 'database', url }, searchOptions);
  return {
    pool,
    db,
    searchPool,
    searchDb,
    servers,
    searchServers,
    replicas,
    databaseWatch: watch,
    async [Symbol.asyncDispose]() {
      for (const part of [replicas, searchServers, servers, nodes]) await part[Symbol.asyncDispose]();
      await Promise.all([closeDatabase({ db, pool }), closeDatabase({ db: searchDb, pool: searchPool })]);
    },
  };
}

/** Opens the connections to the replicas. The API has `searches` connections to each. */
function openReplicas(
  { config, log, metrics, role }: ConnectionsOptions,
  searches: number,
  primary: Pick<ReadReplicasOptions, 'primary' | 'probePrimary'>,
): ReadReplicas {
  // A worker that applies requests reads nothing that may be old.
  const urls = role === 'api' || role === 'jobs' ? config.replicaUrls : [];
  // Exports may take longer than searches.
  const limits =
    role === 'api' ? { size: searches, statementTimeout: searchTimeout, ...apiSearchLimits } : { size: jobReads };
  const opened = urls.map((url) => openReplica({ url, name: `roster ${role} replica`, log, ...limits }));
  const replicas = openReadReplicas({ replicas: opened, ...primary, log, metrics });
  for (const { pool } of replicas.all) metrics.watchPool({ user: role, pool: 'replica' }, pool);
  return replicas;
}

/** Returns the server settings of connections, which `user` uses. */
function settingsOf({ layout }: Pick<Config, 'layout'>, user: ConnectionsRole | 'searches'): Record<string, string> {
  const isCluster = layout === 'citus';
  return {
    ...(isCluster ? clusterSettings : {}),
    ...(user === 'worker' ? workerSettings : {}),
    ...(isCluster && user === 'worker' ? shardWriterSettings : {}),
  };
}
