import type { ExportStatus } from '@roster/contract';
import { sql, type Insertable, type Selectable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { ExportColumn, Tables } from '#platform/database/schema/tables.ts';

/** A row of `exports`. */
export type ExportRow = Selectable<Tables['exports']>;

/** Which export. */
export interface ExportKey {
  readonly accountId: number;
  readonly requestId: string;
}

/** One run of an export: only the newest may write. */
export interface ExportRun extends ExportKey {
  readonly run: number;
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

/** The export of a request. */
export async function findExport(db: Database, { accountId, requestId }: ExportKey): Promise<ExportRow | undefined> {
  return db
    .selectFrom('exports')
    .where('account_id', '=', accountId)
    .where('request_id', '=', requestId)
    .selectAll()
    .executeTakeFirst();
}

/** Exports of an account, newest first, from before the request `before` on. */
export async function listExports(
  db: Database,
  accountId: number,
  { status, before }: { readonly status?: ExportStatus | undefined; readonly before?: string | undefined },
  limit: number,
): Promise<ExportRow[]> {
  return db
    .selectFrom('exports')
    .where('account_id', '=', accountId)
    .$if(status !== undefined, (query) => query.where('status', '=', status!))
    .$if(before !== undefined, (query) => query.where('request_id', '<', before!))
    .selectAll()
    .orderBy('request_id', 'desc')
    .limit(limit)
    .execute();
}

/**
 * Begins a run: answers the export with the number of the run, and with what earlier runs left in the store; undefined when the export
 * has ended.
 */
export async function beginRun(
  db: Database,
  { accountId, requestId }: ExportKey,
  at: Date,
): Promise<ExportRow | undefined> {
  return db
    .updateTable('exports')
    .where('account_id', '=', accountId)
    .where('request_id', '=', requestId)
    .where('status', 'in', ['accepted', 'running'])
    .set((eb) => ({
      status: 'running',
      run: eb('run', '+', 1),
      rows_total: null,
      rows_written: 0,
      started_at: eb.fn.coalesce('started_at', eb.val(at)),
    }))
    .returningAll()
    .executeTakeFirst();
}

/** What a run writes down of itself. */
export type RunNotes = Partial<Pick<ExportRow, 'rows_total' | 'rows_written' | 'unfinished_write'>>;

/** Writes down how far a run is; false when it is not the newest any more, or the export was cancelled: then it has to end. */
export async function noteRun(db: Database, run: ExportRun, notes: RunNotes): Promise<boolean> {
  const { numUpdatedRows } = await running(db, run).set(notes).executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** True while a run is the newest of an export that has not ended. */
export async function isNewestRun(db: Database, { accountId, requestId, run }: ExportRun): Promise<boolean> {
  const row = await db
    .selectFrom('exports')
    .where('account_id', '=', accountId)
    .where('request_id', '=', requestId)
    .where('status', '=', 'running')
    .where('run', '=', run)
    .select('run')
    .executeTakeFirst();
  return row !== undefined;
}

/** How an export ended. */
export type ExportEnd = Pick<ExportRow, 'status' | 'finished_at'> &
  Partial<Pick<ExportRow, 'rows_total' | 'rows_written' | 'file_key' | 'file_size' | 'expires_at' | 'error'>>;

/** Ends an export by its newest run; undefined when the run is not the newest any more, or the export has ended before. */
export async function endRun(trx: Database, run: ExportRun, end: ExportEnd): Promise<ExportRow | undefined> {
  return running(trx, run).set(end).returningAll().executeTakeFirst();
}

function running(db: Database, { accountId, requestId, run }: ExportRun) {
  return db
    .updateTable('exports')
    .where('account_id', '=', accountId)
    .where('request_id', '=', requestId)
    .where('status', '=', 'running')
    .where('run', '=', run);
}

/** Ends an export whether it runs or not; undefined when it has ended before. */
export async function endUnfinished(
  trx: Database,
  { accountId, requestId }: ExportKey,
  end: ExportEnd,
): Promise<ExportRow | undefined> {
  return trx
    .updateTable('exports')
    .where('account_id', '=', accountId)
    .where('request_id', '=', requestId)
    .where('status', 'in', ['accepted', 'running'])
    .set(end)
    .returningAll()
    .executeTakeFirst();
}

/** Writes down that nothing of earlier runs is left in the store. */
export async function noteCleared(db: Database, { accountId, requestId }: ExportKey): Promise<void> {
  await db
    .updateTable('exports')
    .where('account_id', '=', accountId)
    .where('request_id', '=', requestId)
    .set({ unfinished_write: null })
    .execute();
}

/** Writes down who is told of the end. The callback is not needed any more: it may carry secrets of the caller. */
export async function noteNews(
  trx: Database,
  { accountId, requestId }: ExportKey,
  news: Pick<ExportRow, 'delivery_id' | 'mail_id'>,
): Promise<void> {
  await trx
    .updateTable('exports')
    .where('account_id', '=', accountId)
    .where('request_id', '=', requestId)
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
export async function markExpired(db: Database, { accountId, requestId }: ExportKey): Promise<void> {
  await db
    .updateTable('exports')
    .where('account_id', '=', accountId)
    .where('request_id', '=', requestId)
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

/** Exports of all accounts that were accepted before a moment and have not ended, the oldest first. */
export async function listUnfinishedExports(db: Database, before: Date, limit: number): Promise<ExportRow[]> {
  return db
    .selectFrom('exports')
    .where('status', 'in', ['accepted', 'running'])
    .where('accepted_at', '<', before)
    .selectAll()
    .orderBy('accepted_at')
    .limit(limit)
    .execute();
}

/** Exports of an account that have not ended, the oldest first. */
export async function listUnfinishedExportsOf(db: Database, accountId: number): Promise<ExportRow[]> {
  return db
    .selectFrom('exports')
    .where('account_id', '=', accountId)
    .where('status', 'in', ['accepted', 'running'])
    .selectAll()
    .orderBy('request_id')
    .execute();
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
