import { type ChildProcess, fork } from 'node:child_process';
import os from 'node:os';

import type { Logger } from 'pino';

import { availableMiB, planMemory } from '#platform/config/memory-plan.ts';
import { ChildStartError } from './failure.ts';
import type { ChildMessage, ParentMessage } from './messages.ts';

/** What a supervised child runs as. */
export interface SupervisedChildOptions {
  /** Name in the log: `api` or `worker`. */
  readonly role: 'api' | 'worker';
  /** Path of the program, which calls `runChild`. */
  readonly program: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
  /** Gets the metrics that the child publishes. */
  readonly onMetrics: (metrics: unknown) => void;
}

/** The first restart is quick, for the crash that happens once; a child that keeps dying gets ever more time, in milliseconds. */
const restartDelay = { first: 100, most: 10_000 };

/** A child that ends this often without ever having been ready, and without saying why, will not get better. */
const firstStartAttempts = 3;

/** A run that lasted this long counts as healthy: the next crash is a first one again. In milliseconds. */
const healthyMs = 5_000;

// Old objects are collected before they pile up: a thousand contacts are garbage as soon as they are stored. Half the memory under load, for
// some percent of the time; the worker, which everything waits for, gets more room. Large bodies are read in threads with heaps of their own.
const { heapMiB } = planMemory(availableMiB(), os.availableParallelism());
const memory = {
  api: ['--max-semi-space-size=8', '--heap-growing-percent=60', `--max-old-space-size=${heapMiB}`],
  worker: ['--max-semi-space-size=16', '--heap-growing-percent=100'],
};

/** A child process that is started again whenever it ends, until it is told to stop. */
export class SupervisedChild {
  readonly #options: SupervisedChildOptions;
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
    // Whoever awaits it hears of it; nobody may be waiting any more.
    this.#ready.promise.catch(() => undefined);
    this.#spawn();
  }

  /** Process number of the present run; undefined between runs. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Resolves when the child is ready for the first time, with its URL; rejects when its very first start fails. */
  get ready(): Promise<string | undefined> {
    return this.#ready.promise;
  }

  /** Sends a message; dropped when the child is not there to take it. */
  send(message: ParentMessage): void {
    if (this.#process?.connected === true) this.#process.send(message, () => undefined);
  }

  /** From now on the child may end: it is not started again. */
  letEnd(): void {
    this.#isStopping = true;
    clearTimeout(this.#restart);
  }

  /** Stops the child: SIGTERM, and SIGKILL when it takes longer than `patienceMs`. Resolves when it is gone. */
  async stop(patienceMs: number): Promise<void> {
    this.letEnd();
    const child = this.#process;
    if (child === undefined) return;
    child.kill('SIGTERM');
    const limit = setTimeout(() => {
      this.#options.log.warn(
        { role: this.#options.role, pid: child.pid },
        'a process did not stop in time and is killed',
      );
      child.kill('SIGKILL');
    }, patienceMs);
    await this.#exited;
    clearTimeout(limit);
  }

  #spawn(): void {
    const { role, program, env, log, onMetrics } = this.#options;
    const started = performance.now();
    let failure: string | undefined;
    let isReady = false;
    const child = fork(program, [], { env, execArgv: memory[role], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
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
        case 'metrics':
          onMetrics(message.metrics);
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
      // The very first start tells whether the service can run at all: a taken port does not get free by trying again.
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
