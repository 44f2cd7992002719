import os from 'node:os';
import path from 'node:path';

import type { Logger } from 'pino';

import type { Config } from '#platform/config/config.ts';
import { availableMiB, planMemory } from '#platform/config/memory-plan.ts';
import { keepBaseBackups } from '#features/backups/archive/keep-base-backups.ts';
import { startOwnPostgres } from '#features/backups/archive/own-postgres.ts';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  restartOnExit,
  SupervisedChild,
} from '@roster/embedded-postgres';

/** What a supervisor is started with. */
export interface SupervisorOptions {
  readonly config: Config;
  readonly log: Logger;
  /** Token of the operator API; the children get it in their environment. */
  readonly adminToken: string;
  /** Brings the database into the state that the children expect: migrations, the first account. */
  readonly prepare: (databaseUrl: string) => Promise<void>;
  /** Environment that the children inherit; their own settings are added. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Gives the start up, or stops what was started. */
  readonly signal: AbortSignal;
  /** Paths of the child programs; default `processes/api.mts` and `processes/worker.mts`. */
  readonly programs?: { readonly api: string; readonly worker: string };
  /** Options of the embedded PostgreSQL beyond those that the configuration gives; for tests. */
  readonly embedded?: Pick<EmbeddedPostgresOptions, 'settings' | 'systemDir'>;
}

/** A running service with `ROSTER_ROLE=all`; disposing of it stops everything within 10 s. */
export interface Supervisor extends AsyncDisposable {
  /** Where the API listens. */
  readonly url: string;
  /** Process numbers at this moment, for tests and diagnosis; undefined for what is being started again or is not ours. */
  readonly pids: {
    readonly api: number | undefined;
    readonly worker: number | undefined;
    readonly postgres: number | undefined;
  };
}

const bin = path.join(import.meta.dirname, '..', 'processes');

// Old objects are collected before they pile up: a thousand contacts are garbage as soon as they are stored. This halves the
// memory under load and costs some percent of the time. The worker, which everything waits for, gets more room. Large bodies
// are read in threads with heaps of their own.
const { heapMiB } = planMemory(availableMiB(), os.availableParallelism());
const memory = {
  api: ['--max-semi-space-size=8', '--heap-growing-percent=60', `--max-old-space-size=${heapMiB}`],
  worker: ['--max-semi-space-size=16', '--heap-growing-percent=100'],
};

/** Milliseconds after the begin of a stop at which each part is cut short; everything must be gone after 10 s. */
const stopBy = { api: 5_000, worker: 7_500, postgres: 9_300 };

/**
 * Starts the whole service: the embedded PostgreSQL unless `DATABASE_URL` is set, then the API and the worker, each in
 * a process of its own so that neither waits for the other's event loop. Returns when both are ready.
 *
 * Whatever ends without being told to is started again. Throws the failure of the first start of any part
 * (`EmbeddedPostgresError`, what `prepare` throws, `ChildStartError`), after stopping the others.
 */
export async function startSupervisor(options: SupervisorOptions): Promise<Supervisor> {
  const {
    config,
    log,
    signal,
    programs = { api: path.join(bin, 'api.mts'), worker: path.join(bin, 'worker.mts') },
  } = options;
  let postgres: EmbeddedPostgres | undefined;
  let baseBackups: AsyncDisposable | undefined;
  let api: SupervisedChild | undefined;
  let worker: SupervisedChild | undefined;

  const stop = async (): Promise<void> => {
    const began = performance.now();
    const left = (deadline: number): number => Math.max(200, deadline - (performance.now() - began));
    // A signal to the whole group ends the worker while the API is still being waited for.
    for (const child of [api, worker]) child?.letEnd();
    // The API first: what it has accepted by then is in the database, and the worker may still be applying it.
    await api?.stop(left(stopBy.api));
    await worker?.stop(left(stopBy.worker));
    await baseBackups?.[Symbol.asyncDispose]();
    await postgres?.stop({ fastMs: left(stopBy.postgres), immediateMs: 300 });
  };

  try {
    let databaseUrl = config.databaseUrl;
    if (databaseUrl === undefined) {
      postgres = await startOwnPostgres(config, { log, signal, ...options.embedded });
      restartOnExit(postgres, log);
      databaseUrl = postgres.url;
    }
    signal.throwIfAborted();
    await options.prepare(databaseUrl);
    signal.throwIfAborted();

    // Not before the schema is there, which knows of them.
    if (postgres !== undefined && config.walArchive !== undefined)
      baseBackups = keepBaseBackups({ config, postgres, log, now: () => new Date() });
    const env = { ...options.env, DATABASE_URL: databaseUrl, ROSTER_ADMIN_TOKEN: options.adminToken };
    api = new SupervisedChild({
      role: 'api',
      program: programs.api,
      env: { ...env, ROSTER_ROLE: 'api' },
      log,
      execArgv: memory.api,
    });
    worker = new SupervisedChild({
      role: 'worker',
      program: programs.worker,
      env: { ...env, ROSTER_ROLE: 'worker' },
      log,
      execArgv: memory.worker,
      // One address to scrape: the API shows the worker's metrics next to its own.
      onMessage: (metrics) => api?.send(metrics),
    });
    const [url] = await unlessAborted(Promise.all([api.ready, worker.ready]), signal);
    return {
      url: url ?? '',
      get pids() {
        return { api: api?.pid, worker: worker?.pid, postgres: postgres?.pid };
      },
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The promise's outcome, or the signal's reason as soon as it is aborted. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  try {
    signal.throwIfAborted();
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
