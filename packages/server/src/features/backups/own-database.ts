import type { Logger } from 'pino';
import type { Config } from '#platform/config/config.ts';
import { hasCluster, runningServerUrl, startEmbeddedPostgres } from '#platform/database/embedded-postgres.ts';
import { startOwnPostgres, type OwnPostgresConfig } from './archive/own-postgres.ts';
import { BackupError } from './store/backup-error.ts';

/** A database that a command works on; disposing it stops the server if the command has started it. */
export interface OpenedDatabase extends AsyncDisposable {
  readonly url: string;
}

type DatabaseConfig = Pick<Config, 'databaseUrl'> & OwnPostgresConfig;

/**
 * The database of an installation: that of `DATABASE_URL`, or the embedded one, whether a service runs it now or not.
 *
 * Throws a {@link BackupError} when there is none.
 */
export async function openExistingDatabase(
  config: DatabaseConfig,
  log: Logger,
  signal: AbortSignal,
): Promise<OpenedDatabase> {
  const { databaseUrl, dataDir } = config;
  const running = databaseUrl ?? (await runningServerUrl(dataDir));
  if (running !== undefined) return { url: running, [Symbol.asyncDispose]: async () => undefined };
  if (!(await hasCluster(dataDir))) {
    throw new BackupError(
      `There is no database in the data directory ${dataDir}. Set ROSTER_DATA_DIR or DATABASE_URL as for the service.`,
    );
  }
  return startOwnPostgres(config, { log, signal });
}

/** The database to restore into: that of `DATABASE_URL`, or an embedded one, which is made if there is none. */
export async function openTargetDatabase(
  { databaseUrl, dataDir }: DatabaseConfig,
  log: Logger,
  signal: AbortSignal,
): Promise<OpenedDatabase> {
  if (databaseUrl !== undefined) return { url: databaseUrl, [Symbol.asyncDispose]: async () => undefined };
  return startEmbeddedPostgres({ dataDir, log, signal });
}
