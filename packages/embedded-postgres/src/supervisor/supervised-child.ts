import { type ChildProcess, fork } from 'node:child_process';

import { type Log, silentLog } from '../application/log.ts';
import type { ChildMessage, ParentMessage } from './messages.ts';

/** The first start of a child failed. The message comes from the child. */
export class ChildStartError extends Error {
  override readonly name = 'ChildStartError';
}

/** Options of {@link SupervisedChild}. */
export interface SupervisedChildOptions {
  /** Name of the child in the log and in messages. */
  readonly role: string;
  /** Path of the program, which calls `runSupervised`. */
  readonly program: string;
  /** Environment of the child; default: the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Arguments for Node, for example `--max-old-space-size=256`. */
  readonly execArgv?: readonly string[];
  /** Default: nothing is logged. */
  readonly log?: Log;
  /** Receives the values that the child sends with `sendToSupervisor`. */
  readonly onMessage?: (body: unknown) => void;
}

/** Milliseconds before a restart. The delay doubles after each crash, up to the maximum. */
const restartDelay = { first: 100, max: 10_000 };

/** A child that was never ready, and sent no error, fails after this number of starts. */
const firstStartAttempts = 3;

/** After a run of this many milliseconds, the restart delay is reset to its first value. */
const healthyMs = 5_000;

/** A child process that is restarted each time it ends, until it is stopped. */
export class SupervisedChild {
  readonly #options: SupervisedChildOptions;
  readonly #log: Log;
  readonly #ready = Promise.withResolvers<string | undefined>();
  #process: ChildProcess | undefined;
  #exited: Promise<void> = Promise.resolve();
  #restart: NodeJS.Timeout | undefined;
  #hasBeenReady = false;
  #attempts = 0;
  #isStopping = false;
  #delay = restartDelay.first;

  constructor(options: SupervisedChildOptions) {
    this.#options = options;
    this.#log = options.log ?? silentLog;
    // The caller may not await `ready`. Without this, its rejection would be unhandled.
    this.#ready.promise.catch(() => undefined);
    this.#spawn();
  }

  /** Process id of the current run; undefined between runs. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /**
   * Resolves with the URL of the child when it is ready for the first time. Rejects with a
   * {@link ChildStartError} if its first start fails.
   */
  get ready(): Promise<string | undefined> {
    return this.#ready.promise;
  }

  /** Sends a value to the child's `onSupervisorMessage`. Drops it if the child is not connected. */
  send(body: unknown): void {
    const message: ParentMessage = { type: 'message', body };
    if (this.#process?.connected === true) this.#process.send(message, () => undefined);
  }

  /** Turns off restarts. Call it before the child is allowed to end. */
  stopRestarting(): void {
    this.#isStopping = true;
    clearTimeout(this.#restart);
  }

  /**
   * Stops the child with SIGTERM, and with SIGKILL after `timeoutMs`. Resolves when the process has
   * ended.
   */
  async stop(timeoutMs: number): Promise<void> {
    this.stopRestarting();
    const child = this.#process;
    if (child === undefined) return;
    child.kill('SIGTERM');
    const limit = setTimeout(() => {
      this.#log.warn({ role: this.#options.role, pid: child.pid }, 'the process did not stop in time; killing it');
      child.kill('SIGKILL');
    }, timeoutMs);
    await this.#exited;
    clearTimeout(limit);
  }

  #spawn(): void {
    const { role, program, env, execArgv = [], onMessage } = this.#options;
    const log = this.#log;
    const started = performance.now();
    let failure: string | undefined;
    let isReady = false;
    const child = fork(program, [], {
      ...(env === undefined ? {} : { env }),
      execArgv: [...execArgv],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#process = child;
    child.on('message', (message: ChildMessage) => {
      switch (message.type) {
        case 'ready':
          isReady = true;
          this.#hasBeenReady = true;
          log.info({ role, pid: child.pid, ms: Math.round(performance.now() - started) }, 'process ready');
          this.#ready.resolve(message.url);
          break;
        case 'failed':
          failure = message.message;
          break;
        case 'message':
          onMessage?.(message.body);
          break;
        default:
          message satisfies never;
      }
    });
    const exited = Promise.withResolvers<void>();
    this.#exited = exited.promise;
    let hasEnded = false;
    const ended = (how: Record<string, unknown>): void => {
      if (hasEnded) return;
      hasEnded = true;
      this.#process = undefined;
      exited.resolve();
      if (this.#isStopping) return;
      // A first start that fails is not retried: its cause, such as a port that is taken, usually
      // stays.
      this.#attempts += 1;
      if (!this.#hasBeenReady && (failure !== undefined || this.#attempts >= firstStartAttempts)) {
        const message = `The ${role} process ended ${this.#attempts} times before it was ready (${JSON.stringify(how)}).`;
        this.#ready.reject(new ChildStartError(failure ?? message));
        return;
      }
      if (isReady && performance.now() - started >= healthyMs) this.#delay = restartDelay.first;
      log.error({ role, pid: child.pid, ...how, failure, restartMs: this.#delay }, 'process ended; restarting it');
      this.#restart = setTimeout(() => this.#spawn(), this.#delay);
      this.#delay = Math.min(this.#delay * 2, restartDelay.max);
    };
    child.once('error', (error) => ended({ err: error }));
    child.once('exit', (code, signal) => ended({ code, signal }));
  }
}
