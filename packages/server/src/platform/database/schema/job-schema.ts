import type pg from 'pg';
import type { Logger } from 'pino';
import { advisoryLocks } from '../statements/advisory-locks.ts';

/**
 * The database schema of graphile-worker. It is not the default schema of the library, so that
 * other programs in the same database can use that.
 */
export const jobSchema = 'roster_jobs';

/** Number of the newest migration in the installed graphile-worker. A test checks it. */
export const jobSchemaVersion = 20;

/**
 * Migrates the schema of the jobs to the installed library. Several processes may call it at once.
 *
 * The pool needs two connections. The schema of a newer library is not changed, and it is refused
 * when the library cannot use it.
 */
export async function migrateJobs(pool: pg.Pool, log: Logger): Promise<void> {
  const client = await pool.connect();
  try {
    // The library supports only two concurrent migrations. With the lock, any number is safe.
    await client.query('select pg_advisory_lock($1::bigint)', [advisoryLocks.jobSchema]);
    try {
      if ((await versionOf(client)) === jobSchemaVersion) return;
      // Loaded only when needed: it takes 70 ms and 20 MB, and has no other use in this process.
      const [{ runMigrations }, { jobLogger }] = await Promise.all([import('graphile-worker'), import('./job-log.ts')]);
      await runMigrations({ pgPool: pool, schema: jobSchema, logger: jobLogger(log) });
      log.info({ version: jobSchemaVersion }, 'migrated the schema of the jobs');
    } finally {
      await client.query('select pg_advisory_unlock($1::bigint)', [advisoryLocks.jobSchema]);
    }
  } finally {
    client.release();
  }
}

/** Runs `work` while no process migrates the schema of the jobs. Takes a connection of the pool. */
export async function besideJobMigrations<T>(pool: pg.Pool, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock_shared($1::bigint)', [advisoryLocks.jobSchema]);
    try {
      return await work();
    } finally {
      await client.query('select pg_advisory_unlock_shared($1::bigint)', [advisoryLocks.jobSchema]);
    }
  } finally {
    client.release();
  }
}

async function versionOf(client: pg.ClientBase): Promise<number | undefined> {
  const name = `${jobSchema}.migrations`;
  const { rows } = await client.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [name]);
  if (!rows[0]!.exists) return undefined;
  const newest = await client.query<{ id: number }>(`select max(id) as id from ${name}`);
  return newest.rows[0]?.id;
}
