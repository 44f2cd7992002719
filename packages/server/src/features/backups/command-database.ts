import type { Logger } from 'pino';
import type { Config } from '#platform/config/config.ts';
import { hasCluster, runningServerUrl, startEmbeddedPostgres } from '#platform/database/embedded-postgres.ts';
import { startArchivedPostgres, type ArchivedPostgresConfig } from './archive/archived-postgres.ts';
import { BackupError } from './store/backup-error.ts';

/** The database of a command. Disposing it stops the server if the command has started one. */
export interface OpenedDatabase extends AsyncDisposable {
  readonly url: string;
}

type DatabaseConfig = Pick<Config, 'databaseUrl'> & ArchivedPostgresConfig;

/**
 * Opens the database of an installation: that of `DATABASE_URL`, or the embedded database. Starts
 * the embedded database if no service runs it.
 *
 * Throws a {@link BackupError} when there is no database.
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
  return startArchivedPostgres(config, { log, signal });
}

/** Opens the database to restore into: that of `DATABASE_URL`, or an embedded one. */
export async function openTargetDatabase(
  { databaseUrl, dataDir }: DatabaseConfig,
  log: Logger,
  signal: AbortSignal,
): Promise<OpenedDatabase> {
  if (databaseUrl !== undefined) return { url: databaseUrl, [Symbol.asyncDispose]: async () => undefined };
  return startEmbeddedPostgres({ dataDir, log, signal });
}
