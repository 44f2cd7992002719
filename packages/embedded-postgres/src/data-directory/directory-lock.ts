import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Application } from '../application/application.ts';
import { EmbeddedPostgresError } from '../errors/embedded-postgres-error.ts';

const SQLITE_BUSY = 5;

/** Milliseconds to wait for a process that is about to end and still has the lock. */
const maxWaitMs = 1_000;

/**
 * Locks a data directory for this process, until the lock is disposed of or the process ends.
 *
 * Node has no file locks. This function uses an exclusive SQLite transaction, which is an `fcntl`
 * lock, on an empty file that is never written. The kernel releases the lock when the process ends
 * for any reason, so the lock cannot become stale. It also works between containers that share a
 * volume, where process ids and loopback ports cannot be compared.
 *
 * `directory` must exist. Throws `data-directory-busy` if another process, or another server in
 * this process, has the lock.
 */
export async function lockDataDirectory(
  directory: string,
  dataDir: string,
  application: Application,
): Promise<Disposable> {
  const holder = path.join(directory, 'service.pid');
  const deadline = performance.now() + maxWaitMs;
  const file = path.join(directory, 'service.lock');
  await makePrivate(file);
  for (;;) {
    const lock = tryLock(file, application);
    if (lock !== undefined) {
      // This file is used only in the message below.
      await writeFile(holder, `${process.pid}\n`, { mode: 0o600 }).catch(() => undefined);
      return lock;
    }
    if (performance.now() > deadline) {
      const pid = (await readFile(holder, 'utf8').catch(() => '')).trim();
      throw new EmbeddedPostgresError(
        'data-directory-busy',
        `Another process${pid === '' ? '' : ` (${pid})`} uses the data directory ${dataDir}. ` +
          `Stop it first, or set ${application.dataDirSetting} to another directory. ` +
          `To run several processes on the same data, ${application.useOtherServer}.`,
      );
    }
    await sleep(50);
  }
}

/**
 * Creates the lock file with private permissions. A user who can read it could lock it, and so
 * prevent a start.
 *
 * An existing file must not be opened here: closing it would release a lock that this process has
 * on it.
 */
async function makePrivate(file: string): Promise<void> {
  try {
    await writeFile(file, '', { mode: 0o600, flag: 'wx' });
  } catch {
    // The file exists, perhaps from an older version. Any other error appears again in `tryLock`.
    await chmod(file, 0o600).catch(() => undefined);
  }
}

function tryLock(file: string, { dataDirSetting }: Application): Disposable | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file);
    // A killed service would leave a journal file, so the journal is in memory. Nothing is written.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    const held = database;
    return { [Symbol.dispose]: () => held.close() };
  } catch (error) {
    database?.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return undefined;
    throw new EmbeddedPostgresError(
      'data-directory-unusable',
      `The lock file ${file} cannot be used (${error instanceof Error ? error.message : String(error)}). ` +
        // SQLite supports paths of up to 511 bytes.
        (Buffer.byteLength(file) > 500
          ? `Its path is too long: set ${dataDirSetting} to a directory with a path of less than 480 bytes.`
          : 'Check that this user may write to the directory, and that its file system supports locks.'),
      { cause: error },
    );
  }
}
