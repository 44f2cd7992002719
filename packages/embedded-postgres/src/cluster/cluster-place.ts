import { createHash } from 'node:crypto';
import { chown, lstat, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Application } from '../application/application.ts';
import { makeDirectory } from '../data-directory/data-directory.ts';
import { EmbeddedPostgresError, systemErrorCode } from '../errors/embedded-postgres-error.ts';
import { isRoot, runAs, type ServerUser, unprivilegedUser } from '../machine/server-user.ts';

/** Prefix of the working directories of initdb. Existing ones were left by a killed start. */
const workPrefix = 'initdb-';

/** An existing cluster. PostgreSQL calls the files of one server a cluster. */
export interface ClusterPlace {
  readonly isNew: false;
  /** Real path of the directory. */
  readonly cluster: string;
  /** Owner of the files; undefined if this process is not root and runs as the owner. */
  readonly user: ServerUser | undefined;
}

/**
 * Finds the cluster of a data directory: `postgres/cluster`, which is a directory or a link.
 * Returns undefined if there is none.
 *
 * - Throws `data-missing` if the target of the link does not exist.
 * - Throws `data-directory-foreign` if the files belong to a user that this process cannot use.
 * - Throws `unreachable` if the owner of the files cannot access them.
 */
export async function findCluster(home: string, application: Application): Promise<ClusterPlace | undefined> {
  const link = path.join(home, 'cluster');
  let cluster: string;
  try {
    await lstat(link);
    cluster = await realpath(link);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT' && !(await isLink(link))) return undefined;
    throw new EmbeddedPostgresError(
      'data-missing',
      `${link} is a link to the files of PostgreSQL, but its target does not exist. If you moved the data directory from another machine, ` +
        'also move the target of the link, or put the files in place of the link.',
      { cause: error },
    );
  }
  const { uid, gid } = await stat(cluster);
  if (!isRoot()) {
    if (uid === process.getuid?.()) return { isNew: false, cluster, user: undefined };
    throw foreign(cluster, `belongs to user ${uid}. Start ${application.title} as that user or as root`, application);
  }
  if (uid === 0) {
    throw foreign(
      cluster,
      'belongs to root, and PostgreSQL does not run as root. Change the owner with `chown -R postgres` (or another user)',
      application,
    );
  }
  const user = { uid, gid };
  if (await canWrite(cluster, user)) return { isNew: false, cluster, user };
  throw new EmbeddedPostgresError(
    'unreachable',
    `PostgreSQL runs as user ${uid}, who cannot access its files in ${cluster}` +
      `${await blockedBy(cluster)}. Let other users pass through (chmod o+x), move the data directory, or start ${application.title} as that user.`,
  );
}

/** The directories of a new cluster. */
export interface NewClusterPlace {
  readonly isNew: true;
  /** An empty working directory for initdb. It belongs to the PostgreSQL user. */
  readonly work: string;
  /** The final path of the cluster. */
  readonly cluster: string;
  /** True if that path is outside the data directory, which then needs a link to it. */
  readonly outside: boolean;
  readonly user: ServerUser | undefined;
}

/**
 * Chooses the directory of a new cluster. Normally this is in the data directory. If this process
 * is root and the PostgreSQL user cannot access the data directory (a clone in a private home
 * directory), it is a subdirectory of `systemDir`.
 *
 * The modes of existing directories are never changed.
 */
export async function placeNewCluster(
  home: string,
  password: string,
  systemDir: string,
  application: Application,
): Promise<NewClusterPlace | ClusterPlace> {
  const user = isRoot() ? await unprivilegedUser(application) : undefined;
  const work = await workDirectory(home, user);
  if (await canWrite(work, user))
    return { isNew: true, work, cluster: path.join(home, 'cluster'), outside: false, user };
  await rm(work, { recursive: true, force: true });

  // The password is part of the name. A data directory that was deleted and created again therefore
  // does not find its old files.
  const name = createHash('sha256').update(`${home}\0${password}`).digest('hex').slice(0, 16);
  const outside = path.join(systemDir, name);
  try {
    await makeDirectory(outside);
    await writeFile(path.join(outside, 'README'), `PostgreSQL files of the data directory ${path.dirname(home)}\n`);
    const cluster = path.join(outside, 'cluster');
    // A start was killed between the creation of the cluster and the creation of the link.
    if (await exists(cluster)) return { isNew: false, cluster, user };
    const work = await workDirectory(outside, user);
    if (await canWrite(work, user)) return { isNew: true, work, cluster, outside: true, user };
    throw new Error('that user cannot access it either');
  } catch (error) {
    throw new EmbeddedPostgresError(
      'unreachable',
      `PostgreSQL does not run as root, and user ${user?.uid} cannot access ${home}${await blockedBy(home)}. ` +
        `${systemDir} cannot be used instead (${error instanceof Error ? error.message : String(error)}). ` +
        `Set ${application.dataDirSetting} to a directory that other users may pass through, or start ${application.title} as an ordinary user.`,
      { cause: error },
    );
  }
}

/**
 * Creates an empty working directory for initdb that belongs to the PostgreSQL user. Removes the
 * working directories of killed starts.
 */
async function workDirectory(parent: string, user: ServerUser | undefined): Promise<string> {
  for (const name of await readdir(parent)) {
    // The initdb of a killed start may still write files, hence the retries. It fails when its
    // files are removed.
    if (name.startsWith(workPrefix)) {
      await rm(path.join(parent, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
    }
  }
  const work = await mkdtemp(path.join(parent, workPrefix));
  if (user !== undefined) await chown(work, user.uid, user.gid);
  return work;
}

/** Tests whether a user can write to a directory, by writing a file as that user. */
async function canWrite(directory: string, user: ServerUser | undefined): Promise<boolean> {
  // If this is the user of this process, no test is needed: a later write throws a clear error.
  if (user === undefined) return true;
  const script = 'cd -- "$1" && : > .reachable && rm .reachable';
  return (await runAs(user, '/bin/sh', ['-c', script, 'sh', directory])).ok;
}

/** Returns a message part that names the first directory in a path that blocks other users. */
async function blockedBy(target: string): Promise<string> {
  const parts = target.split(path.sep);
  for (let length = 2; length < parts.length; length += 1) {
    const directory = parts.slice(0, length).join(path.sep);
    if (((await stat(directory)).mode & 0o001) === 0) return `: ${directory} is private`;
  }
  return '';
}

/**
 * Returns the major version that wrote a cluster. Throws `data-directory-unusable` if the directory
 * is not a cluster.
 */
export async function clusterVersion(cluster: string): Promise<number> {
  const version = await readFile(path.join(cluster, 'PG_VERSION'), 'utf8').catch(() => '');
  if (/^\d+\n?$/.test(version)) return Number(version);
  throw new EmbeddedPostgresError(
    'data-directory-unusable',
    `${cluster} is not a PostgreSQL data directory (no PG_VERSION in it). Move it away to start with an empty database, or restore a backup in its place.`,
  );
}

const foreign = (cluster: string, what: string, { dataDirSetting }: Application): EmbeddedPostgresError =>
  new EmbeddedPostgresError(
    'data-directory-foreign',
    `The database in ${cluster} ${what}, or set ${dataDirSetting} to another directory.`,
  );

const isLink = async (file: string): Promise<boolean> =>
  (await lstat(file).catch(() => undefined))?.isSymbolicLink() === true;

const exists = async (file: string): Promise<boolean> => (await lstat(file).catch(() => undefined)) !== undefined;
