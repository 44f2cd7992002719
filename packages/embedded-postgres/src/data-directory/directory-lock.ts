import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Application } from '../application/application.ts';
import { EmbeddedPostgresError } from '../errors/embedded-postgres-error.ts';

const SQLITE_BUSY = 5;

/**
 * How long a start waits for a process that is about to end, in milliseconds. A killed one releases
 * the lock at once.
 */
const patienceMs = 1_000;

/**
 * Takes the lock that makes one process the owner of a data directory, for as long as this process
 * lives.
 *
 * Node has no file locks of its own; an exclusive transaction of SQLite is one (`fcntl`), on an
 * empty file that is never written. The kernel releases it when the process ends, however it ends,
 * so it cannot become stale, and it holds between containers that share a volume, where process
 * numbers and loopback ports say nothing. `directory` must exist. Throws `data-directory-busy` when
 * another process, or another server in this process, has it.
 */
export async function lockDataDirectory(
  directory: string,
  dataDir: string,
  application: Application,
): Promise<Disposable> {
  const holder = path.join(directory, 'service.pid');
  const deadline = performance.now() + patienceMs;
  const file = path.join(directory, 'service.lock');
  await makePrivate(file);
  for (;;) {
    const lock = tryLock(file, application);
    if (lock !== undefined) {
      // Only for the message below: the lock is what counts.
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
 * Makes the lock file for the owner only: a user who can read it can lock it, and so prevent a
 * start.
 *
 * A file that exists is not opened: closing it again would let go of the lock that this process may
 * have on it.
 */
async function makePrivate(file: string): Promise<void> {
  try {
    await writeFile(file, '', { mode: 0o600, flag: 'wx' });
  } catch {
    // It exists, from an older version perhaps; why it cannot be made or used shows when it is
    // locked.
    await chmod(file, 0o600).catch(() => undefined);
  }
}

function tryLock(file: string, { dataDirSetting }: Application): Disposable | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file);
    // A journal in memory: nothing is ever written, and a journal file would be left behind by a
    // killed service.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    const held = database;
    return { [Symbol.dispose]: () => held.close() };
  } catch (error) {
    database?.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return undefined;
    throw new EmbeddedPostgresError(
      'data-directory-unusable',
      `The lock file ${file} cannot be used (${error instanceof Error ? error.message : String(error)}). ` +
        // SQLite takes paths of up to 511 bytes.
        (Buffer.byteLength(file) > 500
          ? `Its path is too long: set ${dataDirSetting} to a directory with a path of less than 480 bytes.`
          : 'Check that this user may write to the directory, and that its file system supports locks.'),
      { cause: error },
    );
  }
}
