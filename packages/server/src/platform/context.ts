import type pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '#platform/config/config.ts';
import type { DatabaseWatch } from '#platform/database/connection/database-watch.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { AccountServers } from '#platform/database/layout/account-servers.ts';
import type { ReadReplicas } from '#platform/database/replicas/read-replicas.ts';
import type { FileStore } from '#platform/files/file-store.ts';
import type { Feature } from '#platform/feature.ts';
import type { DatabaseTurns } from '#platform/load/database-turns.ts';
import type { Metrics } from '#platform/observability/metrics.ts';

/** Milliseconds after which a statement on {@link Context.searchPool} is cancelled. */
export const searchTimeout = 15_000;

/**
 * The shared parts of a process. Features add fields of their own (`declare module`).
 *
 * Code takes the time and new identifiers from here, so that tests can set them. Dispose the
 * context to close the connections.
 */
export interface Context extends AsyncDisposable {
  readonly config: Config;
  /** The features of the process. Each builds only on the features before it. */
  readonly features: readonly Feature[];
  readonly log: Logger;
  /** Returns the current time. */
  readonly now: () => Date;
  /** Returns a new time-ordered UUID (version 7). */
  readonly newId: () => string;
  readonly pool: pg.Pool;
  /** The query builder on {@link pool}. */
  readonly db: Database;
  /** Connections for searches. Their statements end after {@link searchTimeout}. */
  readonly searchPool: pg.Pool;
  /** The query builder on {@link searchPool}. */
  readonly searchDb: Database;
  /**
   * The servers with the rows of accounts: the one of {@link pool}, or the nodes of a cluster. Use
   * them to accept, apply and search. Everything else runs on {@link pool}.
   */
  readonly servers: AccountServers;
  /** Like {@link servers}, with connections for searches. */
  readonly searchServers: AccountServers;
  /** Sends reads to the replicas, if there are any. */
  readonly replicas: ReadReplicas;
  /** Shares the connections of {@link pool} between accounts. */
  readonly databaseTurns: DatabaseTurns;
  /** Distinguishes a busy database from an unreachable one. */
  readonly databaseWatch: DatabaseWatch;
  /** The files of exports and imports. */
  readonly exportFiles: FileStore;
  readonly metrics: Metrics;
}
