import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';

/**
 * True when activities of an account wait to be moved to another key, which is rare. See `hasMoves`
 * of a resolved filter.
 */
export async function findMoves(db: Database, accountId: number): Promise<boolean> {
  const { rows } = await sql<{ moves: boolean }>`
    select exists (select from activity_moves where account_id = ${accountId}) as moves`.execute(db);
  return rows[0]!.moves;
}
