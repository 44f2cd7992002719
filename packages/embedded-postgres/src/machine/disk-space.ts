import { readdir, stat, statfs } from 'node:fs/promises';
import path from 'node:path';

import type { Application } from '../application/application.ts';
import { EmbeddedPostgresError, systemErrorCode } from '../errors/embedded-postgres-error.ts';

const mebibyte = 1024 * 1024;

/** Free bytes that a start needs. */
export const neededBytes = {
  /**
   * A new cluster takes 40 MB, and its first checkpoints about 40 MB of WAL. The rest is reserve.
   */
  newCluster: 200 * mebibyte,
  /**
   * Crash recovery and the first checkpoint need a few WAL segments of 16 MB each. Without that
   * space, PostgreSQL would stop and restart in a loop.
   */
  existingCluster: 64 * mebibyte,
};

/** Reads the free bytes of the file system of a directory. */
export type FreeSpace = (directory: string) => Promise<number>;

/** Reads the free bytes for unprivileged users. It does not know about quotas. */
export const freeSpace: FreeSpace = async (directory) => {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
};

/**
 * Returns the bytes of all files in a directory and below.
 *
 * Files that are deleted meanwhile count as empty: processes of a killed server can live for a while,
 * and delete their temporary files.
 */
export async function sizeOfFiles(directory: string): Promise<number> {
  const entries = await unlessMissing(readdir(directory, { withFileTypes: true }), []);
  const sizes = await Promise.all(
    entries.map(async (entry) => {
      const place = path.join(directory, entry.name);
      if (entry.isDirectory()) return sizeOfFiles(place);
      return entry.isFile()
        ? unlessMissing(
            stat(place).then(({ size }) => size),
            0,
          )
        : 0;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Returns `instead` if the file or directory does not exist. */
async function unlessMissing<T>(found: Promise<T>, instead: T): Promise<T> {
  try {
    return await found;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return instead;
    throw error;
  }
}

/** Returns the free bytes. Throws `disk-full` if there are fewer than `needed`. */
export async function requireSpace(
  directory: string,
  needed: number,
  application: Application,
  read: FreeSpace = freeSpace,
): Promise<number> {
  const free = await read(directory);
  if (free < needed)
    throw diskFull(directory, `${megabytes(free)} MB are free, ${megabytes(needed)} MB are needed`, application);
  return free;
}

/** Creates the `disk-full` error for a directory. `detail` says what was found. */
export const diskFull = (directory: string, detail: string, application: Application): EmbeddedPostgresError =>
  new EmbeddedPostgresError(
    'disk-full',
    `Too little disk space for PostgreSQL in ${directory}: ${detail}. ` +
      `Free some space, or set ${application.dataDirSetting} to a directory on a larger disk.`,
  );

/** Tells whether the output of a PostgreSQL program reports a full disk or quota. */
export const saysDiskFull = (output: string): boolean => /No space left on device|Disk quota exceeded/.test(output);

const megabytes = (bytes: number): number => Math.floor(bytes / mebibyte);
