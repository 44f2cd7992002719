import { stat, statfs } from 'node:fs/promises';
import path from 'node:path';

import { type Application, applicationFrom } from '../application/application.ts';
import { type Log, silentLog } from '../application/log.ts';
import { packagedBinaries, usableBinaries } from '../machine/binaries.ts';
import { clusterVersion, findCluster, placeNewCluster } from '../cluster/cluster-place.ts';
import { databaseUrl, ensureDatabase } from '../server/database.ts';
import { prepareDirectory } from '../data-directory/data-directory.ts';
import { type FreeSpace, neededBytes, requireSpace, sizeOfFiles } from '../machine/disk-space.ts';
import { EmbeddedPostgresError, startCancelled } from '../errors/embedded-postgres-error.ts';
import { createCluster } from '../cluster/create-cluster.ts';
import { stopOrphan } from '../server/orphaned-server.ts';
import { createPassword, readPassword } from '../data-directory/password.ts';
import type { StopTimeouts } from '../server/postmaster.ts';
import { PostgresServer } from '../server/postgres-server.ts';
import { isRoot } from '../machine/server-user.ts';
import { lockDataDirectory } from '../data-directory/directory-lock.ts';
import { availableMemory, type PostgresSettings, tunedSettings } from '../server/tuned-settings.ts';

/** Options of {@link startEmbeddedPostgres}. */
export interface EmbeddedPostgresOptions {
  /**
   * Directory for the data of the program. It is created if it does not exist. The database is in
   * its subdirectory `postgres`.
   */
  readonly dataDir: string;
  /** Names for processes, directories and messages. */
  readonly application?: Partial<Application>;
  /** Default: nothing is logged. The log lines of the server have level debug. */
  readonly log?: Log;
  /** Settings that replace the computed ones. `{ fsync: 'off' }` makes tests fast. */
  readonly settings?: PostgresSettings;
  /** Memory in bytes for the computed settings; default: that of the machine or its container. */
  readonly memoryBytes?: number;
  /** Cancels the start, which then throws `aborted`. */
  readonly signal?: AbortSignal;
  /**
   * Directory for the database if the program runs as root and the PostgreSQL user cannot access
   * `dataDir`; default: `/var/lib/<name>`.
   */
  readonly systemDir?: string;
  /** Reads the free bytes of a file system; for tests. */
  readonly freeSpace?: FreeSpace;
}

/** A running embedded PostgreSQL. Disposing of it stops it. */
export interface EmbeddedPostgres extends AsyncDisposable {
  /** Connection URL of the database, with the password. It stays the same after a restart. */
  readonly url: string;
  /** Process id of the server. It changes with a restart. */
  readonly pid: number | undefined;
  /** Real path of the PostgreSQL files. */
  readonly clusterDir: string;
  /** True if this start created the database. */
  readonly isNew: boolean;
  /** Calls `listener` with the last lines of its log each time the server ends unexpectedly. */
  onExit(listener: (lastLines: string) => void): void;
  /**
   * Starts the server again on the same port after it has ended. Does nothing while it is running.
   * After {@link EmbeddedPostgres.stop}, it throws `aborted`.
   */
  restart(): Promise<void>;
  /**
   * Stops the server and releases the data directory. Usually takes milliseconds, and by default at
   * most 25 s. Later calls wait for the first one.
   */
  stop(timeouts?: StopTimeouts): Promise<void>;
}

