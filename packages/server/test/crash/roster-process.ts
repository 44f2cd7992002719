import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { onEnd } from './cleanup.ts';
import { guardedEnvironment } from '../support/guarded-environment.ts';

const program = path.join(import.meta.dirname, '..', '..', 'src', 'app', 'bin', 'roster.ts');

/** How many lines of the log are kept to explain a failure. */
const keptLines = 300;

/** How a process ended, and how many milliseconds that took. */
export interface Ending {
  readonly code: number | null;
  readonly signal: string | null;
  readonly milliseconds: number;
}

/**
 * A `roster serve` process. It has its own process group, together with the processes that it
 * forks.
 */
export class RosterProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #lines: string[] = [];

  /** Starts the process. `onLine` gets every line of its output. */
  constructor(env: Readonly<Record<string, string>>, onLine: (line: string) => void = () => undefined) {
    // The process inherits only these variables. A DATABASE_URL of the developer must not be among
    // them.
    const inherited = {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      TMPDIR: process.env['TMPDIR'] ?? '',
    };
    this.#child = spawn(process.execPath, [program, 'serve'], {
      env: { ...guardedEnvironment, ...inherited, ...env },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#exited = once(this.#child, 'exit');
    const forget = onEnd(() => this.killGroup());
    void this.#exited.then(forget);
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on('line', (line) => {
        onLine(line);
        this.#lines.push(line);
        if (this.#lines.length > keptLines) this.#lines.shift();
      });
    }
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /**
   * The last lines at level warn or above, and lines that are neither log lines nor the greeting.
   */
  get complaints(): readonly string[] {
    const isLog = (line: string): boolean => line.startsWith('{"level":');
    return this.#lines.filter((line) => (isLog(line) ? Number(line.slice(9, 11)) >= 40 : !/^( {2}|$)/.test(line)));
  }

  /** Resolves when the process has ended. */
  async ended(): Promise<Ending> {
    const began = performance.now();
    await this.#exited;
    const { exitCode, signalCode } = this.#child;
    return { code: exitCode, signal: signalCode, milliseconds: performance.now() - began };
  }

  /** Asks the process to stop, and waits until it has ended. */
  async stop(): Promise<Ending> {
    this.#child.kill('SIGTERM');
    return this.ended();
  }

  /** Pauses the process like a machine that hangs. {@link resume} lets it continue. */
  pause(): void {
    if (!this.hasEnded) this.#child.kill('SIGSTOP');
  }

  /** Lets a paused process continue. */
  resume(): void {
    if (!this.hasEnded) this.#child.kill('SIGCONT');
  }

  /** Kills the process, but not the processes that it started. */
  kill(): boolean {
    return !this.hasEnded && this.#child.kill('SIGKILL');
  }

  /** Kills the process and the processes that it forked. PostgreSQL is not in this group. */
  killGroup(): boolean {
    if (this.pid <= 1) return false;
    try {
      return process.kill(-this.pid, 'SIGKILL');
    } catch {
      return false;
    }
  }
}
