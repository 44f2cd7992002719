import type { Context } from '#platform/context.ts';
import { openPool, shortIdleTimeout } from '#platform/database/connection/database.ts';
import { listen } from '#platform/database/connection/listen.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { pause } from '#platform/loops/pause.ts';
import { repeatUntilAborted } from '#platform/loops/repeat-until-aborted.ts';
import { within } from '#platform/loops/within.ts';
import type { JobDefinitions, JobName } from './job-table.ts';
import { jobsChannel } from './jobs.ts';
import { openLease, type Lease } from './lease.ts';
import { pollInterval, startJobPool } from './pool.ts';

// Milliseconds between two searches for jobs of killed processes. The first search is at the start.
const lostJobsInterval = 10_000;
const backoff = { first: 500, max: 5000 };
/** Milliseconds that a stop waits for the running jobs. The process must end within 9 seconds. */
const stopTimeout = 6000;

// The library does not wait for the disk when it marks a job as taken or done. If a crash of
// PostgreSQL loses a mark, the job runs again. This saves two waits for each job, which is a tenth
// of the time of the pipeline while callbacks are sent.
const connectionSettings = { synchronous_commit: 'off' };

/** Connections of a runner, which take jobs and mark them done. */
export const jobConnections = 4;

/**
 * Runs the jobs of a process. Disposing it aborts the jobs and waits up to 6 seconds for them.
 * Other processes run the unfinished jobs.
 */
export type JobRunner = AsyncDisposable;

/**
 * Starts to run jobs of the given kinds.
 *
 * Handlers get `context`, which must have its own connections. Otherwise jobs and the pipeline
 * would wait for each other. When the database is unreachable, running jobs are aborted. The runner
 * starts again when the database is back.
 */
export function startJobRunner(context: Context, definitions: JobDefinitions): JobRunner {
  const { config, log } = context;
  const names = Object.keys(definitions) as JobName[];
  const stopping = new AbortController();
  const connections = openPool({
    url: config.databaseUrl!,
    name: 'roster jobs',
    size: jobConnections,
    settings: connectionSettings,
    idleTimeout: shortIdleTimeout,
    log,
  });
  const running = run();

  async function run(): Promise<void> {
    const { signal } = stopping;
    const runOnce = async (recovered: () => void): Promise<void> => {
      await using lease = await openLease(context);
      await freeLostJobs(lease);
      recovered();
      await work(lease);
      if (!signal.aborted) log.info('restarting the jobs');
    };
    const onError = (error: unknown): void => log.warn({ err: describeError(error) }, 'could not run jobs; retrying');
    await repeatUntilAborted(runOnce, { signal, interval: backoff.first, ...backoff, onError });
    await connections.end();
  }

  /** Runs jobs until a stop, a lost lease or a failed pool. Returns when the last job has ended. */
  async function work(lease: Lease): Promise<void> {
    const ending = new AbortController();
    const signal = AbortSignal.any([stopping.signal, lease.lost, ending.signal]);
    // The kinds poll one after the other, so that one connection is enough while there are no jobs.
    const pools = new Map(
      names.map((name, index) => {
        const definition = definitions[name]!;
        const firstPoll = (index * pollInterval) / names.length;
        return [name, startJobPool({ context, definition, name, connections, lease, firstPoll, signal })] as const;
      }),
    );
    // `kind` is undefined after a (re)connection: notifications of any kind may have been missed.
    const announcements = listen(context, jobsChannel, (kind) => {
      for (const [name, pool] of pools) if (kind === undefined || kind === name) pool.poll();
    });
    try {
      await Promise.race([...pools.values().map((pool) => pool.ended), freeLostJobsRepeatedly(lease, signal)]);
    } finally {
      ending.abort();
      await Promise.all([announcements[Symbol.asyncDispose](), ...pools.values().map((pool) => pool.stop())]);
    }
  }

  async function freeLostJobsRepeatedly(lease: Lease, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pause(lostJobsInterval, { signal });
      if (!signal.aborted) await freeLostJobs(lease);
    }
  }

  async function freeLostJobs(lease: Lease): Promise<void> {
    const jobs = await lease.freeLostJobs();
    if (jobs > 0) log.warn({ jobs }, 'the jobs of a lost process run again');
  }

  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      // A job that does not end keeps the lease, so no other process runs it while this one lives.
      await within(stopTimeout, running, () => log.error('jobs did not end after they were aborted'));
    },
  };
}
