import pg from 'pg';
import type { Context } from '#platform/context.ts';
import { advisoryLocks } from '#platform/database/statements/advisory-locks.ts';
import { jobSchema } from '#platform/database/schema/job-schema.ts';

// A machine that vanished is noticed after 25 seconds. A process that was killed is noticed at once: its connections are closed.
const keepAlive = 'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3';

/** A database that does not answer for so long, in milliseconds, is as good as gone. */
const answerTimeout = 10_000;

/**
 * The proof that the pools of workers of this process live: advisory locks that end with a connection of their own.
 *
 * The library marks a job that it runs with the id of the pool, and alone would free the jobs of a killed process after four hours.
 */
export interface Lease extends AsyncDisposable {
  /** Aborted when the connection is gone: others may run the jobs of this process from now on. */
  readonly lost: AbortSignal;
  /** Vouches for a pool of workers; to be called before it takes its first job. Rejects when the lease is lost. */
  take(poolId: string): Promise<void>;
  /** Frees the jobs of pools that nobody vouches for and answers their number; rejects when the lease is lost. */
  recover(): Promise<number>;
}

/** Opens a lease; disposing it ends its connection. */
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

  await client.connect();
  await client.query(keepAlive);

  let last: Promise<unknown> = Promise.resolve();

  /** Runs a statement when those before have ended. One that fails leaves in doubt what the connection holds: the lease is over then. */
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
    take: (poolId) =>
      whileHeld(async () => {
        const { rows } = await client.query<{ taken: boolean }>(
          'select pg_try_advisory_lock($1, hashtext($2)) as taken',
          [advisoryLocks.jobLease, poolId],
        );
        // Ids are random; two in four thousand million share a number.
        if (!rows[0]!.taken) throw new Error('the number of the pool is taken');
        pools.add(poolId);
      }),
    recover: () =>
      whileHeld(async () => {
        const { rows } = await client.query<{ jobs: number }>(recoverStatement, [advisoryLocks.jobLease, [...pools]]);
        return rows.reduce((sum, { jobs }) => sum + jobs, 0);
      }),
    async [Symbol.asyncDispose]() {
      await client.end().catch(() => undefined);
    },
  };
}

// Whoever gets the lock of a pool knows that nobody holds it. The lock ends with the statement; pool ids are never used twice.
const recoverStatement = `
  with holders as materialized (
    select locked_by, count(*)::int as jobs from ${jobSchema}.jobs
    where locked_by is not null and locked_by <> all ($2::text[]) group by locked_by
  ), dead as materialized (
    select locked_by, jobs from holders where pg_try_advisory_xact_lock($1, hashtext(locked_by))
  )
  select jobs, ${jobSchema}.force_unlock_workers(array[locked_by]) from dead`;
