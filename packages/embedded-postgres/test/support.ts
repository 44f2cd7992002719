import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readlink, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import pino from 'pino';
import { applicationFrom } from '../src/application/application.ts';
import type { ServerUser } from '../src/machine/server-user.ts';

/** The default names of an application. */
export const application = applicationFrom();

/** A log that writes nothing. */
export const silent = pino({ level: 'silent' });

/** Settings for fast tests. The tests kill processes, never the machine, so fsync is not needed. */
export const quick = { fsync: 'off', shared_buffers: '32MB' };

/**
 * A temporary directory that is removed when it is disposed. Other users can enter it by default.
 */
export async function temporaryDirectory(mode = 0o711): Promise<AsyncDisposable & { readonly path: string }> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'embedded-postgres-'));
  await chmod(directory, mode);
  return {
    path: directory,
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Runs SQL on a new connection. */
export async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** A program of `programs/` in a separate process. Disposing it stops it. */
export interface Program<T> extends AsyncDisposable {
  readonly process: ChildProcess;
  readonly pid: number;
  /** The first line that the program printed, parsed as JSON. */
  readonly said: Promise<T>;
  /** Everything that it wrote to standard output so far. */
  readonly output: () => string;
  /** Everything that it wrote to standard error so far. */
  readonly complaints: () => string;
  /** The exit code, or the signal that ended the program. */
  readonly ended: Promise<number | string>;
}

/** Starts a program of `programs/` with one argument, as another user if given. */
export function runProgram<T>(name: string, argument: unknown, user?: ServerUser): Program<T> {
  const file = path.resolve(import.meta.dirname, 'programs', name);
  const child = spawn(process.execPath, [file, JSON.stringify(argument)], {
    ...user,
    // A separate process group, like in a terminal.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString('utf8')));
  const said = new Promise<T>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line) as T));
    child.once('close', () => reject(new Error(`${name} ended without a word: ${complaints}`)));
  });
  said.catch(() => undefined);
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  return {
    process: child,
    pid: child.pid ?? 0,
    said,
    output: () => output,
    complaints: () => complaints,
    ended,
    async [Symbol.asyncDispose]() {
      // SIGTERM also stops its PostgreSQL. SIGKILL would leave that running.
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await ended;
    },
  };
}

/** The line that `holder.ts` prints. */
export type HolderWord =
  | {
      readonly url: string;
      readonly pid: number;
      readonly clusterDir: string;
      readonly isNew: boolean;
      readonly code?: undefined;
    }
  | { readonly code: string; readonly message: string; readonly url?: undefined };

/** Starts an embedded PostgreSQL in a separate process. */
export const hold = (dataDir: string, user?: ServerUser): Program<HolderWord> =>
  runProgram<HolderWord>('holder.ts', { dataDir, settings: quick }, user);

/**
 * Whether another user can run the programs here. This is impossible in a checkout below a private
 * directory.
 */
export function canRunPrograms(user: ServerUser): boolean {
  const script = '[ -x "$1" ] && [ -r "$2" ]';
  const program = path.join(import.meta.dirname, 'programs', 'holder.ts');
  return spawnSync('/bin/sh', ['-c', script, 'sh', process.execPath, program], { ...user, cwd: '/' }).status === 0;
}

/** Waits until a condition holds, checking it every few milliseconds. Fails after `limitMs`. */
export async function until(condition: () => boolean | Promise<boolean>, limitMs = 30_000): Promise<void> {
  for (const end = performance.now() + limitMs; !(await condition());) {
    if (performance.now() > end) throw new Error(`not within ${limitMs} ms: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/**
 * Kills the guard that would stop the PostgreSQL server, and then the program. This simulates a
 * machine that kills everything except the server.
 */
export async function killWithGuard(program: Program<unknown>, server: number): Promise<void> {
  const { stdout } = spawnSync('ps', ['-ww', '-e', '-o', 'pid=,args='], { encoding: 'utf8' });
  const guards = stdout.split('\n').filter((line) => line.trimEnd().endsWith(`embedded-postgres-guard ${server}`));
  for (const line of guards) process.kill(Number.parseInt(line, 10), 'SIGKILL');
  program.process.kill('SIGKILL');
  await program.ended;
}

/** Whether a process is alive. A zombie is not. */
export async function lives(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform !== 'linux') return true;
  return readlink(`/proc/${pid}/exe`).then(
    () => true,
    () => false,
  );
}
