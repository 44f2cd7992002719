import { spawn, type ChildProcess } from 'node:child_process';
import { chmod, mkdtemp, readFile, readdir, readlink, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Pool } from 'undici';
import { postgresCpu, processCpu, type CpuTime } from './cpu-time.ts';

const root = path.dirname(import.meta.dirname);

/**
 * The service with default settings in separate processes, on a new data directory that is removed
 * at the end.
 */
export interface BenchService extends AsyncDisposable {
  readonly apiKey: string;
  readonly adminToken: string;
  readonly url: string;
  readonly dataDir: string;
  /** A connection to the same PostgreSQL, for floors and checks. */
  database(): Promise<pg.Client>;
  /** Sends a V5 request, and returns the body of the answer. Throws when it is refused. */
  post(path: string, body: unknown): Promise<Record<string, unknown>>;
  /** Sends a V5 request with the API key of another account than the first. */
  postAs(apiKey: string, path: string, body: unknown): Promise<Record<string, unknown>>;
  /** Calls the operator API. `path` is relative to `/admin/v1`. */
  admin(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
  /** The connection string of the embedded PostgreSQL. */
  databaseUrl(): Promise<string>;
  /** Calls the operator API. `path` is relative to the path of account 1. */
  operator(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
  /**
   * Sends a file to the operator API as a stream, and returns the body of the answer. `path` is
   * relative to account 1.
   */
  sendFile(path: string, file: Readable): Promise<Record<string, unknown>>;
  /**
   * Returns the resident memory of the processes of the service without PostgreSQL, in MiB. Shared
   * pages, such as the program of Node.js, count once.
   */
  memory(): Promise<number>;
  /** Returns the resident memory of the worker process, in MiB. */
  workerMemory(): Promise<number>;
  /** Returns the processor time that all threads of the API process have used, in milliseconds. */
  apiCpu(): Promise<number>;
  /** Returns the processor time that the service and this process have used. */
  cpu(): Promise<CpuTime>;
  /** Restarts the service on its data. */
  restart(): Promise<void>;
  /** Pauses or continues the worker process. */
  signalWorker(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void>;
  /** Resolves when every accepted request is applied. */
  drained(): Promise<void>;
  readonly pool: Pool;
}

/** Starts the service. Everything listens on loopback. */
export async function startBenchService(env: Record<string, string> = {}): Promise<BenchService> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'roster-bench-'));
  // If root starts it, PostgreSQL runs as another user, who must have access to the directory.
  await chmod(dataDir, 0o711);
  const apiKey = 'api-key-of-the-benchmark-of-roster';
  const adminToken = 'the-operator-token-of-the-benchmark';
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const start = (): ChildProcess =>
    spawn(process.execPath, [path.join(root, 'packages/server/src/app/bin/roster.ts'), 'serve'], {
      env: {
        ...process.env,
        PORT: String(port),
        ROSTER_DATA_DIR: dataDir,
        ROSTER_API_KEY: apiKey,
        ROSTER_ADMIN_TOKEN: adminToken,
        LOG_LEVEL: 'warn',
        ...env,
      },
      stdio: ['ignore', 'inherit', 'ignore'],
    });
  let child = start();
  const url = `http://127.0.0.1:${port}`;
  const pool = new Pool(url, { connections: 64 });
  await ready(url, child);

