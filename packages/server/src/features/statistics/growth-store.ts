import { sql } from 'kysely';
import { countColumns, totalColumns } from '#features/contacts/counts/count-columns.ts';
import type { Database } from '#platform/database/connection/database.ts';

/** The counters of one day. */
export type GrowthCounts = Readonly<Record<(typeof countColumns)[number], number>>;

/** The counters of one day, with the number of the day from 1. */
export interface GrowthRow extends GrowthCounts {
  readonly day: number;
}

/** The present numbers of contacts. */
export type ContactTotals = Readonly<Record<(typeof totalColumns)[number], number>>;

/**
 * Loads the present numbers of contacts, and the counters of each day from the first on. `starts`:
 * when the days begin, in milliseconds since 1970. The last day also has everything after it. Days
 * without changes are left out. Both results are of the same moment.
 */
export async function loadGrowth(
  db: Database,
  accountId: number,
  starts: readonly number[],
): Promise<{ totals: ContactTotals; days: readonly GrowthRow[] }> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const sums = countColumns.map((name) => `coalesce(sum(${name}), 0)::float8 as ${name}`).join(', ');
      // As numbers: PostgreSQL cannot read the text of a moment after the year 9999.
      const { rows } = await sql<GrowthRow>`
        select width_bucket(extract(epoch from starts_at)::float8 * 1000, ${[...starts]}::float8[]) as day, ${sql.raw(sums)}
        from contact_counts where account_id = ${accountId} and starts_at >= to_timestamp(${starts[0]}::float8 / 1000)
        group by 1 order by 1`.execute(trx);
      const totals = await trx
        .selectFrom('contact_totals')
        .where('account_id', '=', accountId)
        .select([...totalColumns])
        .executeTakeFirst();
      const none = Object.fromEntries(totalColumns.map((name) => [name, 0])) as ContactTotals;
      return { totals: totals ?? none, days: rows };
    });
}
