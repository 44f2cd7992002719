import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import type { Application } from '../application/application.ts';
import type { Log } from '../application/log.ts';
import { EmbeddedPostgresError, systemErrorCode } from '../errors/embedded-postgres-error.ts';

/** The signals that stop an orphaned server, and the milliseconds to wait after each. */
const steps: readonly [NodeJS.Signals, number][] = [
  // A fast shutdown takes about 30 ms, or seconds if its checkpoint is large. It never completes in
  // PostgreSQL 18 if it arrives between the crash of a server process and the recovery. That state
  // cannot be detected from outside.
  ['SIGINT', 5_000],
  // An immediate shutdown writes no checkpoint, so the next start needs a recovery. After 5 s, the
  // server kills its remaining processes and ends.
  ['SIGQUIT', 7_000],
  // For a suspended server. A process survives SIGKILL only while it waits in the kernel, for
  // example for a disk.
  ['SIGKILL', 5_000],
];

/**
 * Stops a server that a killed service left running on this cluster. Removes `postmaster.pid` if
 * its process id now belongs to another program.
 *
 * The caller must hold the lock of the data directory. The server is stopped and not reused: it has
 * the settings of the old service, its log is lost, and this process would not notice its exit.
 */
export async function stopOrphan(cluster: string, application: Application, log: Log): Promise<void> {
  const pidFile = path.join(cluster, 'postmaster.pid');
  const pid = Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0]);
  // Signalling 0 would signal this process group. A single-user server writes a negative number.
  if (!Number.isInteger(pid) || pid <= 1 || !isAlive(pid)) return;
  if (!(await isPostmaster(pid, cluster))) {
    // The system has reused the process id. PostgreSQL would refuse to start because of the file.
    // Without the file, PostgreSQL still detects remaining processes of an old server, by the
    // shared memory segment whose key is the inode of the cluster.
    log.info({ pid }, 'postmaster.pid names a process that is not PostgreSQL; removing the file');
    await rm(pidFile, { force: true });
    return;
  }
  log.warn({ pid }, 'stopping a PostgreSQL server that a killed service left running');
  for (const [signal, timeoutMs] of steps) {
    signalProcess(pid, signal);
    for (const end = performance.now() + timeoutMs; performance.now() < end; await sleep(30)) {
      if (!(await isPostmaster(pid, cluster))) return;
    }
  }
  throw new EmbeddedPostgresError(
    'data-directory-busy',
    `An old PostgreSQL server (process ${pid}) still uses ${cluster} and does not stop. Kill that process, then start ${application.title} again.`,
  );
}

/**
 * Tells whether a process is the running postmaster of this cluster: its name is `postgres`, and
 * its command line has the real path of the cluster.
 */
export async function isPostmaster(pid: number, cluster: string): Promise<boolean> {
  if (process.platform === 'linux') {
    // Any user can read both files. `cwd` would be enough, but cannot be read in most containers.
    // A zombie process has an empty command line.
    const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
    const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
    return name.trim() === 'postgres' && words.includes(cluster);
  }
  const { stdout } = await promisify(execFile)('ps', ['-ww', '-p', String(pid), '-o', 'command=']).catch(() => ({
    stdout: '',
  }));
  return stdout.includes('postgres') && stdout.includes(cluster);
}

/** Tells whether a process is running, also if it belongs to another user. */
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
