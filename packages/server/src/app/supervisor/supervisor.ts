import os from 'node:os';

import type { Logger } from 'pino';

import type { Config } from '#platform/config/config.ts';
import { availableMiB, planMemory, processFlags } from '#platform/config/memory-plan.ts';
import { unlessAborted } from '#platform/loops/unless-aborted.ts';
import { startArchivedPostgres } from '#features/backups/archive/archived-postgres.ts';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  restartOnExit,
  SupervisedChild,
} from '@roster/embedded-postgres';
import { programFile } from '../program-file.ts';

/** Options of {@link startSupervisor}. */
export interface SupervisorOptions {
  readonly config: Config;
  readonly log: Logger;
  /** The operator token. The children get it in their environment. */
  readonly adminToken: string;
  /** Prepares the database before the children start: migrations, partitions, the first account. */
  readonly prepare: (databaseUrl: string) => Promise<void>;
  /** Environment of the children. The supervisor adds the database, the token and the role. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Cancels the start, and stops what was already started. */
  readonly signal: AbortSignal;
  /** Paths of the child programs; default: those of {@link programFile}. */
  readonly programs?: { readonly api: string; readonly worker: string };
  /** More options of the embedded PostgreSQL, for tests. */
  readonly embedded?: Pick<EmbeddedPostgresOptions, 'settings' | 'systemDir'>;
}

/** A running service with `ROSTER_ROLE=all`. Disposing of it stops all processes within 10 s. */
export interface Supervisor extends AsyncDisposable {
  /** Address of the API. */
  readonly url: string;
  /**
   * Current process ids, for tests. Undefined for a process that is restarting or is not a child.
   */
  readonly pids: {
    readonly api: number | undefined;
    readonly worker: number | undefined;
    readonly postgres: number | undefined;
  };
}

const memoryMiB = availableMiB();
const flags = processFlags(memoryMiB, planMemory(memoryMiB, os.availableParallelism()));

// By default, the memory allocator of glibc keeps memory apart for each thread, and more of it free:
// 10 MiB in both processes (docs/decisions/0031-memory.md).
const childEnv = { MALLOC_ARENA_MAX: '2' };

/**
 * Deadlines of a stop in milliseconds from its start. A process that runs longer is killed, so that
 * all have ended within 10 s.
 */
const stopBy = { api: 5_000, worker: 7_500, postgres: 9_300 };

/**
 * Starts the whole service: the embedded PostgreSQL unless `DATABASE_URL` is set, then the API and
 * the worker. Returns when both are ready. They are separate processes, so that neither blocks the
 * event loop of the other.
 *
 * A process that ends unexpectedly is restarted. If the first start of a process fails, all
 * processes are stopped and the error is thrown: `EmbeddedPostgresError`, `ChildStartError`, or the
 * error of `prepare`.
 */
export async function startSupervisor(options: SupervisorOptions): Promise<Supervisor> {
  const { config, log, signal, programs = { api: programFile('api'), worker: programFile('worker') } } = options;
  let postgres: EmbeddedPostgres | undefined;
  let baseBackups: AsyncDisposable | undefined;
  let api: SupervisedChild | undefined;
  let worker: SupervisedChild | undefined;

  const stop = async (): Promise<void> => {
    const began = performance.now();
    const left = (deadline: number): number => Math.max(200, deadline - (performance.now() - began));
    // A signal to the process group, such as Ctrl-C, also ends the children directly. From now on,
    // do not restart a child that ends.
    for (const child of [api, worker]) child?.stopRestarting();
    // The API first, so that the worker can still apply requests while the API finishes.
    await api?.stop(left(stopBy.api));
    await worker?.stop(left(stopBy.worker));
    await baseBackups?.[Symbol.asyncDispose]();
    await postgres?.stop({ fastMs: left(stopBy.postgres), immediateMs: 300 });
  };

  try {
    let databaseUrl = config.databaseUrl;
    if (databaseUrl === undefined) {
      postgres = await startArchivedPostgres(config, { log, signal, ...options.embedded });
      restartOnExit(postgres, log);
      databaseUrl = postgres.url;
    }
    signal.throwIfAborted();
    await options.prepare(databaseUrl);
    signal.throwIfAborted();

    // Base backups are recorded in tables, so the schema must exist.
    if (postgres !== undefined && config.walArchive !== undefined) {
      // Loaded only when needed: this process stays small.
      const { startBaseBackups } = await import('#features/backups/archive/base-backup-schedule.ts');
      baseBackups = startBaseBackups({ config, postgres, log, now: () => new Date() });
    }
    const env = { ...childEnv, ...options.env, DATABASE_URL: databaseUrl, ROSTER_ADMIN_TOKEN: options.adminToken };
    api = new SupervisedChild({
      role: 'api',
      program: programs.api,
      env: { ...env, ROSTER_ROLE: 'api' },
      log,
      execArgv: flags.api,
    });
    worker = new SupervisedChild({
      role: 'worker',
      program: programs.worker,
      env: { ...env, ROSTER_ROLE: 'worker' },
      log,
      execArgv: flags.worker,
      // The API serves the metrics of the worker with its own, so that there is one address to
      // scrape.
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
