import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import type { Application } from '../application/application.ts';
import type { Log } from '../application/log.ts';
import { EmbeddedPostgresError, systemErrorCode } from '../errors/embedded-postgres-error.ts';

/**
 * Signals for a server that was left behind, one after the other, and how long each may take in
 * milliseconds.
 */
const steps: readonly [NodeJS.Signals, number][] = [
  // A fast shutdown takes some 30 ms, and seconds when its checkpoint has much to write. PostgreSQL
  // 18 never ends when it is told to between the death of one of its processes and the recovery
  // after it, a moment that neither `postmaster.pid` nor its other processes show.
  ['SIGINT', 5_000],
  // An immediate one leaves to recovery at the next start what the checkpoint would have done.
  // After 5 s the server kills those of its processes that are still there, and then ends.
  ['SIGQUIT', 7_000],
  // For a server that is suspended. Only a process that the kernel keeps waiting, for a disk for
  // example, outlives this.
  ['SIGKILL', 5_000],
];

/**
 * Stops the server that a killed service has left behind on this cluster, if there is one, and
 * removes a `postmaster.pid` that names a process which is something else by now.
 *
 * Only for the holder of the lock of the data directory. A server is stopped rather than taken
 * over: its settings are those of the service that started it, its log goes nowhere, and we would
 * not learn of its end.
 */
export async function stopOrphan(cluster: string, application: Application, log: Log): Promise<void> {
  const pidFile = path.join(cluster, 'postmaster.pid');
  const pid = Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0]);
  // 0 would signal our own group, and a negative number is how a single-user server marks itself.
  if (!Number.isInteger(pid) || pid <= 1 || !isAlive(pid)) return;
  if (!(await isPostmaster(pid, cluster))) {
    // The number was given to another process. PostgreSQL would believe the file. What is left of
    // an old server is still noticed without it, by the shared memory segment whose key is the
    // cluster's inode.
    log.info({ pid }, 'postmaster.pid names a process that is not PostgreSQL; it is removed');
    await rm(pidFile, { force: true });
    return;
  }
  log.warn({ pid }, 'A PostgreSQL server was left behind by a service that was killed; it is stopped first');
  for (const [signal, patienceMs] of steps) {
    signalProcess(pid, signal);
    for (const end = performance.now() + patienceMs; performance.now() < end; await sleep(30)) {
      if (!(await isPostmaster(pid, cluster))) return;
    }
  }
  throw new EmbeddedPostgresError(
    'data-directory-busy',
    `A PostgreSQL server (process ${pid}) that was left behind uses ${cluster} and does not stop. End it, then start ${application.title} again.`,
  );
}

/**
 * Whether a process lives and is the postmaster of this cluster: it is named `postgres` and was
 * given the cluster on its command line.
 */
async function isPostmaster(pid: number, cluster: string): Promise<boolean> {
  if (process.platform === 'linux') {
    // Both files can be read without further rights; `cwd`, which would say the same, cannot in
    // most containers. A process that has ended and waits for its parent has an empty command line.
    const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
    const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
    return name.trim() === 'postgres' && words.includes(cluster);
  }
  const { stdout } = await promisify(execFile)('ps', ['-ww', '-p', String(pid), '-o', 'command=']).catch(() => ({
    stdout: '',
  }));
  return stdout.includes('postgres') && stdout.includes(cluster);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemErrorCode(error) === 'EPERM';
  }
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (systemErrorCode(error) !== 'ESRCH') throw error;
  }
}
