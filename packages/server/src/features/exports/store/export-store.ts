import { sql, type Insertable, type Selectable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { ExportColumn, Tables } from '#platform/database/schema/tables.ts';
import { LongRuns, type LongRunKey } from '#platform/long-runs/long-runs.ts';

/** A row of `exports`. */
export type ExportRow = Selectable<Tables['exports']>;

/** Exports as long work. */
export const exportRuns = new LongRuns({
  name: 'export',
  table: 'exports',
  id: 'request_id',
  madeAt: 'accepted_at',
  unfinished: ['accepted', 'running'],
});

/** The key of a row. */
export function keyOf({ account_id: accountId, request_id: id }: ExportRow): LongRunKey {
  return { accountId, id };
}

/** An export to store. */
export type NewExport = Omit<Insertable<Tables['exports']>, 'status' | 'columns' | 'callback'> & {
  readonly columns: readonly ExportColumn[];
  readonly callback: ExportRow['callback'];
};

/** Stores an export that was accepted. */
export async function insertExport(trx: Database, { columns, callback, ...row }: NewExport): Promise<void> {
  await trx
    .insertInto('exports')
    .values({
      ...row,
      status: 'accepted',
      columns: JSON.stringify(columns),
      callback: callback === null ? null : JSON.stringify(callback),
    })
    .execute();
}

/** Writes down that nothing of earlier runs is left in the store. */
export async function noteCleared(db: Database, { accountId, id }: LongRunKey): Promise<void> {
  await db
    .updateTable('exports')
    .where('account_id', '=', accountId)
    .where('request_id', '=', id)
    .set({ unfinished_write: null })
    .execute();
}

/** Writes down who is told of the end. The callback is not needed any more: it may carry secrets of the caller. */
export async function noteNews(
  trx: Database,
  { accountId, id }: LongRunKey,
  news: Pick<ExportRow, 'delivery_id' | 'mail_id'>,
): Promise<void> {
  await trx
    .updateTable('exports')
    .where('account_id', '=', accountId)
    .where('request_id', '=', id)
    .set({ ...news, callback: null })
    .execute();
}

/** When an export was over: its file expired, or there was none and it ended. */
const over = sql<Date>`coalesce(expires_at, finished_at)`;

/** Where an export stands among those that expire. */
export type ExpiredPosition = Pick<ExportRow, 'expires_at' | 'account_id' | 'request_id'>;

/** Completed exports whose files are due to be deleted, of all accounts, the oldest first, from behind one of them on. */
export async function listExpiredExports(
  db: Database,
  now: Date,
  after: ExpiredPosition | undefined,
  limit: number,
): Promise<ExportRow[]> {
  return db
    .selectFrom('exports')
    .where('status', '=', 'completed')
    .where('expires_at', '<=', now)
    .$if(after !== undefined, (query) =>
      query.where((eb) =>
        eb(
          eb.refTuple('expires_at', 'account_id', 'request_id'),
          '>',
          eb.tuple(after!.expires_at, after!.account_id, after!.request_id),
        ),
      ),
    )
    .selectAll()
    .orderBy('expires_at')
    .orderBy('account_id')
    .orderBy('request_id')
    .limit(limit)
    .execute();
}

/** Writes down that the file of an export is deleted. */
export async function markExpired(db: Database, { accountId, id }: LongRunKey): Promise<void> {
  await db
    .updateTable('exports')
    .where('account_id', '=', accountId)
    .where('request_id', '=', id)
    .where('status', '=', 'completed')
    .set({ status: 'expired', file_key: null })
    .execute();
}

/** Exports without a file that were over before a moment, of all accounts, and have something left in the store. */
export async function listOldLeftovers(db: Database, before: Date, limit: number): Promise<ExportRow[]> {
  return (
    db
      .selectFrom('exports')
      .where('status', 'in', ['failed', 'cancelled'])
      .where(over, '<', before)
      .where('unfinished_write', 'is not', null)
      .selectAll()
      // By lot: those that cannot be cleared away do not keep the others from it.
      .orderBy(sql`random()`)
      .limit(limit)
      .execute()
  );
}

/**
 * Deletes the exports of all accounts that were over before a moment, at most `limit`; answers how many. One that has something left in the store
 * stays: nobody else knows of it.
 */
export async function deleteExportsBefore(db: Database, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    with old as (
      select account_id, request_id from exports
      where status in ('failed', 'cancelled', 'expired') and ${over} < ${before}
        and (status = 'expired' or unfinished_write is null)
      limit ${limit} for update skip locked
    )
    delete from exports using old where exports.account_id = old.account_id and exports.request_id = old.request_id
    returning exports.request_id`.execute(db);
  return rows.length;
}

/** How many exports of an account have not ended. */
export async function countUnfinishedExports(db: Database, accountId: number): Promise<number> {
  const { count } = await db
    .selectFrom('exports')
    .where('account_id', '=', accountId)
    .where('status', 'in', ['accepted', 'running'])
    .select((eb) => eb.fn.countAll<string | number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
