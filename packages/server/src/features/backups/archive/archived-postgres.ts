import path from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '#platform/config/config.ts';
import { maxConnections } from '#platform/config/connections.ts';
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, type StopTimeouts } from '@roster/embedded-postgres';
import { startEmbeddedPostgres } from '#platform/database/embedded-postgres.ts';
import { explainStorage, openBackupStore } from '../store/backup-store.ts';
import { storeLastArchived, requireLastArchived } from './last-archived.ts';
import { currentArchive, endArchive } from './current-archive.ts';
import { exchangeCommand, startExchange } from './exchange.ts';
import { walArchiver } from './wal-files.ts';

/** The settings of the embedded server and its archive. */
export type ArchivedPostgresConfig = Pick<
  Config,
  'dataDir' | 'walArchive' | 's3Endpoint' | 'awsEndpoint' | 'awsRegion' | 'databasePoolSize' | 'workerLoops'
>;

// Connections that the server permits at least, and for commands and psql next to the service.
const leastConnections = 200;
const otherConnections = 30;

// A partial segment is archived after a minute. If the disk is lost, at most a minute is lost.
const archiveSettings = {
  wal_level: 'replica',
  archive_mode: 'on',
  archive_command: exchangeCommand(),
  archive_timeout: '60s',
};

/**
 * Starts the embedded PostgreSQL of an installation like {@link startEmbeddedPostgres}, and
 * archives its WAL if `ROSTER_WAL_ARCHIVE` is set.
 *
 * Always start the server with this function. A start without archiving ends the archive, because
 * its WAL would be missing.
 */
export async function startArchivedPostgres(
  config: ArchivedPostgresConfig,
  options: Omit<EmbeddedPostgresOptions, 'application' | 'dataDir'> & { readonly log: Logger },
): Promise<EmbeddedPostgres> {
  const { dataDir, walArchive } = config;
  const home = path.join(dataDir, 'postgres');
  const connections = Math.max(leastConnections, maxConnections(config, 'all') + otherConnections);
  const settings = { max_connections: String(connections), ...options.settings };
  if (walArchive === undefined) {
    const postgres = await startEmbeddedPostgres({ ...options, dataDir, settings });
    await endArchive(home);
    return postgres;
  }
  const postgres = await startEmbeddedPostgres({
    ...options,
    dataDir,
    settings: { ...archiveSettings, ...settings },
  });
  await using started = new AsyncDisposableStack();
  started.defer(() => postgres.stop());
  const archive = await currentArchive(home, walArchive);
  const store = started.use(openBackupStore(archive, config));
  const archiveFile = walArchiver(postgres.clusterDir, store);
  const handle = async (file: string): Promise<boolean> => {
    try {
      await requireLastArchived(home, archive, store);
      const isDone = await archiveFile(file);
      await storeLastArchived(home, archive, file);
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
      // While it stops, the server archives the remaining WAL.
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
