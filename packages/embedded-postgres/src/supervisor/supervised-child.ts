import { type ChildProcess, fork } from 'node:child_process';

import { type Log, silentLog } from '../application/log.ts';
import { ChildStartError } from '../errors/child-start-error.ts';
import type { ChildMessage, ParentMessage } from './messages.ts';

/** What a supervised child runs as. */
export interface SupervisedChildOptions {
  /** What the child is for: its name in the log and in messages. */
  readonly role: string;
  /** Path of the program, which calls `runSupervised`. */
  readonly program: string;
  /** Environment of the child; default: that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Arguments for Node, for example `--max-old-space-size=256`. */
  readonly execArgv?: readonly string[];
  /** Default: nothing is logged. */
  readonly log?: Log;
  /** Gets what the child sends with `sendToSupervisor`. */
  readonly onMessage?: (body: unknown) => void;
}

/**
 * The first restart is quick, for the crash that happens once; a child that keeps dying gets ever
 * more time, in milliseconds.
 */
const restartDelay = { first: 100, most: 10_000 };

/**
 * A child that ends this often without ever having been ready, and without saying why, will not get
 * better.
 */
const firstStartAttempts = 3;

/**
 * A run that lasted this long counts as healthy: the next crash is a first one again. In
 * milliseconds.
 */
const healthyMs = 5_000;

/** A child process that is started again whenever it ends, until it is told to stop. */
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
    // Those who await it hear of it; there may be none.
    this.#ready.promise.catch(() => undefined);
    this.#spawn();
  }

  /** Process number of the present run; undefined between runs. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /**
   * Resolves when the child is ready for the first time, with its URL; rejects when its very first
   * start fails.
   */
  get ready(): Promise<string | undefined> {
    return this.#ready.promise;
  }

  /**
   * Sends a value to the child's `onSupervisorMessage`; dropped when the child is not there to take
   * it.
   */
  send(body: unknown): void {
    const message: ParentMessage = { type: 'message', body };
    if (this.#process?.connected === true) this.#process.send(message, () => undefined);
  }

  /** From now on the child may end: it is not started again. */
  letEnd(): void {
    this.#isStopping = true;
    clearTimeout(this.#restart);
  }

  /**
   * Stops the child: SIGTERM, and SIGKILL when it takes longer than `patienceMs`. Resolves when it
   * is gone.
   */
  async stop(patienceMs: number): Promise<void> {
    this.letEnd();
    const child = this.#process;
    if (child === undefined) return;
    child.kill('SIGTERM');
    const limit = setTimeout(() => {
      this.#log.warn({ role: this.#options.role, pid: child.pid }, 'a process did not stop in time and is killed');
      child.kill('SIGKILL');
    }, patienceMs);
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
    let isOver = false;
    const over = (how: Record<string, unknown>): void => {
      if (isOver) return;
      isOver = true;
      this.#process = undefined;
      exited.resolve();
      if (this.#isStopping) return;
      // The very first start tells whether the service can run at all: a taken port does not get
      // free by trying again.
      this.#attempts += 1;
      if (!this.#hasBeenReady && (failure !== undefined || this.#attempts >= firstStartAttempts)) {
        const message = `The ${role} process ended ${this.#attempts} times before it was ready (${JSON.stringify(how)}).`;
        this.#ready.reject(new ChildStartError(failure ?? message));
        return;
      }
      if (isReady && performance.now() - started >= healthyMs) this.#delay = restartDelay.first;
      log.error(
        { role, pid: child.pid, ...how, failure, restartMs: this.#delay },
        'process ended; it is started again',
      );
      this.#restart = setTimeout(() => this.#spawn(), this.#delay);
      this.#delay = Math.min(this.#delay * 2, restartDelay.most);
    };
    child.once('error', (error) => over({ err: error }));
    child.once('exit', (code, signal) => over({ code, signal }));
  }
}
