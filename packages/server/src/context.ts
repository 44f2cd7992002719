import type pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import { createMailer, type Mailer } from './mails/mailer.ts';
import { createLogger } from './observability/logger.ts';
import { createMetrics, type Metrics } from './observability/metrics.ts';
import { openDatabase, openPool, type Database } from './db/database.ts';
import { createDatabaseWatch, type DatabaseWatch } from './db/database-watch.ts';
import { createHostResolver, type HostResolver } from './delivery/resolve-host.ts';
import type { FileStore } from './exports/files/file-store.ts';
import { guardedFileStore } from './exports/files/guarded-file-store.ts';
import { openFileStore } from './exports/files/open-file-store.ts';
import { createSearchTurns, type SearchTurns } from './search/search-turns.ts';
import { createIds } from './ids.ts';

/** Milliseconds after which a search is cancelled (decisions §3). */
export const searchTimeout = 15_000;

// An API process must return an error while PostgreSQL is paused or another session holds a lock; a worker only has to wait.
const apiLimits = { lockTimeout: 10_000, silenceLimit: 15_000 };
const apiSearchLimits = { ...apiLimits, silenceLimit: searchTimeout + 2000 };

/**
 * What the parts of the service share: the composition root of a process.
 *
 * Time and identifiers come from here, so that tests can set them. Dispose it to close the connections.
 */
export interface Context extends AsyncDisposable {
  readonly config: Config;
  readonly log: Logger;
  /** The current time. */
  readonly now: () => Date;
  /** A new time-ordered UUID (version 7). */
  readonly newId: () => string;
  readonly pool: pg.Pool;
  /** The query builder on {@link pool}. */
  readonly db: Database;
  /** Connections for searches, with statements that end after {@link searchTimeout}. Whoever searches for a caller asks {@link searches}. */
  readonly searchPool: pg.Pool;
  /** The query builder on {@link searchPool}. */
  readonly searchDb: Database;
  /** Knows whether the database responds on any of the connections. */
  readonly databaseWatch: DatabaseWatch;
  /** The files of exports. */
  readonly exportFiles: FileStore;
  /** Hands the connections for searches to the accounts in turn. */
  readonly searches: SearchTurns;
  readonly metrics: Metrics;
  /** Sends mails; undefined when no mail server is configured. */
  readonly mailer: Mailer | undefined;
  /** Looks up the hosts that callbacks go to. */
  readonly resolveHost: HostResolver;
}

/** The parts of a context that a caller can replace. */
export type ContextOverrides = Partial<
  Pick<Context, 'log' | 'now' | 'newId' | 'exportFiles' | 'metrics' | 'resolveHost'>
>;

/** What a process does with its context: serves, applies, runs jobs, makes the first account, or only describes the interface. */
export type ContextRole = 'api' | 'worker' | 'jobs' | 'start' | 'describe';

// The statements of the pipeline look up some thousand rows by their keys. The planner takes each look-up for a read of the disk, and rather
// reads an account of up to some 200,000 contacts from end to end, although the pages are in memory.
const workerSettings = { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off' };

/**
 * Opens the context of a process. `config.databaseUrl` must be set; the embedded server is started before.
 *
 * An API process splits its connections between searches and everything else, so that neither can keep the other out. A worker needs three
 * for each lane (two write, one reads ahead) and some for its upkeep, whatever the setting says: with fewer, lanes would wait for each other.
 * Its jobs have as many connections again, in a context of their own.
 */
export function createContext(config: Config, role: ContextRole, overrides: ContextOverrides = {}): Context {
  const url = config.databaseUrl;
  if (url === undefined) throw new Error('createContext needs config.databaseUrl');
  const name = `roster ${role}`;
  const log = overrides.log ?? createLogger(config, name);
  const searchSize = role === 'worker' || role === 'jobs' ? 2 : Math.floor(config.databasePoolSize / 2);
  const leastSize = role === 'worker' ? 3 * config.workerLanes + 4 : 2;
  const size = Math.max(leastSize, config.databasePoolSize - searchSize);
  const limits = role === 'api' ? apiLimits : {};
  const searchLimits = role === 'api' ? apiSearchLimits : {};
  const databaseWatch = createDatabaseWatch();
  const pool = openPool({
    url,
    watch: databaseWatch,
    name,
    size,
    log,
    ...limits,
    ...(role === 'worker' ? { settings: workerSettings } : {}),
  });
  const searchPool = openPool({
    url,
    watch: databaseWatch,
    name: `${name} search`,
    size: searchSize,
    statementTimeout: searchTimeout,
    ...searchLimits,
    log,
  });
  const metrics = overrides.metrics ?? createMetrics();
  metrics.watchPool({ user: role, pool: 'main' }, pool);
  metrics.watchPool({ user: role, pool: 'search' }, searchPool);
  const db = openDatabase(pool);
  const searchDb = openDatabase(searchPool);
  const mailer = createMailer(config);
  const ownFiles = overrides.exportFiles === undefined ? openFileStore(config) : undefined;
  const exportFiles = guardedFileStore(overrides.exportFiles ?? ownFiles!);
  return {
    config,
    log,
    now: overrides.now ?? (() => new Date()),
    newId: overrides.newId ?? createIds(),
    pool,
    db,
    searchPool,
    searchDb,
    databaseWatch,
    exportFiles,
    searches: createSearchTurns({
      pool: searchPool,
      control: pool,
      size: searchSize,
      perAccount: config.searchesPerAccount,
      timeout: searchTimeout,
    }),
    metrics,
    mailer,
    resolveHost: overrides.resolveHost ?? createHostResolver(),
    async [Symbol.asyncDispose]() {
      await mailer?.[Symbol.asyncDispose]();
      await Promise.all([close(db, pool), close(searchDb, searchPool)]);
      // One that was handed over belongs to somebody else.
      await ownFiles?.[Symbol.asyncDispose]();
    },
  };
}

/** The query builder closes only what it has used itself, and a worker may have used nothing but the pool. */
async function close(db: Database, pool: pg.Pool): Promise<void> {
  await db.destroy();
  if (!pool.ending) await pool.end();
}