  async function call(method: string, at: string, headers: Record<string, string>, body?: unknown) {
    const answer = await pool.request({
      method,
      path: at,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${method} ${at}: ${answer.statusCode} ${text}`);
    return (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
  }

  return {
    apiKey,
    adminToken,
    url,
    dataDir,
    pool,
    post: (at, body) => call('POST', `/v5${at}`, { 'api-key': apiKey }, body),
    postAs: (key, at, body) => call('POST', `/v5${at}`, { 'api-key': key }, body),
    admin: (method, at, body) => call(method, `/admin/v1${at}`, { authorization: `Bearer ${adminToken}` }, body),
    databaseUrl: () => embeddedUrl(dataDir),
    operator: (method, at, body) =>
      call(method, `/admin/v1/accounts/1${at}`, { authorization: `Bearer ${adminToken}` }, body),
    async sendFile(at, body) {
      const path = `/admin/v1/accounts/1${at}`;
      const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'text/csv' };
      const answer = await pool.request({ method: 'PUT', path, headers, body, bodyTimeout: 0, headersTimeout: 0 });
      const text = await answer.body.text();
      if (answer.statusCode >= 300) throw new Error(`PUT ${at}: ${answer.statusCode} ${text}`);
      return JSON.parse(text) as Record<string, unknown>;
    },
    async database() {
      const client = new pg.Client({ connectionString: await embeddedUrl(dataDir) });
      await client.connect();
      return client;
    },
    async memory() {
      return await residentMiB([child.pid!, ...(await childrenOf(child.pid!))]);
    },
    async workerMemory() {
      return await residentMiB(await workersOf(child.pid!));
    },
    async apiCpu() {
      const [pid] = await apisOf(child.pid!);
      return await processCpu(pid!);
    },
    async cpu() {
      const [api] = await apisOf(child.pid!);
      const [worker] = await workersOf(child.pid!);
      const [postmaster] = await postmasterFile(dataDir);
      const { user, system } = process.cpuUsage();
      return {
        API: await processCpu(api!),
        worker: await processCpu(worker!),
        PostgreSQL: await postgresCpu(Number(postmaster)),
        'load generator': (user + system) / 1000,
      };
    },
    async restart() {
      await stop(child);
      child = start();
      await ready(url, child);
    },
    async signalWorker(signal) {
      for (const pid of await workersOf(child.pid!)) process.kill(pid, signal);
    },
    async drained() {
      // /readyz is not used, because it queries the database only once a second.
      const client = new pg.Client({ connectionString: await embeddedUrl(dataDir) });
      await client.connect();
      while ((await client.query('select from request_queue limit 1')).rowCount !== 0) await sleep(20);
      await client.end();
    },
    async [Symbol.asyncDispose]() {
      await pool.close();
      await stop(child);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

async function ready(url: string, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error('the service ended');
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.status === 200) return;
    await sleep(20);
  }
}

/**
 * Returns the URL of the embedded server. Its port is in postmaster.pid, and its password in a file
 * next to the cluster.
 */
async function embeddedUrl(dataDir: string): Promise<string> {
  const port = (await postmasterFile(dataDir))[3]!.trim();
  const password = (await readFile(path.join(dataDir, 'postgres', 'password'), 'utf8')).trim();
  return `postgresql://roster:${encodeURIComponent(password)}@127.0.0.1:${port}/roster`;
}

/** Returns the lines of postmaster.pid: process id, directory, start time, port, … */
async function postmasterFile(dataDir: string): Promise<string[]> {
  return (await readFile(path.join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8')).split('\n');
}

/** Returns the child processes that run Node, without the embedded PostgreSQL. */
async function childrenOf(pid: number): Promise<number[]> {
  const found: number[] = [];
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
    const parent = Number(/^\d+ \(.*\) \S (\d+)/.exec(stat)?.[1]);
    if (parent !== pid) continue;
    const program = await readlink(`/proc/${entry}/exe`).catch(() => '');
    if (path.basename(program) === 'node') found.push(Number(entry));
  }
  return found;
}

async function workersOf(pid: number): Promise<number[]> {
  return programsOf(pid, 'worker');
}

async function apisOf(pid: number): Promise<number[]> {
  return programsOf(pid, 'api');
}

async function programsOf(pid: number, name: string): Promise<number[]> {
  const commands = await Promise.all(
    (await childrenOf(pid)).map(async (child) => ({
      child,
      command: await readFile(`/proc/${child}/cmdline`, 'utf8'),
    })),
  );
  const found = commands.flatMap(({ child, command }) => (command.includes(`/${name}.m`) ? child : []));
  if (found.length === 0) throw new Error(`the service has no process that runs ${name}`);
  return found;
}

/**
 * Returns the resident memory of processes in MiB: the private memory of each process, and the file
 * pages of the largest process, because all processes run the same program. Linux has exact numbers
 * in smaps_rollup, but reading that takes 10 ms and pauses the process.
 */
async function residentMiB(pids: readonly number[]): Promise<number> {
  const statuses = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')));
  const kib = (status: string, field: string) =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
  const own = statuses.reduce((sum, status) => sum + kib(status, 'RssAnon'), 0);
  return (own + Math.max(...statuses.map((status) => kib(status, 'RssFile')))) / 1024;
}

/** Returns the quantile of measurements: the value below which a `share` of them lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

/** Returns the numbers from 0 to n - 1 in a pseudo-random order that is the same in every run. */
export function shuffled(n: number): number[] {
  const order = Array.from({ length: n }, (_, index) => index);
  const random = randomNumbers(1);
  for (let at = n - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other]!, order[at]!];
  }
  return order;
}

/**
 * Returns a generator of pseudo-random numbers from 0 to 1 (mulberry32). The same seed gives the
 * same sequence.
 */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
