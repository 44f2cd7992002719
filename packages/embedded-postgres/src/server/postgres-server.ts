import { setTimeout as sleep } from 'node:timers/promises';

import type { Application } from '../application/application.ts';
import type { Log } from '../application/log.ts';
import { diskFull, saysDiskFull } from '../machine/disk-space.ts';
import { EmbeddedPostgresError } from '../errors/embedded-postgres-error.ts';
import { clusterName, killLeftovers } from './leftover-processes.ts';
import { freePort } from '../machine/free-port.ts';
import { Postmaster, type StopPatience } from './postmaster.ts';
import type { ServerUser } from '../machine/server-user.ts';
import type { PostgresSettings } from './tuned-settings.ts';

/** What a server needs to start, and to start again. */
export interface PostgresServerOptions {
  readonly application: Application;
  readonly program: string;
  readonly cluster: string;
  readonly user: ServerUser | undefined;
  readonly settings: PostgresSettings;
  readonly log: Log;
  /** Ends a start that is under way. */
  readonly signal: AbortSignal;
}

/**
 * How long a start waits for processes of the previous server, or for its port; in milliseconds.
 */
const patienceMs = 15_000;

/** Processes of the previous server that still run after this time are killed, in milliseconds. */
const leftoversMs = 1_000;
const sharedMemoryInUse = 'pre-existing shared memory block';

/**
 * Unless the caller is in a hurry: the checkpoint of a fast shutdown after heavy load takes
 * seconds, and saves the recovery at the next start.
 */
const defaultStop: StopPatience = { fastMs: 20_000, immediateMs: 5_000 };

/** A start is given up when the program must end, which may take 10 s after SIGTERM. */
const abortStop: StopPatience = { fastMs: 2_000, immediateMs: 500 };

/** A PostgreSQL server on one cluster and one port, over restarts. */
export class PostgresServer {
  readonly #options: PostgresServerOptions;
  readonly #listeners: (() => void)[] = [];
  #port: number | undefined;
  #postmaster: Postmaster | undefined;
  #isStopping = false;

  constructor(options: PostgresServerOptions) {
    this.#options = options;
  }

  /** Process number of the postmaster, while there is one. */
  get pid(): number | undefined {
    return this.#postmaster?.pid;
  }

  /** Calls `listener` whenever the server ends without having been told to. */
  onExit(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Starts the server unless it runs, and returns its port: a free one at first, the same one ever
   * after, since pools know it.
   *
   * Throws `disk-full`, `version-mismatch`, `aborted` or `start-failed`.
   */
  async start(): Promise<number> {
    const { application, program, cluster, user, settings, log, signal } = this.#options;
    if (this.#postmaster !== undefined && this.#port !== undefined) return this.#port;
    const name = await clusterName(cluster, application);
    const began = performance.now();
    for (;;) {
      const port = this.#port ?? (await freePort());
      if (this.#isStopping || signal.aborted) throw aborted();
      const postmaster = new Postmaster({
        application,
        program,
        cluster,
        port,
        settings: { ...settings, cluster_name: name },
        user,
        log,
      });
      this.#postmaster = postmaster;
      const abort = (): void => void postmaster.stop(abortStop);
      signal.addEventListener('abort', abort, { once: true });
      const isReady = await postmaster.whenReady();
      signal.removeEventListener('abort', abort);
      if (isReady && !signal.aborted) {
        this.#port = port;
        this.#watch(postmaster);
        return port;
      }
      await postmaster.exited;
      this.#postmaster = undefined;
      if (signal.aborted) throw aborted();
      const waited = performance.now() - began;
      if (!passes(postmaster.lastLines) || waited > patienceMs)
        throw startFailed(cluster, postmaster.lastLines, application);
      log.info({ lines: postmaster.lastLines }, 'PostgreSQL did not start yet; it is tried again');
      if (waited > leftoversMs && postmaster.lastLines.includes(sharedMemoryInUse)) await killLeftovers(name, log);
      await sleep(100);
    }
  }

  /** Stops the server for good. */
  async stop(patience: StopPatience = defaultStop): Promise<void> {
    this.#isStopping = true;
    await this.#postmaster?.stop(patience);
  }

  #watch(postmaster: Postmaster): void {
    void postmaster.exited.then(() => {
      this.#postmaster = undefined;
      if (this.#isStopping) return undefined;
      for (const listener of this.#listeners) listener();
      return undefined;
    });
  }
}

/** Whether the reason of a failed start goes away by waiting, or with another port. */
const passes = (lines: string): boolean =>
  lines.includes(sharedMemoryInUse) ||
  /Address already in use|could not create any TCP\/IP sockets|lock file .* already exists/.test(lines);

const aborted = (): EmbeddedPostgresError =>
  new EmbeddedPostgresError('aborted', 'The start of the embedded PostgreSQL was given up.');

function startFailed(cluster: string, lines: string, application: Application): EmbeddedPostgresError {
  if (saysDiskFull(lines)) return diskFull(cluster, 'the disk is full', application);
  return new EmbeddedPostgresError(
    'start-failed',
    `PostgreSQL did not start on ${cluster}. Its last lines say why:\n${lines}`,
  );
}
