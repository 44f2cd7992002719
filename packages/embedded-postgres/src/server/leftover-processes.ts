import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';

import type { Application } from '../application/application.ts';
import type { Log } from '../application/log.ts';

/**
 * The `cluster_name` of a cluster, which distinguishes its processes from those of other servers on
 * this machine.
 */
export async function clusterName(cluster: string, { name }: Application): Promise<string> {
  const { dev, ino } = await stat(cluster);
  return `${name}-${dev}-${ino}`;
}

/**
 * Kills the remaining processes of a server whose first process has ended.
 *
 * They end by themselves, except a process that waits for a lock in the shared memory whose holder
 * was killed. It waits forever, so does its client, and no server can start before it has ended.
 * Nothing is lost: recovery removes what was not committed. Only for the holder of the lock of the
 * data directory, when a server was refused because the shared memory is in use.
 */
export async function killLeftovers(name: string, log: Log): Promise<void> {
  const pids = await processesOf(name);
  if (pids.length > 0) log.warn({ pids }, 'processes of a PostgreSQL server that is gone do not end; they are killed');
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      // It is gone, or belongs to somebody whom we may not signal: then the start says what is in
      // its way.
      log.debug({ pid, err: error }, 'a process was not killed');
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
