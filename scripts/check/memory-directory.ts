import { accessSync, chmodSync, constants, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import path from 'node:path';

/** The file system in memory that Linux provides. */
const memory = '/dev/shm';

/** Bytes that must be free, in the file system and in memory. The checks need about a third. */
const neededBytes = 8 * 1024 ** 3;

const prefix = 'roster-check-';

/**
 * Creates a directory in memory for temporary files, and removes it when the process ends. Tests
 * create hundreds of databases, and creating their files on a disk takes half of the time of these
 * tests. Returns undefined if the machine has no such file system, or not 8 GB to spare.
 */
export function memoryDirectory(): string | undefined {
  if (process.availableMemory() < neededBytes || !hasSpace()) return undefined;
  removeLeftovers();
  const directory = path.join(memory, `${prefix}${process.pid}`);
  mkdirSync(directory);
  // PostgreSQL may run as another user.
  chmodSync(directory, 0o711);
  process.on('exit', () => remove(directory));
  for (const [signal, number] of [
    ['SIGINT', 2],
    ['SIGTERM', 15],
  ] as const) {
    process.once(signal, () => process.exit(128 + number));
  }
  return directory;
}

function hasSpace(): boolean {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= neededBytes;
  } catch {
    return false;
  }
}

/** Removes the directories of processes that were killed. */
function removeLeftovers(): void {
  for (const name of readdirSync(memory)) {
    if (name.startsWith(prefix) && !isAlive(Number(name.slice(prefix.length)))) remove(path.join(memory, name));
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function remove(directory: string): void {
  try {
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // A program that still stops writes into it, or it belongs to another user. The next run tries
    // again.
  }
}
