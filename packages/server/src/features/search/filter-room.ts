import { sql, type RawBuilder } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import { conflict } from '#platform/errors/api-error.ts';

/**
 * Maximum number of characters of the filters of one kind of an account together, such as those of
 * all its segments. Some operations read all of them.
 */
export const totalFilterLength = 16 * 1024 * 1024;

/** The stored filters of one kind of an account. */
export interface StoredFilters {
  /** What has the filters, such as `segments`. */
  readonly of: string;
  /** A query with one row for each, and the filter in the column `filter`. */
  readonly query: RawBuilder<unknown>;
  /** Says what a person can do, as sentences. */
  readonly advice: string;
}

/**
 * Throws `conflict` if stored filters have more than {@link totalFilterLength} characters together.
 * Ask after a filter is stored, in the same transaction. The caller has locked the account.
 */
export async function requireFilterRoom(trx: Database, { of, query, advice }: StoredFilters): Promise<void> {
  const { rows } = await sql<{ fit: boolean }>`
    select coalesce(sum(length(filter::text)), 0) <= ${totalFilterLength} as fit from (${query}) as filters`.execute(
    trx,
  );
  if (rows[0]!.fit) return;
  throw conflict(
    `The filters of all ${of} of the account would have more than ${totalFilterLength} characters together. ${advice}`,
  );
}
