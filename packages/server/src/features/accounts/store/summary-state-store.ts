import type { Selectable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';

/** What a batch does with the summaries of activities. Null: nothing, because they are off. */
export type SummaryState = {
  /** A worker computes them from the stored activities meanwhile. */
  readonly isBuilding: boolean;
} | null;

/** A row of `activity_summary_states`. */
export type SummaryStateRow = Selectable<Tables['activity_summary_states']>;

/** SQL: the {@link SummaryState} of an account. Parameter 1 is the account. */
export const summaryStateSql = (table: string): string => `(select json_build_object('isBuilding', position is not null)
    from ${table} where account_id = $1 and wanted)`;

/** Begins to build the summaries of an account. */
export async function requestSummaries(trx: Database, accountId: number, at: Date): Promise<void> {
  const begun = { wanted: true, usable: false, position: '', done: 0, requested_at: at };
  await trx
    .insertInto('activity_summary_states')
    .values({ account_id: accountId, ...begun })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(begun))
    .execute();
}

/**
 * Begins to compute the summaries of an account again. They stay usable meanwhile. Returns false
 * when the account has no summaries.
 */
export async function requestRebuild(trx: Database, accountId: number, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('activity_summary_states')
    .where('account_id', '=', accountId)
    .where('wanted', '=', true)
    .set({ position: '', done: 0, requested_at: at })
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Begins to delete the summaries of an account. Searches and batches use them no more. */
export async function dropSummaries(trx: Database, accountId: number, at: Date): Promise<void> {
  await trx
    .updateTable('activity_summary_states')
    .where('account_id', '=', accountId)
    .set({ wanted: false, usable: false, position: null, requested_at: at })
    .execute();
}

/** Loads the state of the summaries of an account; undefined when it has none. */
export async function findSummaryState(db: Database, accountId: number): Promise<SummaryStateRow | undefined> {
  return db.selectFrom('activity_summary_states').where('account_id', '=', accountId).selectAll().executeTakeFirst();
}
