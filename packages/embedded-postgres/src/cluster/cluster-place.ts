import { createHash } from 'node:crypto';
import { chown, lstat, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Application } from '../application/application.ts';
import { makeDirectory } from '../data-directory/data-directory.ts';
import { EmbeddedPostgresError, systemErrorCode } from '../errors/embedded-postgres-error.ts';
import { isRoot, runAs, type ServerUser, unprivilegedUser } from '../machine/server-user.ts';

/**
 * Prefix of the directories in which initdb works. Existing ones were left by a start that was
 * killed.
 */
const workPrefix = 'initdb-';

/** A cluster (PostgreSQL's word for the files of one server) that exists. */
export interface ClusterPlace {
  readonly isNew: false;
  /** Its real directory. */
  readonly cluster: string;
  /** The user it belongs to when we are root; undefined when that is ourselves. */
  readonly user: ServerUser | undefined;
}

/**
 * Finds the cluster of a data directory: `postgres/cluster`, or the place that this link names.
 * Undefined when there is none yet.
 *
 * Throws `data-missing` for a link to nowhere, `data-directory-foreign` when the files belong to
 * somebody we cannot act as, and `unreachable` when the user they belong to has no way to them.
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
      `${link} is a link to PostgreSQL's files, which are not there. If the data directory was moved from another machine, ` +
        'move the directory that the link names as well, or put it in place of the link.',
      { cause: error },
    );
  }
  const { uid, gid } = await stat(cluster);
  if (!isRoot()) {
    if (uid === process.getuid?.()) return { isNew: false, cluster, user: undefined };
    throw foreign(
      cluster,
      `belongs to the user with number ${uid}: start ${application.title} as that user or as root`,
      application,
    );
  }
  if (uid === 0) {
    throw foreign(
      cluster,
      'belongs to root, and PostgreSQL does not run as root: `chown -R postgres` it (or another user)',
      application,
    );
  }
  const user = { uid, gid };
  if (await canWrite(cluster, user)) return { isNew: false, cluster, user };
  throw new EmbeddedPostgresError(
    'unreachable',
    `PostgreSQL runs as the user with number ${uid}, who cannot reach its files in ${cluster}` +
      `${await blockedBy(cluster)}. Let other users pass through (chmod o+x), move the data directory, or start ${application.title} as that user.`,
  );
}

/** A directory in which initdb can work, and where the cluster goes when it is complete. */
export interface NewClusterPlace {
  readonly isNew: true;
  /**
   * An empty directory that belongs to the user of PostgreSQL; removed when the cluster has been
   * moved out of it.
   */
  readonly work: string;
  /** Where the finished cluster goes. */
  readonly cluster: string;
  /** Whether that is outside the data directory, so that a link must be left there. */
  readonly outside: boolean;
  readonly user: ServerUser | undefined;
}

/**
 * Chooses where a new cluster goes: into the data directory, or, when we are root and the
 * unprivileged user has no way to it (a checkout below a private home directory), to a directory of
 * its own in `systemDir`.
 *
 * Modes of existing directories are never changed: their owner chose them.
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

  // The password is part of the name, so that a data directory that was removed and made again does
  // not meet its old files.
  const name = createHash('sha256').update(`${home}\0${password}`).digest('hex').slice(0, 16);
  const outside = path.join(systemDir, name);
  try {
    await makeDirectory(outside);
    await writeFile(path.join(outside, 'README'), `PostgreSQL files of the data directory ${path.dirname(home)}\n`);
    const cluster = path.join(outside, 'cluster');
    // A start that was killed after the cluster had been made and before the link was.
    if (await exists(cluster)) return { isNew: false, cluster, user };
    const work = await workDirectory(outside, user);
    if (await canWrite(work, user)) return { isNew: true, work, cluster, outside: true, user };
    throw new Error('that user cannot reach it either');
  } catch (error) {
    throw new EmbeddedPostgresError(
      'unreachable',
      `PostgreSQL does not run as root, and the user with number ${user?.uid} cannot reach ${home}${await blockedBy(home)}. ` +
        `${systemDir} cannot be used instead (${error instanceof Error ? error.message : String(error)}). ` +
        `Set ${application.dataDirSetting} to a directory that other users may pass through, or start ${application.title} as an ordinary user.`,
      { cause: error },
    );
  }
}

/**
 * Makes an empty directory for initdb that belongs to the user of PostgreSQL, after removing those
 * of starts that were killed.
 */
async function workDirectory(parent: string, user: ServerUser | undefined): Promise<string> {
  for (const name of await readdir(parent)) {
    // An initdb whose parent was killed may be writing still, hence the retries. It fails as soon
    // as its files are gone.
    if (name.startsWith(workPrefix)) {
      await rm(path.join(parent, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
    }
  }
  const work = await mkdtemp(path.join(parent, workPrefix));
  if (user !== undefined) await chown(work, user.uid, user.gid);
  return work;
}

/** Whether a user can enter a directory and write there; found by doing it as that user. */
async function canWrite(directory: string, user: ServerUser | undefined): Promise<boolean> {
  // Ourselves: any failure shows as an ordinary error where it happens.
  if (user === undefined) return true;
  const script = 'cd -- "$1" && : > .reachable && rm .reachable';
  return (await runAs(user, '/bin/sh', ['-c', script, 'sh', directory])).ok;
}

/** Names the first directory on the way that other users cannot pass through, for messages. */
async function blockedBy(target: string): Promise<string> {
  const parts = target.split(path.sep);
  for (let length = 2; length < parts.length; length += 1) {
    const directory = parts.slice(0, length).join(path.sep);
    if (((await stat(directory)).mode & 0o001) === 0) return `: ${directory} is private`;
  }
  return '';
}

/**
 * The major version that wrote a cluster; throws `data-directory-unusable` when the directory holds
 * something else.
 */
export async function clusterVersion(cluster: string): Promise<number> {
  const version = await readFile(path.join(cluster, 'PG_VERSION'), 'utf8').catch(() => '');
  if (/^\d+\n?$/.test(version)) return Number(version);
  throw new EmbeddedPostgresError(
    'data-directory-unusable',
    `${cluster} is not a directory of PostgreSQL (no PG_VERSION in it). Move it away to begin with an empty database, or restore a backup in its place.`,
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
