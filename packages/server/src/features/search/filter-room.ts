import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';

/**
 * Maximum number of characters of the filters of one kind of an account together, such as those of
 * all its segments. Some operations read all of them.
 */
export const totalFilterLength = 16 * 1024 * 1024;

/**
 * Returns whether stored filters have up to {@link totalFilterLength} characters together. `filters`
 * is a query with one row for each, and the filter in the column `filter`. Ask after a filter is
 * stored, in the same transaction. The caller has locked the account.
 */
export async function fitTogether(trx: Database, filters: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql<{ fit: boolean }>`
    select coalesce(sum(length(filter::text)), 0) <= ${totalFilterLength} as fit from (${filters}) as filters`.execute(
    trx,
  );
  return rows[0]!.fit;
}
