import pg from 'pg';
import type { Context } from '#platform/context.ts';
import { settingStatements } from '#platform/database/connection/open-connection.ts';
import { advisoryLocks } from '#platform/database/statements/advisory-locks.ts';
import { jobSchema } from '#platform/database/schema/job-schema.ts';

// With these settings, PostgreSQL notices a lost machine after 25 seconds. It notices a killed
// process at once, because the system closes the connections of the process.
const keepAlive = 'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3';

/** If the database does not respond for this long, in milliseconds, the lease is lost. */
const answerTimeout = 10_000;

/**
 * Proves to other processes that this process is alive. It holds one advisory lock for each pool of
 * workers of the process, on a connection of its own.
 *
 * The library marks a running job with the id of its pool. When the process is killed, the library
 * itself would run its jobs again only after four hours.
 */
export interface Lease extends AsyncDisposable {
  /** Aborted when the connection is lost. Then other processes may run the jobs of this process. */
  readonly lost: AbortSignal;
  /** Adds a pool of workers, before its first job. Rejects when the lease is lost. */
  addPool(poolId: string): Promise<void>;
  /** Frees the jobs of killed processes, and returns how many. Rejects when the lease is lost. */
  freeLostJobs(): Promise<number>;
}

/** Opens a lease. Disposing it ends its connection. */
export async function openLease(context: Pick<Context, 'config'>): Promise<Lease> {
  const client = new pg.Client({
    connectionString: context.config.databaseUrl!,
    application_name: 'roster jobs lease',
    keepAlive: true,
    connectionTimeoutMillis: 5000,
    query_timeout: answerTimeout,
  });
  const lost = new AbortController();
  for (const event of ['end', 'error'] as const) client.on(event, () => lost.abort());
  const pools = new Set<string>();

  try {
    await client.connect();
    await client.query(settingStatements() + keepAlive);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }

  let last: Promise<unknown> = Promise.resolve();

  /**
   * Runs a statement after the earlier ones. After a failure, it is unknown which locks the
   * connection holds, so the lease is lost.
   */
  async function whileHeld<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(async () => {
      lost.signal.throwIfAborted();
      return work();
    });
    last = result.catch(() => lost.abort());
    return result;
  }

  return {
    lost: lost.signal,
    addPool: (poolId) =>
      whileHeld(async () => {
        const { rows } = await client.query<{ taken: boolean }>(
          'select pg_try_advisory_lock($1, hashtext($2)) as taken',
          [advisoryLocks.jobLease, poolId],
        );
        // Two random ids have the same hash once in four billion times.
        if (!rows[0]!.taken) throw new Error('another pool holds the lock of this pool');
        pools.add(poolId);
      }),
    freeLostJobs: () =>
      whileHeld(async () => {
        const { rows } = await client.query<{ jobs: number }>(freeLostJobsStatement, [
          advisoryLocks.jobLease,
          [...pools],
        ]);
        return rows.reduce((sum, { jobs }) => sum + jobs, 0);
      }),
    async [Symbol.asyncDispose]() {
      await client.end().catch(() => undefined);
    },
  };
}

// The lock of a pool is free only after the process of the pool has ended. It is released at the
// end of the statement. Pool ids are never used twice.
const freeLostJobsStatement = `
  with holders as materialized (
    select locked_by, count(*)::int as jobs from ${jobSchema}.jobs
    where locked_by is not null and locked_by <> all ($2::text[]) group by locked_by
  ), dead as materialized (
    select locked_by, jobs from holders where pg_try_advisory_xact_lock($1, hashtext(locked_by))
  )
  select jobs, ${jobSchema}.force_unlock_workers(array[locked_by]) from dead`;
