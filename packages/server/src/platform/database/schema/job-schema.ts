import type pg from 'pg';
import type { Logger } from 'pino';
import { advisoryLocks } from '../statements/advisory-locks.ts';

/** The schema of the database that belongs to graphile-worker; not its default, so that a database can be shared with others who use it. */
export const jobSchema = 'roster_jobs';

/** Number of the newest migration of the graphile-worker that is installed; a test compares it. */
export const jobSchemaVersion = 20;

/**
 * Brings the schema of the jobs to that of the installed library; any number of starters may call it at once.
 *
 * The pool needs two connections. A schema of a newer library is left alone, and refused when the library says that it cannot be used.
 */
export async function migrateJobs(pool: pg.Pool, log: Logger): Promise<void> {
  const client = await pool.connect();
  try {
    // The library alone takes two starters at the most; with the lock the others find the work done.
    await client.query('select pg_advisory_lock($1::bigint)', [advisoryLocks.jobSchema]);
    try {
      if ((await versionOf(client)) === jobSchemaVersion) return;
      // Not before it is needed: it costs some 70 ms and 20 MB, in a process that has no other use for it.
      const [{ runMigrations }, { jobLogger }] = await Promise.all([import('graphile-worker'), import('./job-log.ts')]);
      await runMigrations({ pgPool: pool, schema: jobSchema, logger: jobLogger(log) });
      log.info({ version: jobSchemaVersion }, 'the schema of the jobs is up to date');
    } finally {
      await client.query('select pg_advisory_unlock($1::bigint)', [advisoryLocks.jobSchema]);
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
