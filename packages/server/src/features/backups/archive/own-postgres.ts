import path from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '#platform/config/config.ts';
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, type StopTimeouts } from '@roster/embedded-postgres';
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres.ts';
import { explainStorage, openBackupStore } from '../store/backup-store.ts';
import { noteArchiveEnd, requireArchiveEnd } from './archive-end.ts';
import { leaveArchive, ownArchive } from './archive-id.ts';
import { exchangeCommand, startExchange } from './exchange.ts';
import { walArchiver } from './wal-files.ts';

/** The settings that the embedded server of an installation depends on. */
export type OwnPostgresConfig = Pick<Config, 'dataDir' | 'walArchive' | 's3Endpoint' | 'awsEndpoint' | 'awsRegion'>;

// A segment that is not full is archived after a minute: so much is lost at most with the machine.
const archiveSettings = {
  wal_level: 'replica',
  archive_mode: 'on',
  archive_command: exchangeCommand(),
  archive_timeout: '60s',
};

/**
 * Starts the embedded PostgreSQL of an installation, as {@link startEmbeddedPostgres} does, and archives its WAL if `ROSTER_WAL_ARCHIVE` is set.
 *
 * Everything that starts it does so here: WAL that one of them does not archive would be a gap, and ends the archive.
 */
export async function startOwnPostgres(
  config: OwnPostgresConfig,
  options: Omit<EmbeddedPostgresOptions, 'application' | 'dataDir'> & { readonly log: Logger },
): Promise<EmbeddedPostgres> {
  const { dataDir, walArchive } = config;
  const home = path.join(dataDir, 'postgres');
  if (walArchive === undefined) {
    const postgres = await startEmbeddedPostgres({ ...options, dataDir });
    await leaveArchive(home);
    return postgres;
  }
  const postgres = await startEmbeddedPostgres({
    ...options,
    dataDir,
    settings: { ...archiveSettings, ...options.settings },
  });
  await using started = new AsyncDisposableStack();
  started.defer(() => postgres.stop());
  const archive = await ownArchive(home, walArchive);
  const store = started.use(openBackupStore(archive, config));
  const archiveFile = walArchiver(postgres.clusterDir, store);
  const handle = async (file: string): Promise<boolean> => {
    try {
      await requireArchiveEnd(home, archive, store);
      const isDone = await archiveFile(file);
      await noteArchiveEnd(home, archive, file);
      return isDone;
    } catch (error) {
      throw explainStorage(walArchive, error);
    }
  };
  const exchange = await startExchange(postgres.clusterDir, handle, options.log);
  started.move();
  let stopped: Promise<void> | undefined;
  const stopAll = async (timeouts: StopTimeouts | undefined): Promise<void> => {
    try {
      // The server archives what is left while it stops.
      await postgres.stop(timeouts);
    } finally {
      await exchange[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    }
  };
  const stop: EmbeddedPostgres['stop'] = (timeouts) => {
    stopped ??= stopAll(timeouts);
    return stopped;
  };
  return {
    url: postgres.url,
    get pid() {
      return postgres.pid;
    },
    clusterDir: postgres.clusterDir,
    isNew: postgres.isNew,
    onExit: (listener) => postgres.onExit(listener),
    restart: () => postgres.restart(),
    stop,
    [Symbol.asyncDispose]: () => stop(),
  };
}
