import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';

import type { Application } from '../application/application.ts';
import type { Log } from '../application/log.ts';

/**
 * Returns the `cluster_name` of a cluster. It is part of the process titles, and distinguishes the
 * processes from those of other servers on this machine.
 */
export async function clusterName(cluster: string, { name }: Application): Promise<string> {
  const { dev, ino } = await stat(cluster);
  return `${name}-${dev}-${ino}`;
}

/**
 * Kills the remaining processes of a server whose postmaster has ended.
 *
 * Normally they end by themselves. But a process can wait for a lock in shared memory whose holder
 * was killed. It then waits for ever, and no server can start on the cluster. Killing it loses
 * nothing: recovery rolls back transactions that were not committed.
 *
 * The caller must hold the lock of the data directory. Call this only after a start failed because
 * the shared memory is in use.
 */
export async function killLeftovers(name: string, log: Log): Promise<void> {
  const pids = await processesOf(name);
  if (pids.length > 0) log.warn({ pids }, 'killing the remaining processes of a PostgreSQL server that has ended');
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      // The process has ended, or belongs to another user. In that case the next start fails with a
      // message.
      log.debug({ pid, err: error }, 'could not kill a process');
    }
  }
}

async function processesOf(name: string): Promise<number[]> {
  const title = `postgres: ${name}: `;
  if (process.platform === 'linux') {
    const pids = (await readdir('/proc')).map(Number).filter((pid) => Number.isInteger(pid));
    const titles = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
    return pids.filter((_, at) => titles[at]!.startsWith(title));
  }
  const { stdout } = await promisify(execFile)('ps', ['-ww', '-A', '-o', 'pid=,command=']).catch(() => ({
    stdout: '',
  }));
  return stdout
    .split('\n')
    .map((line) => /^ *(\d+) (.*)$/.exec(line))
    .filter((found) => found?.[2]?.startsWith(title))
    .map((found) => Number(found![1]));
}
