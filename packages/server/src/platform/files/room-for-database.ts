import { statfs } from 'node:fs/promises';

/** At least this part of a disk stays free, and at most the bytes below. */
const reservedPart = 1 / 20;
const reservedBytes = 1024 ** 3;

/** Throws an error with the code `ENOSPC` when a disk has too little room for more of a file. */
export type RequireRoom = (directory: string) => Promise<void>;

/**
 * Leaves the last 5 % of a disk, at most 1 GiB, to the database. So the files of one account cannot
 * stop the requests of all others.
 */
export const requireRoomForDatabase: RequireRoom = async (directory) => {
  const { bavail, blocks, bsize } = await statfs(directory);
  const reserved = Math.min(blocks * bsize * reservedPart, reservedBytes);
  if (bavail * bsize >= reserved) return;
  const megabytes = Math.ceil(reserved / 1e6);
  throw Object.assign(new Error(`the last ${megabytes} MB of the disk are for the database`), { code: 'ENOSPC' });
};
