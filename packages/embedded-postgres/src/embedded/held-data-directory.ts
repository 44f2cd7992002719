import { rm } from 'node:fs/promises';
import path from 'node:path';

import { type Application, applicationFrom } from '../application/application.ts';
import { type Log, silentLog } from '../application/log.ts';
import { findCluster, placeNewCluster } from '../cluster/cluster-place.ts';
import { moveIntoPlace } from '../cluster/create-cluster.ts';
import { prepareDirectory } from '../data-directory/data-directory.ts';
import { lockDataDirectory } from '../data-directory/directory-lock.ts';
import { writeSecret } from '../data-directory/password.ts';
import { EmbeddedPostgresError } from '../errors/embedded-postgres-error.ts';
import { packagedBinaries, usableBinaries } from '../machine/binaries.ts';
import { freeSpace, sizeOfFiles } from '../machine/disk-space.ts';
import { isRoot, type ServerUser } from '../machine/server-user.ts';
import { databaseUrl } from '../server/database.ts';
import { PostgresServer } from '../server/postgres-server.ts';
import { availableMemory, type PostgresSettings, tunedSettings } from '../server/tuned-settings.ts';
import type { EmbeddedPostgresOptions } from './embedded-postgres.ts';

/** Options of {@link holdDataDirectory}. */
export type HeldDataDirectoryOptions = Pick<EmbeddedPostgresOptions, 'dataDir' | 'application' | 'log' | 'systemDir'>;

/** A locked data directory. Until it is disposed of, no server can start on it. */
export interface HeldDataDirectory extends Disposable {
  /** True if there is a database. */
  readonly hasCluster: boolean;
  /**
   * Begins a cluster whose files the caller provides, for example from a base backup. `password` is
   * the password of its superuser.
   *
   * Throws `data-directory-unusable` if there is a database, and the errors of a first start.
   */
  beginCluster(password: string): Promise<UnfinishedCluster>;
}

/** A cluster whose files are not complete. Disposing of it before `finish` removes it. */
export interface UnfinishedCluster extends AsyncDisposable {
  /** Directory for the files of the cluster. It does not exist yet. */
  readonly directory: string;
  /** The required owner of the files; undefined for the user of this process. */
  readonly user: ServerUser | undefined;
  /** Major version of the packaged PostgreSQL, for example 18. */
  readonly major: number;
  /**
   * Starts a server on the files. Returns when it accepts connections. Disposing of it stops it.
   */
  startServer(settings: PostgresSettings, signal: AbortSignal): Promise<AsyncDisposable & { readonly url: string }>;
  /** Moves the files into place. Then the data directory has a database. */
  finish(): Promise<void>;
}

/**
 * Locks a data directory for this process, and creates it if it does not exist. Throws the errors
 * of {@link startEmbeddedPostgres} for directories and locks.
 */
export async function holdDataDirectory(options: HeldDataDirectoryOptions): Promise<HeldDataDirectory> {
  const { log = silentLog } = options;
  const application = applicationFrom(options.application);
  const systemDir = options.systemDir ?? `/var/lib/${application.name}`;
  const dataDir = await prepareDirectory(options.dataDir, application);
  const home = await prepareDirectory(path.join(dataDir, 'postgres'), application);
  using cleanup = new DisposableStack();
  const lock = cleanup.use(await lockDataDirectory(home, dataDir, application));
  const hasCluster = (await findCluster(home, application)) !== undefined;
  cleanup.move();
  return {
    hasCluster,
    beginCluster: (password) => beginCluster({ application, home, systemDir, log }, password),
    [Symbol.dispose]: () => lock[Symbol.dispose](),
  };
}

interface Directory {
  readonly application: Application;
  readonly home: string;
  readonly systemDir: string;
  readonly log: Log;
}

async function beginCluster(
  { application, home, systemDir, log }: Directory,
  password: string,
): Promise<UnfinishedCluster> {
  const existing = await findCluster(home, application);
  if (existing !== undefined) throw databaseExists(existing.cluster);
  const passwordFile = path.join(home, 'password');
  // A password file without a database was left by a first start that was killed.
  await rm(passwordFile, { force: true });
  await writeSecret(passwordFile, password);
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(passwordFile, { force: true }));
  const place = await placeNewCluster(home, password, systemDir, application);
  if (!place.isNew) throw databaseExists(place.cluster);
  const removeWork = (): Promise<void> => rm(place.work, { recursive: true, force: true, maxRetries: 3 });
  cleanup.defer(removeWork);
  const source = await packagedBinaries(application);
  const { postgres, major } = await usableBinaries(source, place.user, isRoot() ? systemDir : home, application, log);
  const directory = path.join(place.work, 'cluster');
  const resources = cleanup.move();
  return {
    directory,
    user: place.user,
    major,
    async startServer(settings, signal) {
      const machine = {
        memoryBytes: availableMemory(),
        freeBytes: await freeSpace(directory),
        dataBytes: await sizeOfFiles(path.join(directory, 'base')),
        sharedMemoryBytes: undefined,
      };
      const server = new PostgresServer({
        application,
        program: postgres,
        cluster: directory,
        user: place.user,
        settings: { ...tunedSettings(machine), ...settings },
        log,
        signal,
      });
      const port = await server.start();
      return { url: databaseUrl(port, password, application), [Symbol.asyncDispose]: () => server.stop() };
    },
    async finish() {
      await moveIntoPlace(place, home, directory);
      // From now on, the password file belongs to the database and is not removed.
      resources.move();
      await removeWork();
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

const databaseExists = (cluster: string): EmbeddedPostgresError =>
  new EmbeddedPostgresError('data-directory-unusable', `There is already a database in ${cluster}. Move it away.`);
