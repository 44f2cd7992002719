import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Application } from '../application/application.ts';
import type { Log } from '../application/log.ts';
import { stopWithParent } from './stop-with-parent.ts';
import { spawnOptions, type ServerUser } from '../machine/server-user.ts';
import type { PostgresSettings } from './tuned-settings.ts';

/** Options of {@link Postmaster}. */
export interface PostmasterOptions {
  readonly application: Application;
  readonly program: string;
  readonly cluster: string;
  readonly port: number;
  readonly settings: PostgresSettings;
  readonly user: ServerUser | undefined;
  /**
   * Receives the log lines of the server at level debug. {@link tunedSettings} excludes personal
   * data.
   */
  readonly log: Log;
}

/** Number of log lines that are kept for error messages. */
const keptLines = 12;

/** Milliseconds to wait for the last log lines after the process has exited. */
const lastLinesMs = 500;

/** Milliseconds that each step of a shutdown may take before the next, harsher signal is sent. */
export interface StopTimeouts {
  /** For a fast shutdown, which closes all connections and writes a checkpoint. */
  readonly fastMs: number;
  /** For an immediate shutdown. The next start then needs a recovery. */
  readonly immediateMs: number;
}

/** One run of the postmaster, which is the first process of a PostgreSQL server. */
export class Postmaster {
  readonly #child: ChildProcess;
  readonly #lines: string[] = [];
  readonly #ready: Promise<boolean>;
  /** Resolves when the process is gone; never rejects. */
  readonly exited: Promise<void>;

  constructor({ application, program, cluster, port, settings, user, log }: PostmasterOptions) {
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    // `spawnOptions` detaches the server. Ctrl-C in a terminal signals the whole process group, but
    // the database must outlive the processes that use it. If this process is killed, the guard
    // stops it.
    this.#child = spawn(program, ['-D', cluster, '-p', String(port), ...flags], {
      ...spawnOptions(user),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const { pid } = this.#child;
    const endGuard = pid === undefined ? () => undefined : stopWithParent(pid, user, application);
    this.exited = new Promise((resolve) => {
      this.#child.once('error', (error) => {
        this.#lines.push(error.message);
        resolve();
      });
      // 'close' follows the last log line. It does not come while another process of the server
      // hangs and holds the pipe, hence the timeout after 'exit'.
      this.#child.once('close', () => resolve());
      this.#child.once('exit', () => setTimeout(resolve, lastLinesMs));
    });
    const ready = Promise.withResolvers<boolean>();
    this.#ready = ready.promise;
    void this.exited.then(() => {
      endGuard();
      ready.resolve(false);
      return undefined;
    });
    if (this.#child.stderr === null) return;
    createInterface({ input: this.#child.stderr }).on('line', (line) => {
      this.#lines.push(line);
      if (this.#lines.length > keptLines) this.#lines.shift();
      log.debug({ source: 'postgres' }, line);
      if (line.includes('automatic recovery in progress')) {
        log.info({}, 'PostgreSQL was not shut down properly and is recovering. This can take minutes');
      }
      if (line.includes('database system is ready to accept connections')) ready.resolve(true);
    });
  }

  /** Process id; undefined if the process could not be spawned. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** The last lines of the log of the server. */
  get lastLines(): string {
    return this.#lines.join('\n');
  }

  /**
   * Waits until the server accepts connections (true) or has ended (false). There is no timeout,
   * because crash recovery can take long.
   */
  whenReady(): Promise<boolean> {
    return this.#ready;
  }

  /**
   * Stops the server: by a fast shutdown, then an immediate shutdown, then SIGKILL. Resolves when
   * it has ended.
   */
  async stop(timeouts: StopTimeouts): Promise<void> {
    const steps: [NodeJS.Signals, number][] = [
      ['SIGINT', timeouts.fastMs],
      ['SIGQUIT', timeouts.immediateMs],
      ['SIGKILL', 1_000],
    ];
    for (const [signal, ms] of steps) {
      this.#child.kill(signal);
      if (await within(this.exited, ms)) return;
    }
  }
}

/** Tells whether a promise settles within some milliseconds. */
async function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const timeout = new AbortController();
  try {
    return await Promise.race([promise.then(() => true), sleep(ms, false, { signal: timeout.signal })]);
  } finally {
    timeout.abort();
  }
}
