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

// Beside a look at each start: how long the jobs of a killed process wait when another takes them over.
const recoverInterval = 10_000;
const backoff = { first: 500, most: 5000 };
/** A stop waits so long for the jobs under way, in milliseconds: the process has to be gone after nine seconds. */
const stopPatience = 6000;

// What the library notes of a job, that it is taken and that it is done, need not wait for the disk: a crash of the server that loses it lets the
// job run again, as the death of this process does. Two waits less for each job are a tenth of the pipeline while callbacks are sent.
const connectionSettings = { synchronous_commit: 'off' };

/** Connections of a runner: they take jobs and say that they are done. */
export const jobConnections = 4;

/** The running jobs of a process. Disposing it tells them to end, waits 6 seconds at most, and leaves what was not done to the next process. */
export type JobRunner = AsyncDisposable;

/**
 * Starts running the jobs of some kinds, some of each at the same time.
 *
 * They get `context`: let it have connections of its own, or jobs and the pipeline would wait for each other. When the database is away
 * the jobs under way are told to end, and all begins again when it is back.
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
      await recover(lease);
      recovered();
      await work(lease);
      if (!signal.aborted) log.info('the jobs begin again');
    };
    const onError = (error: unknown): void =>
      log.warn({ err: describeError(error) }, 'jobs cannot be run; it is tried again');
    await repeatUntilAborted(runOnce, { signal, interval: backoff.first, ...backoff, onError });
    await connections.end();
  }

  /** Runs jobs until the stop, the loss of the lease, or a pool that cannot go on; then until the last of them has ended. */
  async function work(lease: Lease): Promise<void> {
    const ending = new AbortController();
    const signal = AbortSignal.any([stopping.signal, lease.lost, ending.signal]);
    const pools = new Map(
      names.map(
        (name) =>
          [name, startJobPool({ context, definition: definitions[name]!, name, connections, lease, signal })] as const,
      ),
    );
    // The library would listen for each kind, and let all of them look for each job. Nobody knows what was missed when it begins (again).
    const announcements = listen(context, jobsChannel, (kind) => {
      for (const [name, pool] of pools) if (kind === undefined || kind === name) pool.look();
    });
    try {
      await Promise.race([...pools.values().map((pool) => pool.ended), recoverRepeatedly(lease, signal)]);
    } finally {
      ending.abort();
      await Promise.all([announcements[Symbol.asyncDispose](), ...pools.values().map((pool) => pool.stop())]);
    }
  }

  async function recoverRepeatedly(lease: Lease, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pause(recoverInterval, { signal });
      if (!signal.aborted) await recover(lease);
    }
  }

  async function recover(lease: Lease): Promise<void> {
    const jobs = await lease.recover();
    if (jobs > 0) log.warn({ jobs }, 'jobs of a process that is gone run again');
  }

  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      const patience = new AbortController();
      // What does not end keeps the lease, so that nobody else runs it, until the process is gone.
      const tooLong = sleep(stopPatience, 'too long', { signal: patience.signal }).catch(() => undefined);
      if ((await Promise.race([running, tooLong])) === 'too long') log.error('jobs did not end when they were told to');
      patience.abort();
    },
  };
}
