import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';

/** Jobs of an account that wait behind so many others of the same account have equal priority. */
const most = 1000;

/**
 * Returns the priority of the next job of an account: how many of its pieces of work wait already.
 * `waiting` is a query with one row for each. So the first jobs of every account run before the
 * thousandth job of another one.
 */
export async function nextPriority(db: Database, waiting: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select from (${waiting}) as work limit ${most}) as counted`.execute(db);
  return rows[0]!.count;
}
