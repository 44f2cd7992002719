import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** A process as the system lists it. */
export interface ProcessInfo {
  readonly pid: number;
  readonly parent: number;
  /** The command line, or the title that the process gave itself, as PostgreSQL does. */
  readonly command: string;
}

/** Lists all processes of the machine. Zombies have no command and are left out. */
export async function processTable(): Promise<ProcessInfo[]> {
  if (process.platform !== 'linux') return listedByPs();
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid): Promise<ProcessInfo | undefined> => {
      try {
        const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
        const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
        // The name in parentheses may itself have spaces and parentheses.
        const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
        return command === '' ? undefined : { pid: Number(pid), parent, command };
      } catch {
        // The process ended in the meantime.
        return undefined;
      }
    }),
  );
  return found.filter((entry) => entry !== undefined);
}

async function listedByPs(): Promise<ProcessInfo[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,ppid=,command='], {
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(.+)$/.exec(line);
    return match === null ? [] : [{ pid: Number(match[1]), parent: Number(match[2]), command: match[3]! }];
  });
}

/**
 * Tells whether a command line is that of a program of the service, such as `worker`, from its
 * sources or from its build.
 */
export function isProgram(command: string, name: string): boolean {
  return /\/([\w-]+)\.m[jt]s$/.exec(command)?.[1] === name;
}

/** The descendants of a process, at any depth. */
export function descendants(table: readonly ProcessInfo[], pid: number): ProcessInfo[] {
  const children = table.filter((entry) => entry.parent === pid);
  return children.flatMap((child) => [child, ...descendants(table, child.pid)]);
}

/** Kills a process with SIGKILL. Returns false if it does not exist any more. */
export function killHard(pid: number): boolean {
  // 0 and negative numbers would mean process groups, including our own.
  if (!Number.isInteger(pid) || pid <= 1) return false;
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    return false;
  }
}
