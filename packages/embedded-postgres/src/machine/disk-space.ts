import { statfs } from 'node:fs/promises';

import type { Application } from '../application/application.ts';
import { EmbeddedPostgresError } from '../errors/embedded-postgres-error.ts';

const mebibyte = 1024 * 1024;

/** Free space, in bytes, below which a start is refused. */
export const neededBytes = {
  /**
   * A new cluster takes 40 MB, and its first checkpoints as much again in WAL. The rest is room to
   * work.
   */
  newCluster: 200 * mebibyte,
  /**
   * Crash recovery and the first checkpoint need a few WAL segments of 16 MB each; without them
   * PostgreSQL stops in a loop.
   */
  existingCluster: 64 * mebibyte,
};

/** Reads the free bytes of the file system that holds a path; tests give one of their own. */
export type FreeSpace = (directory: string) => Promise<number>;

/**
 * Bytes that an unprivileged user may still write on the file system of `directory`. Quotas do not
 * show here.
 */
export const freeSpace: FreeSpace = async (directory) => {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
};

/** Throws `disk-full` when fewer than `needed` bytes are free; returns the free bytes. */
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

/** The `disk-full` error for a directory; `detail` says how it was noticed. */
export const diskFull = (directory: string, detail: string, application: Application): EmbeddedPostgresError =>
  new EmbeddedPostgresError(
    'disk-full',
    `Too little disk space for PostgreSQL in ${directory}: ${detail}. ` +
      `Free some space, or set ${application.dataDirSetting} to a directory on a larger disk.`,
  );

/** Whether the output of a program of PostgreSQL says that the disk or a quota is full. */
export const saysDiskFull = (output: string): boolean => /No space left on device|Disk quota exceeded/.test(output);

const megabytes = (bytes: number): number => Math.floor(bytes / mebibyte);
