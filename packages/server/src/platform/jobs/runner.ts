import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '#platform/context.ts';
import { openPool } from '#platform/database/connection/database.ts';
import { listen } from '#platform/database/connection/listen.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { pause } from '#platform/loops/pause.ts';
import { repeatUntilAborted } from '#platform/loops/repeat-until-aborted.ts';
import type { JobDefinitions, JobName } from './job-table.ts';
import { jobsChannel } from './jobs.ts';
import { openLease, type Lease } from './lease.ts';
import { startJobPool } from './pool.ts';

// Milliseconds between two looks for jobs of killed processes, after the look at the start.
const lostJobsInterval = 10_000;
const backoff = { first: 500, most: 5000 };
/** A stop waits this long for the running jobs, in milliseconds: the process must be gone after nine seconds. */
const stopTimeout = 6000;

// The library does not wait for the disk when it marks a job taken or done. If a crash of PostgreSQL
// loses a mark, the job runs again, as after the kill of a process. Two waits less for each job save a
// tenth of the pipeline's time while callbacks are sent.
const connectionSettings = { synchronous_commit: 'off' };

/** Connections of a runner, which take jobs and mark them done. */
export const jobConnections = 4;

/** Runs the jobs of a process. Disposing it aborts them and waits up to 6 seconds. Unfinished jobs are left to other processes. */
export type JobRunner = AsyncDisposable;

/**
 * Starts to run jobs of the given kinds.
 *
 * Handlers get `context`. It needs connections of its own, or jobs and the pipeline would wait for
 * each other. When the database is unreachable, running jobs are aborted; the runner starts again when
 * the database is back.
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
      if (!signal.aborted) log.info('the jobs start again');
    };
    const onError = (error: unknown): void => log.warn({ err: describeError(error) }, 'could not run jobs; retrying');
    await repeatUntilAborted(runOnce, { signal, interval: backoff.first, ...backoff, onError });
    await connections.end();
  }

  /** Runs jobs until a stop, the loss of the lease, or the failure of a pool. Returns when the last job has ended. */
  async function work(lease: Lease): Promise<void> {
    const ending = new AbortController();
    const signal = AbortSignal.any([stopping.signal, lease.lost, ending.signal]);
    const pools = new Map(
      names.map(
        (name) =>
          [name, startJobPool({ context, definition: definitions[name]!, name, connections, lease, signal })] as const,
      ),
    );
    // `kind` is undefined after a (re)connection: notifications of any kind may have been missed.
    const announcements = listen(context, jobsChannel, (kind) => {
      for (const [name, pool] of pools) if (kind === undefined || kind === name) pool.look();
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
      const patience = new AbortController();
      // A job that does not end keeps the lease until the process is gone: no other process runs it.
      const tooLong = sleep(stopTimeout, 'too long', { signal: patience.signal }).catch(() => undefined);
      if ((await Promise.race([running, tooLong])) === 'too long')
        log.error('jobs did not end after they were aborted');
      patience.abort();
    },
  };
}
