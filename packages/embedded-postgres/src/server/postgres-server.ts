import { setTimeout as sleep } from 'node:timers/promises';

import type { Application } from '../application/application.ts';
import type { Log } from '../application/log.ts';
import { diskFull, saysDiskFull } from '../machine/disk-space.ts';
import { EmbeddedPostgresError, startCancelled } from '../errors/embedded-postgres-error.ts';
import { clusterName, killLeftovers } from './leftover-processes.ts';
import { freePort } from '../machine/free-port.ts';
import { Postmaster, type StopTimeouts } from './postmaster.ts';
import type { ServerUser } from '../machine/server-user.ts';
import type { PostgresSettings } from './tuned-settings.ts';

/** Options of {@link PostgresServer}. */
export interface PostgresServerOptions {
  readonly application: Application;
  readonly program: string;
  readonly cluster: string;
  readonly user: ServerUser | undefined;
  readonly settings: PostgresSettings;
  readonly log: Log;
  /** Cancels a start. */
  readonly signal: AbortSignal;
}

/** Milliseconds that a start waits for processes of the previous server, or for the port. */
const maxWaitMs = 15_000;

/** Milliseconds after which a start kills the remaining processes of the previous server. */
const leftoversMs = 1_000;
const sharedMemoryInUse = 'pre-existing shared memory block';

/**
 * A fast shutdown writes a checkpoint. After heavy load that takes seconds, but the next start then
 * needs no recovery.
 */
const defaultStop: StopTimeouts = { fastMs: 20_000, immediateMs: 5_000 };

/** A program that is told to stop during the start must usually end within 10 s. */
const abortStop: StopTimeouts = { fastMs: 2_000, immediateMs: 500 };

/** A PostgreSQL server on one cluster. It keeps its port over restarts. */
export class PostgresServer {
  readonly #options: PostgresServerOptions;
  readonly #listeners: ((lastLines: string) => void)[] = [];
  #port: number | undefined;
  #postmaster: Postmaster | undefined;
  #isStopping = false;

  constructor(options: PostgresServerOptions) {
    this.#options = options;
  }

  /** Process id of the postmaster; undefined while the server is down. */
  get pid(): number | undefined {
    return this.#postmaster?.pid;
  }

  /** Calls `listener` with the last lines of its log each time the server ends unexpectedly. */
  onExit(listener: (lastLines: string) => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Starts the server unless it is running, and returns its port. The first start chooses a free
   * port. Later starts use the same one, so that connection pools can reconnect.
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
      if (this.#isStopping || signal.aborted) throw startCancelled();
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
      // A server that is stopped while it starts can become ready first.
      if (isReady && !this.#isStopping && !signal.aborted) {
        this.#port = port;
        this.#watch(postmaster);
        return port;
      }
      await postmaster.exited;
      this.#postmaster = undefined;
      if (this.#isStopping || signal.aborted) throw startCancelled();
      const waited = performance.now() - began;
      if (!isTemporary(postmaster.lastLines) || waited > maxWaitMs)
        throw startFailed(cluster, postmaster.lastLines, application);
      log.info({ lines: postmaster.lastLines }, 'PostgreSQL could not start yet; retrying');
      if (waited > leftoversMs && postmaster.lastLines.includes(sharedMemoryInUse)) await killLeftovers(name, log);
      await sleep(100);
    }
  }

  /** Stops the server for good. */
  async stop(timeouts: StopTimeouts = defaultStop): Promise<void> {
    this.#isStopping = true;
    await this.#postmaster?.stop(timeouts);
  }

  #watch(postmaster: Postmaster): void {
    void postmaster.exited.then(() => {
      this.#postmaster = undefined;
      if (this.#isStopping) return undefined;
      for (const listener of this.#listeners) listener(postmaster.lastLines);
      return undefined;
    });
  }
}

/** Tells whether a failed start can succeed later, or with another port. */
const isTemporary = (lines: string): boolean =>
  lines.includes(sharedMemoryInUse) ||
  /Address already in use|could not create any TCP\/IP sockets|lock file .* already exists/.test(lines);

function startFailed(cluster: string, lines: string, application: Application): EmbeddedPostgresError {
  if (saysDiskFull(lines)) return diskFull(cluster, 'the disk is full', application);
  return new EmbeddedPostgresError(
    'start-failed',
    `PostgreSQL did not start on ${cluster}. The last lines of its log say why:\n${lines}`,
  );
}
