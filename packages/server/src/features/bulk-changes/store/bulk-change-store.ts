import { sql, type Insertable, type Selectable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';
import { LongRuns, type LongRunKey } from '#platform/long-runs/long-runs.ts';

/** A row of `bulk_changes`. */
export type BulkChangeRow = Selectable<Tables['bulk_changes']>;

/** The runs of bulk changes. */
export const bulkChangeRuns = new LongRuns({
  name: 'bulk_change',
  isFair: true,
  table: 'bulk_changes',
  id: 'bulk_change_id',
  madeAt: 'created_at',
  unfinished: ['accepted', 'running'],
});

/** Returns the key of a bulk change. */
export function keyOf({
  account_id: accountId,
  bulk_change_id: id,
}: Pick<BulkChangeRow, 'account_id' | 'bulk_change_id'>): LongRunKey {
  return { accountId, id };
}

type NewBulkChange = Omit<Insertable<Tables['bulk_changes']>, 'status' | 'action' | 'selection'> &
  Pick<BulkChangeRow, 'action' | 'selection'>;

/** Stores an accepted bulk change, and returns it. */
export async function insertBulkChange(
  trx: Database,
  { action, selection, ...row }: NewBulkChange,
): Promise<BulkChangeRow> {
  return trx
    .insertInto('bulk_changes')
    .values({ ...row, status: 'accepted', action: JSON.stringify(action), selection: JSON.stringify(selection) })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Cancels the unfinished bulk changes of an account that is deleted. */
export async function cancelBulkChangesOf(trx: Database, accountId: number, at: Date): Promise<void> {
  for (const row of await bulkChangeRuns.listOfAccount(trx, accountId)) {
    await bulkChangeRuns.endUnfinished(trx, keyOf(row), { status: 'cancelled', finished_at: at });
  }
}

/** Deletes the filter of a bulk change from its history. */
export async function forgetFilter(db: Database, { accountId, id }: LongRunKey): Promise<void> {
  await db
    .updateTable('bulk_changes')
    .where('account_id', '=', accountId)
    .where('bulk_change_id', '=', id)
    .where(sql<boolean>`selection->>'by' = 'filter'`)
    .set({ selection: JSON.stringify({ by: 'filter' }) })
    .execute();
}

/** Lists bulk changes of all accounts that ended before a time and still have chunks. */
export async function listWithLeftovers(
  db: Database,
  before: Date,
  limit: number,
): Promise<Pick<BulkChangeRow, 'account_id' | 'bulk_change_id'>[]> {
  return db
    .selectFrom('bulk_changes as b')
    .where('finished_at', '<', before)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('bulk_change_chunks as c')
          .whereRef('c.account_id', '=', 'b.account_id')
          .whereRef('c.bulk_change_id', '=', 'b.bulk_change_id')
          .select('c.chunk'),
      ),
    )
    .select(['account_id', 'bulk_change_id'])
    .orderBy('finished_at')
    .limit(limit)
    .execute();
}

/** Lists bulk changes of all accounts that ended before a time, the oldest first. */
export async function listEndedBefore(
  db: Database,
  before: Date,
  limit: number,
): Promise<Pick<BulkChangeRow, 'account_id' | 'bulk_change_id'>[]> {
  return db
    .selectFrom('bulk_changes')
    .where('finished_at', '<', before)
    .select(['account_id', 'bulk_change_id'])
    .orderBy('finished_at')
    .limit(limit)
    .execute();
}

/** Deletes up to `limit` failures of a bulk change. Returns how many. */
export async function deleteFailures(db: Database, { accountId, id }: LongRunKey, limit: number): Promise<number> {
  const { rows } = await sql`
    delete from bulk_change_failures where ctid = any(array(
      select ctid from bulk_change_failures where account_id = ${accountId} and bulk_change_id = ${id} limit ${limit}
    )) returning 1`.execute(db);
  return rows.length;
}

/** Deletes an ended bulk change. */
export async function deleteBulkChange(db: Database, { accountId, id }: LongRunKey): Promise<void> {
  await db
    .deleteFrom('bulk_changes')
    .where('account_id', '=', accountId)
    .where('bulk_change_id', '=', id)
    .where('finished_at', 'is not', null)
    .execute();
}

/** A row of `bulk_change_failures`. */
export type BulkChangeFailureRow = Selectable<Tables['bulk_change_failures']>;

/** Lists the failures of a bulk change after a position, in the order of `contact_id`. */
export async function listFailures(
  db: Database,
  { accountId, id }: LongRunKey,
  after: { readonly contactId: number; readonly ordinal: number } | undefined,
  limit: number,
): Promise<BulkChangeFailureRow[]> {
  return db
    .selectFrom('bulk_change_failures')
    .where('account_id', '=', accountId)
    .where('bulk_change_id', '=', id)
    .$if(after !== undefined, (query) =>
      query.where((eb) => eb(eb.refTuple('contact_id', 'ordinal'), '>', eb.tuple(after!.contactId, after!.ordinal))),
    )
    .selectAll()
    .orderBy('contact_id')
    .orderBy('ordinal')
    .limit(limit)
    .execute();
}
