import { EventEmitter } from 'node:events';
import { runTaskList, type Task, type WorkerEvents } from 'graphile-worker';
import type pg from 'pg';
import type { Context } from '#platform/context.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { jobLogger } from '#platform/database/schema/job-log.ts';
import { jobSchema } from '#platform/database/schema/job-schema.ts';
import type { JobDefinition, JobName } from './job-table.ts';
import type { Lease } from './lease.ts';

// Milliseconds between two looks for jobs that nobody announces: those whose time has come, or that another process has given back.
const lookInterval = 500;

// Jobs are taken as many at a time as there are workers. Those that find all workers busy go back after a second, for other processes to take.
const jobsWaitAtMost = 1000;

// Jobs that end within so many milliseconds are noted as done by one statement. Until then they run again if the process is killed.
const endedTogether = 5;

/** What the workers of one kind of job need. */
export interface JobPoolOptions {
  readonly context: Context;
  readonly definition: JobDefinition<never>;
  readonly name: JobName;
  /** Connections for taking and ending jobs. */
  readonly connections: pg.Pool;
  readonly lease: Lease;
  /** What the jobs are told to end by. */
  readonly signal: AbortSignal;
}

/** The workers of one kind of job. */
export interface JobPool {
  /** Resolves when the workers have stopped, whatever made them. */
  readonly ended: Promise<void>;
  /** Looks for jobs now, because some were announced. */
  look(): void;
  /** Takes no more jobs, waits for those under way, and gives back what the signal interrupted. Never rejects. */
  stop(): Promise<void>;
}

/** A run that ended because it was told to. */
interface Interrupted {
  readonly id: string;
  readonly attempts: number;
}

/** Starts the workers of one kind of job. */
export function startJobPool({ context, definition, name, connections, lease, signal }: JobPoolOptions): JobPool {
  const { log } = context;
  const { concurrency, run } = definition as JobDefinition<unknown>;
  const interrupted: Interrupted[] = [];
  const vouched = Promise.withResolvers<void>();
  let shuttingDown = false;

  // The id of the pool is made by the library, and told before it asks for the first connection.
  const events: WorkerEvents = new EventEmitter();
  events.once('pool:create', ({ workerPool }) => void lease.take(workerPool.id).then(vouched.resolve, vouched.reject));
  vouched.promise.catch(shutDown);

  const task: Task = async (payload, { job }) => {
    const { id, attempts: attempt, max_attempts: maxAttempts } = job;
    try {
      await run(context, payload, { jobId: id, signal, attempt, maxAttempts });
    } catch (error) {
      if (signal.aborted) {
        interrupted.push({ id, attempts: attempt });
        throw new Error('interrupted', { cause: error });
      }
      const level = attempt < maxAttempts ? 'warn' : 'error';
      log[level](
        { job: name, job_id: id, attempt, max_attempts: maxAttempts, err: describeError(error) },
        'a job failed',
      );
      // The library stores the message: it must not be one that quotes data.
      throw new Error('failed; the log of the worker says why', { cause: error });
    }
  };

  const workers = runTaskList(
    {
      schema: jobSchema,
      logger: jobLogger(log),
      concurrency,
      pollInterval: lookInterval,
      noHandleSignals: true,
      events,
      preset: {
        worker: {
          localQueue: { size: concurrency, ttl: jobsWaitAtMost },
          // With a delay a job that cannot be ended stops the workers; without, its failure would be nobody's and end the process.
          completeJobBatchDelay: endedTogether,
          failJobBatchDelay: endedTogether,
        },
      },
    },
    { [name]: task },
    onceVouched(connections, vouched.promise),
  );
  const ended = workers.promise.then(
    () => undefined,
    (error: unknown) => log.warn({ job: name, err: describeError(error) }, 'the workers of a kind of job stopped'),
  );

  function shutDown(): void {
    if (shuttingDown) return;
    shuttingDown = true;
    // `ended` says how it went.
    Promise.resolve(workers.gracefulShutdown()).catch(() => undefined);
  }

  return {
    ended,
    look: () => workers.nudge(1),
    async stop() {
      shutDown();
      await ended;
      await giveBack(connections, interrupted).catch((error: unknown) =>
        // They are locked for a pool that is gone, or wait for the pause after a failure.
        log.warn({ job: name, err: describeError(error) }, 'interrupted jobs could not be given back'),
      );
    },
  };
}

/** Connections that are handed out once the lease vouches for the pool, and never when it cannot. */
function onceVouched(connections: pg.Pool, vouched: Promise<void>): pg.Pool {
  type Callback = Parameters<pg.Pool['connect']>[0];
  async function connect(callback?: Callback): Promise<pg.PoolClient | undefined> {
    // Whoever asks in this way listens to what the library announces, which does not say what kind of jobs: the runner knows that.
    if (callback !== undefined) return undefined;
    await vouched;
    return connections.connect();
  }
  return Object.assign(Object.create(connections) as pg.Pool, { connect: connect as pg.Pool['connect'] });
}

/** Lets interrupted jobs run again at once, as if they had not run. */
async function giveBack(connections: pg.Pool, interrupted: readonly Interrupted[]): Promise<void> {
  for (const { id, attempts } of interrupted) {
    await connections.query(
      `select ${jobSchema}.reschedule_jobs(array[$1::bigint], run_at => now(), attempts => $2::int)`,
      [id, attempts - 1],
    );
  }
}