/**
 * Starts a PostgreSQL server on a data directory. Returns when the database accepts connections.
 *
 * - The first start creates the database.
 * - A server that a killed service left running is stopped first.
 * - If another process uses the data directory, the start fails with `data-directory-busy`.
 * - The server listens on a free port of 127.0.0.1. Its random password is stored in the data
 *   directory, and only the owner can read it.
 *
 * Throws {@link EmbeddedPostgresError}.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log = silentLog, settings = {}, signal = new AbortController().signal } = options;
  const application = applicationFrom(options.application);
  const systemDir = options.systemDir ?? `/var/lib/${application.name}`;
  const source = await packagedBinaries(application);
  const dataDir = await prepareDirectory(options.dataDir, application);
  const home = await prepareDirectory(path.join(dataDir, 'postgres'), application);
  await using cleanup = new AsyncDisposableStack();
  cleanup.use(await lockDataDirectory(home, dataDir, application));

  const found = await findCluster(home, application);
  let password = await readPassword(home);
  if (found === undefined) password ??= await createPassword(home);
  if (password === undefined) throw passwordMissing(home);
  const place = found ?? (await placeNewCluster(home, password, systemDir, application));
  const { cluster, user, isNew } = place;
  // A copy of a data directory has a link to the same files.
  const parent = path.dirname(cluster);
  if (path.dirname(parent) === systemDir) cleanup.use(await lockDataDirectory(parent, parent, application));

  const binaries = await usableBinaries(source, user, isRoot() ? systemDir : home, application, log);
  const freeBytes = await requireSpace(
    isNew ? path.dirname(cluster) : cluster,
    isNew ? neededBytes.newCluster : neededBytes.existingCluster,
    application,
    options.freeSpace,
  );
  if (place.isNew) {
    await createCluster(place, home, { application, binaries, password, durable: settings['fsync'] !== 'off', signal });
    if (place.outside) {
      log.warn(
        { cluster },
        'the PostgreSQL user cannot access the data directory; the database is in another directory',
      );
    }
  } else {
    const version = await clusterVersion(cluster);
    if (version !== binaries.major) throw versionMismatch(cluster, version, binaries.major, application);
    await stopOrphan(cluster, application, log);
  }
  if (signal.aborted) throw startCancelled();

  const machine = {
    memoryBytes: options.memoryBytes ?? availableMemory(),
    freeBytes,
    dataBytes: await sizeOfFiles(path.join(cluster, 'base')),
    sharedMemoryBytes: await sharedMemorySize(),
  };
  const server = new PostgresServer({
    application,
    program: binaries.postgres,
    cluster,
    user,
    settings: { ...tunedSettings(machine), ...settings },
    log,
    signal,
  });
  cleanup.defer(() => server.stop());
  const port = await server.start();
  await ensureDatabase(port, password, isNew, application);
  // A caller that cancelled the start listens no more.
  if (signal.aborted) throw startCancelled();

  const resources = cleanup.move();
  let stopped: Promise<void> | undefined;
  const stop = (timeouts?: StopTimeouts): Promise<void> => {
    stopped ??= server.stop(timeouts).then(() => resources.disposeAsync());
    return stopped;
  };
  return {
    url: databaseUrl(port, password, application),
    get pid() {
      return server.pid;
    },
    clusterDir: cluster,
    isNew,
    onExit: (listener) => server.onExit(listener),
    restart: async () => {
      await server.start();
    },
    stop,
    [Symbol.asyncDispose]: () => stop(),
  };
}

/** Returns the size of `/dev/shm`, which parallel queries use; undefined if it does not exist. */
async function sharedMemorySize(): Promise<number | undefined> {
  if (!(await stat('/dev/shm').catch(() => undefined))?.isDirectory()) return undefined;
  const { blocks, bsize } = await statfs('/dev/shm');
  return blocks * bsize;
}

const passwordMissing = (home: string): EmbeddedPostgresError =>
  new EmbeddedPostgresError(
    'data-missing',
    `The database in ${home} exists, but the file \`password\` next to it is missing. Restore it from a backup of the data directory.`,
  );

const versionMismatch = (
  cluster: string,
  version: number,
  major: number,
  { title, upgradeGuide }: Application,
): EmbeddedPostgresError =>
  new EmbeddedPostgresError(
    'version-mismatch',
    `The database in ${cluster} was written by PostgreSQL ${version}. This version of ${title} has PostgreSQL ${major}, ` +
      `which cannot read it. To upgrade: start the version of ${title} that wrote it, save the database with ` +
      `\`pg_dump --format=custom\` (pg_dump ${Math.max(version, major)} or later), and restore it with pg_restore into a new data directory. ` +
      (upgradeGuide === '' ? '' : `${upgradeGuide} `) +
      'For a large database, pg_upgrade with the programs of both versions is faster.',
  );
