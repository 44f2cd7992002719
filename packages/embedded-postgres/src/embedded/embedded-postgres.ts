import { stat, statfs } from 'node:fs/promises';
import path from 'node:path';

import { type Application, applicationFrom } from '../application/application.ts';
import { type Log, silentLog } from '../application/log.ts';
import { packagedBinaries, usableBinaries } from '../machine/binaries.ts';
import { clusterVersion, findCluster, placeNewCluster } from '../cluster/cluster-place.ts';
import { databaseUrl, ensureDatabase } from '../server/database.ts';
import { prepareDirectory } from '../data-directory/data-directory.ts';
import { type FreeSpace, neededBytes, requireSpace } from '../machine/disk-space.ts';
import { EmbeddedPostgresError } from '../errors/embedded-postgres-error.ts';
import { createCluster } from '../cluster/create-cluster.ts';
import { stopOrphan } from '../server/orphaned-server.ts';
import { createPassword, readPassword } from '../data-directory/password.ts';
import type { StopPatience } from '../server/postmaster.ts';
import { PostgresServer } from '../server/postgres-server.ts';
import { isRoot } from '../machine/server-user.ts';
import { lockDataDirectory } from '../data-directory/directory-lock.ts';
import { availableMemory, type PostgresSettings, tunedSettings } from '../server/tuned-settings.ts';

/** What an embedded PostgreSQL is started with. */
export interface EmbeddedPostgresOptions {
  /**
   * Directory of the program's data; made when it does not exist. The database goes to `postgres`
   * in it.
   */
  readonly dataDir: string;
  /** The names that the program gives; see {@link Application}. */
  readonly application?: Partial<Application>;
  /** Default: nothing is logged. The server's own lines are logged at level debug. */
  readonly log?: Log;
  /** Settings that override the tuned ones, by name; `{ fsync: 'off' }` makes tests quick. */
  readonly settings?: PostgresSettings;
  /**
   * Memory that the settings are computed from, in bytes; default: that of the machine or of its
   * container.
   */
  readonly memoryBytes?: number;
  /** Gives the start up; it then throws `aborted`. */
  readonly signal?: AbortSignal;
  /**
   * Where a program that runs as root keeps the database when PostgreSQL's user cannot reach the
   * data directory; default `/var/lib/<name>`.
   */
  readonly systemDir?: string;
  /** Reads the free bytes of a file system; tests give their own. */
  readonly freeSpace?: FreeSpace;
}

/** A running embedded PostgreSQL; disposing of it stops it. */
export interface EmbeddedPostgres extends AsyncDisposable {
  /**
   * Connection URL of the database, password included; stays the same over {@link
   * EmbeddedPostgres.restart}.
   */
  readonly url: string;
  /** Process number of the server; it changes with a restart. */
  readonly pid: number | undefined;
  /** Real directory of the PostgreSQL files. */
  readonly clusterDir: string;
  /** Whether this start made the database. */
  readonly isNew: boolean;
  /** Calls `listener` whenever the server ends without having been told to. */
  onExit(listener: () => void): void;
  /**
   * Starts the server again, on the same port, after it ended; a no-op while it runs or after
   * {@link EmbeddedPostgres.stop}.
   */
  restart(): Promise<void>;
  /**
   * Stops the server and lets go of the data directory; mostly a matter of milliseconds, at most 25
   * s by default. Later calls wait for the first one.
   */
  stop(patience?: StopPatience): Promise<void>;
}

/**
 * Starts a PostgreSQL server on a data directory and returns when its database takes connections.
 *
 * The first start makes the database. A server that a killed service left behind is stopped first;
 * a live service on the same data directory is left alone, and this start fails with
 * `data-directory-busy`. Listens on a free port of 127.0.0.1, with a random password that is kept
 * in the data directory, readable by the owner only. Throws {@link EmbeddedPostgresError}.
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
        'PostgreSQL does not run as root and its user cannot reach the data directory; its files are kept elsewhere',
      );
    }
  } else {
    const version = await clusterVersion(cluster);
    if (version !== binaries.major) throw versionMismatch(cluster, version, binaries.major, application);
    await stopOrphan(cluster, application, log);
  }
  if (signal.aborted) throw new EmbeddedPostgresError('aborted', 'The start of the embedded PostgreSQL was given up.');

  const machine = {
    memoryBytes: options.memoryBytes ?? availableMemory(),
    freeBytes,
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

  const resources = cleanup.move();
  let stopped: Promise<void> | undefined;
  const stop = (patience?: StopPatience): Promise<void> => {
    stopped ??= server.stop(patience).then(() => resources.disposeAsync());
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

/** Size of `/dev/shm`, which parallel queries use, or undefined where there is none. */
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
    `The database in ${cluster} was written by PostgreSQL ${version}; this version of ${title} brings PostgreSQL ${major}, ` +
      `which cannot read it. To upgrade: start the version of ${title} that wrote it, save the database with ` +
      `\`pg_dump --format=custom\` (pg_dump ${Math.max(version, major)} or later), and restore it with pg_restore into a new data directory. ` +
      (upgradeGuide === '' ? '' : `${upgradeGuide} `) +
      'For a large database, pg_upgrade with the programs of both versions is faster.',
  );
