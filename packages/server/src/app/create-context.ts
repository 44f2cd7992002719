import type pg from 'pg';
import type { Config } from '#platform/config/config.ts';
import { poolSizes } from '#platform/config/connections.ts';
import { searchTimeout, type Context } from '#platform/context.ts';
import { createDatabaseWatch } from '#platform/database/connection/database-watch.ts';
import {
  openDatabase,
  openPool,
  shortIdleTimeout,
  type Database,
  type PoolOptions,
} from '#platform/database/connection/database.ts';
import { oneServer, type AccountServer, type AccountServers } from '#platform/database/layout/account-servers.ts';
import { clusterSettings, openClusterServers, shardWriterSettings } from '#platform/database/layout/cluster-servers.ts';
import { watchNodes } from '#platform/database/layout/node-watch.ts';
import { openReadReplicas } from '#platform/database/replicas/read-replicas.ts';
import { openReplica } from '#platform/database/replicas/replica.ts';
import { showAccounts } from '#platform/database/statements/opaque-account.ts';
import { guardedFileStore } from '#platform/files/guarded-file-store.ts';
import { openFileStore } from '#platform/files/open-file-store.ts';
import { features as allFeatures } from './features.ts';
import { createIds } from '#platform/ids.ts';
import { createDatabaseTurns } from '#platform/load/database-turns.ts';
import { createLogger } from '#platform/observability/logger.ts';
import { createMetrics } from '#platform/observability/metrics.ts';

// Milliseconds. An API process must return an error if PostgreSQL hangs or another session holds a
// lock. A worker can wait.
const apiLimits = { lockTimeout: 10_000, silenceLimit: 15_000 };
const apiSearchLimits = { ...apiLimits, silenceLimit: searchTimeout + 2000 };

// Connections of the jobs of a worker to each replica: two exports run at a time.
const jobReads = 4;

/** The parts of a context that a caller can replace. */
export type ContextOverrides = Partial<
  Pick<Context, 'features' | 'log' | 'now' | 'newId' | 'exportFiles' | 'metrics' | 'resolveHost'>
>;

/**
 * The use of a context: serve requests, apply requests, run jobs, create the first account, or only
 * describe the interface.
 */
export type ContextRole = 'api' | 'worker' | 'jobs' | 'start' | 'describe';

// The pipeline looks up thousands of rows by key in one statement. The planner expects a disk read
// for each and prefers to scan whole accounts of up to 200,000 contacts. The pages are in memory,
// so index look-ups are faster.
const workerSettings = { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off' };

/**
 * Opens the context of a process. `config.databaseUrl` must be set, and the server must be running.
 * The jobs of a worker have a context with connections of their own.
 */
export function createContext(config: Config, role: ContextRole, overrides: ContextOverrides = {}): Context {
  const url = config.databaseUrl;
  if (url === undefined) throw new Error('createContext needs config.databaseUrl');
  const name = `roster ${role}`;
  const log = overrides.log ?? createLogger(config, name);
  const { main: size, search: searchSize } = poolSizes(config, role);
  const limits = role === 'api' ? apiLimits : {};
  const idle = role === 'worker' || role === 'jobs' ? { idleTimeout: shortIdleTimeout } : {};
  const searchLimits = role === 'api' ? apiSearchLimits : {};
  const databaseWatch = createDatabaseWatch();
  const layoutSettings = config.layout === 'citus' ? clusterSettings : {};
  const writerSettings = { ...workerSettings, ...(config.layout === 'citus' ? shardWriterSettings : {}) };
  const mainOptions: PoolOptions = {
    url,
    watch: databaseWatch,
    name,
    size,
    log,
    ...limits,
    ...idle,
    settings: { ...layoutSettings, ...(role === 'worker' ? writerSettings : {}) },
  };
  const searchOptions: PoolOptions = {
    url,
    watch: databaseWatch,
    name: `${name} search`,
    size: searchSize,
    statementTimeout: searchTimeout,
    ...searchLimits,
    ...idle,
    settings: layoutSettings,
    log,
  };
  const pool = openPool(mainOptions);
  const searchPool = openPool(searchOptions);
  const metrics = overrides.metrics ?? createMetrics();
  metrics.watchPool({ user: role, pool: 'main' }, pool);
  metrics.watchPool({ user: role, pool: 'search' }, searchPool);
  // A worker that applies requests reads nothing that may be old.
  const replicaUrls = role === 'api' || role === 'jobs' ? config.replicaUrls : [];
  const replicas = openReadReplicas({
    replicas: replicaUrls.map((replicaUrl) =>
      openReplica({
        url: replicaUrl,
        name: `${name} replica`,
        size: role === 'api' ? searchSize : jobReads,
        // Exports may take longer than searches.
        ...(role === 'api' ? { statementTimeout: searchTimeout } : {}),
        ...searchLimits,
        log,
      }),
    ),
    primary: searchPool,
    probePrimary: pool,
    log,
    metrics,
  });
  for (const replica of replicas.all) metrics.watchPool({ user: role, pool: 'replica' }, replica.pool);
  const db = openDatabase(pool);
  const searchDb = openDatabase(searchPool);
  showAccounts(config.layout === 'citus');
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
  const servers = serversOn({ pool, db, name: 'database', url }, mainOptions);
  const searchServers = serversOn({ pool: searchPool, db: searchDb, name: 'database', url }, searchOptions);
  const ownFiles = overrides.exportFiles === undefined ? openFileStore(config) : undefined;
  const features = overrides.features ?? allFeatures;
  const opened: Partial<Context>[] = [];
  const context = {
    config,
    features,
    log,
    now: overrides.now ?? (() => new Date()),
    newId: overrides.newId ?? createIds(),
    pool,
    db,
    searchPool,
    searchDb,
    servers,
    searchServers,
    replicas,
    databaseTurns: createDatabaseTurns(config),
    databaseWatch,
    exportFiles: guardedFileStore(overrides.exportFiles ?? ownFiles!),
    metrics,
    async [Symbol.asyncDispose]() {
      for (const parts of opened) for (const part of Object.values(parts)) await dispose(part);
      for (const part of [replicas, searchServers, servers, nodes]) await part[Symbol.asyncDispose]();
      await Promise.all([close(db, pool), close(searchDb, searchPool)]);
      // The caller disposes of a store that it passed in.
      await ownFiles?.[Symbol.asyncDispose]();
    },
  } as unknown as Context;
  for (const feature of features) {
    const parts = feature.openContext?.(context) ?? {};
    opened.push(parts);
    Object.assign(context, parts);
  }
  const { resolveHost } = overrides;
  return Object.assign(context, resolveHost === undefined ? {} : { resolveHost });
}

async function dispose(part: unknown): Promise<void> {
  if (typeof part !== 'object' || part === null || !(Symbol.asyncDispose in part)) return;
  await (part as AsyncDisposable)[Symbol.asyncDispose]();
}

/** Kysely closes the pool only if it has run a query. Otherwise the pool is closed here. */
async function close(db: Database, pool: pg.Pool): Promise<void> {
  await db.destroy();
  if (!pool.ending) await pool.end();
}
