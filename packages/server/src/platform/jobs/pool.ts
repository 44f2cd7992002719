import { EventEmitter } from 'node:events';
import { runTaskList, type Task, type WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import type { Context } from '#platform/context.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { isServerAway } from '#platform/database/layout/server-away.ts';
import { jobLogger } from '#platform/database/schema/job-log.ts';
import { jobSchema } from '#platform/database/schema/job-schema.ts';
import { pause } from '#platform/loops/pause.ts';
import { JobMustWait, type JobDefinition, type JobName } from './job-table.ts';
import type { Lease } from './lease.ts';

// Milliseconds between two polls. They find jobs without a notification: jobs whose time has come,
// and jobs that another process has returned.
export const pollInterval = 500;

// Milliseconds. A pool takes as many jobs at a time as it has workers. If no worker is free for a
// job in this time, the pool returns the job, so that another process can take it.
const localQueueTtl = 1000;

// Milliseconds. One statement marks all jobs as done that end within this time. If the process is
// killed before this statement, the jobs run again.
const completionDelay = 5;

// Seconds until a job runs again that must wait: for a server that is away, or for other jobs.
const secondsOfWait = 5;

/** Options of {@link startJobPool}. */
export interface JobPoolOptions {
  readonly context: Context;
  readonly definition: JobDefinition<never>;
  readonly name: JobName;
  /** Connections for the library: it takes jobs and marks them done. */
  readonly connections: pg.Pool;
  readonly lease: Lease;
  /** Milliseconds until the first poll. The others follow every half second. */
  readonly firstPoll: number;
  /** Aborted when the jobs must end. */
  readonly signal: AbortSignal;
}

/** The workers of one kind of job. */
export interface JobPool {
  /** Resolves when the workers have stopped, for any reason. */
  readonly ended: Promise<void>;
  /** Polls for jobs now. */
  poll(): void;
  /**
   * Takes no more jobs, waits for the running jobs, and returns the jobs that the signal
   * interrupted. Never rejects.
   */
  stop(): Promise<void>;
}

/** A run that the signal interrupted. */
interface Interrupted {
  readonly id: string;
  readonly attempts: number;
}

/** Starts the workers of one kind of job. */
export function startJobPool(options: JobPoolOptions): JobPool {
  const { context, definition, name, connections, lease, firstPoll, signal } = options;
  const { log } = context;
  const { concurrency } = definition;
  const interrupted: Interrupted[] = [];
  const leased = Promise.withResolvers<void>();
  let shuttingDown = false;

  // The library creates the id of the pool and emits it before it asks for the first connection.
  const events: WorkerEvents = new EventEmitter();
  events.once('pool:create', ({ workerPool }) => void lease.addPool(workerPool.id).then(leased.resolve, leased.reject));
  leased.promise.catch(shutDown);
  const started = leased.promise.then(() => pause(firstPoll, { signal }));
  started.catch(() => undefined);

  const workers = runTaskList(
    {
      schema: jobSchema,
      logger: jobLogger(log),
      concurrency,
      pollInterval,
      noHandleSignals: true,
      events,
      preset: {
        worker: {
          localQueue: { size: concurrency, ttl: localQueueTtl },
          // With a delay, a failure to mark a job stops the workers. Without one, it would be an
          // unhandled rejection and end the process.
          completeJobBatchDelay: completionDelay,
          failJobBatchDelay: completionDelay,
        },
      },
    },
    { [name]: taskOf(options, interrupted) },
    connectionsAfter(started, connections),
  );
  const ended = workers.promise.then(
    () => undefined,
    (error: unknown) => log.warn({ job: name, err: describeError(error) }, 'the workers of a kind of job stopped'),
  );

  function shutDown(): void {
    if (shuttingDown) return;
    shuttingDown = true;
    // `ended` reports the failure.
    Promise.resolve(workers.gracefulShutdown()).catch(() => undefined);
  }

  return {
    ended,
    poll: () => workers.nudge(1),
    async stop() {
      shutDown();
      await ended;
      try {
        for (const job of interrupted) await returnJob(connections, job);
      } catch (error) {
        // Another process frees the jobs, or they run again after the pause that follows a failure.
        log.warn({ job: name, err: describeError(error) }, 'could not return interrupted jobs');
      }
    },
  };
}

/**
 * Makes the task that the library runs for each job. Adds the runs that the signal interrupts to
 * `interrupted`.
 */
function taskOf({ context, definition, name, connections, signal }: JobPoolOptions, interrupted: Interrupted[]): Task {
  const { run } = definition as JobDefinition<unknown>;

  /** Makes a job run again soon, as if it had not run, when the library has marked it as failed. */
  async function postpone(job: Interrupted): Promise<void> {
    for (let attempt = 1; attempt <= 50; attempt++) {
      await pause(20 * completionDelay, { signal, ref: false });
      if (signal.aborted) return void interrupted.push(job);
      if (await returnJob(connections, job, secondsOfWait)) return;
    }
  }

  return async (payload, { job }) => {
    const { id, attempts: attempt, max_attempts: maxAttempts } = job;
    try {
      await requireNode(context, payload);
      await run(context, payload, { jobId: id, signal, attempt, maxAttempts });
    } catch (error) {
      if (signal.aborted) {
        interrupted.push({ id, attempts: attempt });
        throw new Error('interrupted', { cause: error });
      }
      if (isServerAway(error) || error instanceof JobMustWait) {
        // If this fails, the job runs again after the usual pause.
        postpone({ id, attempts: attempt }).catch(() => undefined);
        throw new Error('must wait: a server is away, or other jobs come first', { cause: error });
      }
      const level = attempt < maxAttempts ? 'warn' : 'error';
      context.log[level](
        { job: name, job_id: id, attempt, max_attempts: maxAttempts, err: describeError(error) },
        'a job failed',
      );
      // The library stores the message, so it must not quote data.
      throw new Error('failed; see the log of the worker', { cause: error });
    }
  };
}

/** Makes a pool whose connections are available only after a start, for which the lease is needed. */
function connectionsAfter(started: Promise<void>, connections: pg.Pool): pg.Pool {
  type Callback = Parameters<pg.Pool['connect']>[0];
  async function connect(callback?: Callback): Promise<pg.PoolClient | undefined> {
    // Only the connection that listens for new jobs is requested with a callback. Its notifications
    // do not name the kind of job, so the runner listens instead (docs/decisions/0007-jobs.md).
    if (callback !== undefined) return undefined;
    await started;
    return connections.connect();
  }
  return Object.assign(Object.create(connections) as pg.Pool, { connect: connect as pg.Pool['connect'] });
}

/** Throws `NodeDown` while the node of a cluster with the account of a job is down. */
async function requireNode({ config, servers }: Context, payload: unknown): Promise<void> {
  if (config.layout === 'single') return;
  const { account_id: accountId } = payload as { readonly account_id?: number };
  if (accountId !== undefined) await servers.of(accountId);
}

/**
 * Makes an interrupted job run again after `seconds`, without counting the interrupted run. Returns
 * false while a worker still has the job.
 */
async function returnJob(connections: pg.Pool, { id, attempts }: Interrupted, seconds = 0): Promise<boolean> {
  const { rowCount } = await connections.query(
    `select from ${jobSchema}.reschedule_jobs(array[$1::bigint], run_at => now() + make_interval(secs => $3), attempts => $2::int)`,
    [id, attempts - 1, seconds],
  );
  return rowCount === 1;
}
