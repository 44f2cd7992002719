import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Application } from '../application/application.ts';
import type { Log } from '../application/log.ts';
import { stopWithParent } from './stop-with-parent.ts';
import { spawnOptions, type ServerUser } from '../machine/server-user.ts';
import type { PostgresSettings } from './tuned-settings.ts';

/** What a postmaster (the first process of a PostgreSQL server) is started with. */
export interface PostmasterOptions {
  readonly application: Application;
  readonly program: string;
  readonly cluster: string;
  readonly port: number;
  readonly settings: PostgresSettings;
  readonly user: ServerUser | undefined;
  /** Gets the server's lines at debug level; the settings keep personal data out of them. */
  readonly log: Log;
}

/** Lines that are kept for error messages. */
const keptLines = 12;

/** How long a server that has ended is waited for to say why; in milliseconds. */
const lastLinesMs = 500;

/**
 * How long a server that is told to stop may take before the next, harsher signal; in milliseconds.
 */
export interface StopPatience {
  /** For a fast shutdown: connections are closed, a checkpoint is written. */
  readonly fastMs: number;
  /** For an immediate one, which leaves recovery to the next start. */
  readonly immediateMs: number;
}

/** One run of the PostgreSQL server, from spawn to exit. */
export class Postmaster {
  readonly #child: ChildProcess;
  readonly #lines: string[] = [];
  readonly #ready: Promise<boolean>;
  /** Resolves when the process is gone; never rejects. */
  readonly exited: Promise<void>;

  constructor({ application, program, cluster, port, settings, user, log }: PostmasterOptions) {
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    // Detached: Ctrl-C in a terminal signals the whole group, and the database must outlive the
    // processes that use it. When this process is killed, the guard stops it.
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
      // 'close' comes after the last line has been read; not while another process of the server
      // holds the pipe, and one can hang.
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
      if (line.includes('database system is ready to accept connections')) ready.resolve(true);
    });
  }

  /** Process number; undefined when it could not be spawned. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** The last lines of the server's log. */
  get lastLines(): string {
    return this.#lines.join('\n');
  }

  /**
   * Waits until the server takes connections (true) or has ended (false). Crash recovery may take a
   * while; there is no time limit.
   */
  whenReady(): Promise<boolean> {
    return this.#ready;
  }

  /** Stops the server: fast, then immediate, then by SIGKILL. Resolves when it is gone. */
  async stop(patience: StopPatience): Promise<void> {
    const steps: [NodeJS.Signals, number][] = [
      ['SIGINT', patience.fastMs],
      ['SIGQUIT', patience.immediateMs],
      ['SIGKILL', 1_000],
    ];
    for (const [signal, ms] of steps) {
      this.#child.kill(signal);
      if (await within(this.exited, ms)) return;
    }
  }
}

/** Whether a promise settles within a time; in milliseconds. */
async function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const timeout = new AbortController();
  try {
    return await Promise.race([promise.then(() => true), sleep(ms, false, { signal: timeout.signal })]);
  } finally {
    timeout.abort();
  }
}
