import { readFile, readdir } from 'node:fs/promises';

/** Who uses processor time in a benchmark: the processes of the service, and the load generator. */
export const cpuUsers = ['API', 'worker', 'PostgreSQL', 'load generator'] as const;

/** Processor time in milliseconds, of all threads. */
export type CpuTime = Readonly<Record<(typeof cpuUsers)[number], number>>;

/** Returns the processor time that all threads of a process have used, in milliseconds. */
export async function processCpu(pid: number): Promise<number> {
  const stat = await statOf(pid);
  return stat === undefined ? 0 : stat.own;
}

/**
 * Returns the processor time of a PostgreSQL server in milliseconds: of the postmaster, of its
 * processes, and of those that have ended.
 */
export async function postgresCpu(postmaster: number): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const stats = await Promise.all(pids.map(statOf));
  let sum = 0;
  for (const [at, stat] of stats.entries()) {
    if (pids[at] === postmaster) sum += (stat?.own ?? 0) + (stat?.ofEnded ?? 0);
    else if (stat?.parent === postmaster) sum += stat.own;
  }
  return sum;
}

/** Returns the processor time between two moments. */
export function cpuBetween(before: CpuTime, after: CpuTime): CpuTime {
  return Object.fromEntries(cpuUsers.map((user) => [user, after[user] - before[user]])) as CpuTime;
}

/** Adds processor times. */
export function addCpu(one: CpuTime, other: CpuTime): CpuTime {
  return Object.fromEntries(cpuUsers.map((user) => [user, one[user] + other[user]])) as CpuTime;
}

/** No processor time, as the start of a sum. */
export const noCpu: CpuTime = { API: 0, worker: 0, PostgreSQL: 0, 'load generator': 0 };

/** Describes processor times for each of `count` contacts or requests. */
export function describeCpu(cpu: CpuTime, count: number, unit: string): string {
  const each = (milliseconds: number): string => ((milliseconds * 1000) / count).toFixed(1);
  const users = cpuUsers.map((user) => `${user} ${each(cpu[user])}`).join(', ');
  const service = cpu.API + cpu.worker + cpu.PostgreSQL;
  return `CPU µs for each ${unit}: ${users}; the service in all ${each(service)}`;
}

/**
 * Measures how fast the machine is now: the processor seconds of `JSON.parse` for 300 bodies.
 * Compare processor times of two runs only if this is about the same.
 */
export function describeCalibration(bodies: readonly Buffer[]): string {
  const texts = bodies.map(String);
  const before = process.cpuUsage();
  for (let n = 0; n < 300; n++) JSON.parse(texts[n % texts.length]!);
  const { user, system } = process.cpuUsage(before);
  return `calibration: JSON.parse of 300 such bodies takes ${((user + system) / 1e6).toFixed(3)} CPU s`;
}

/** Reads the parent of a process, and its processor times in milliseconds. */
async function statOf(pid: number): Promise<{ parent: number; own: number; ofEnded: number } | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  const fields = stat
    .replace(/^.*\) /s, '')
    .split(' ')
    .map(Number);
  // User and system time, in units of 10 ms.
  return { parent: fields[1]!, own: (fields[11]! + fields[12]!) * 10, ofEnded: (fields[13]! + fields[14]!) * 10 };
}
