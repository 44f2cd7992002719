import { sql, type Insertable, type Selectable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { StoredFilter } from '#features/search/filter/stored-filter.ts';
import type { ExportColumn, ExportPlace } from '#platform/database/schema/tables/exports.ts';
import { jsonText } from '#platform/database/values/json-text.ts';
import type { Tables } from '#platform/database/schema/tables.ts';
import { LongRuns, type LongRunKey } from '#platform/long-runs/long-runs.ts';

/** A row of the table `exports`. */
export type ExportRow = Selectable<Tables['exports']>;

/** The runs of exports. */
export const exportRuns = new LongRuns({
  name: 'export',
  jobs: ['export', 'export_to_s3'],
  table: 'exports',
  id: 'request_id',
  madeAt: 'accepted_at',
  unfinished: ['accepted', 'running'],
});

/** Returns the key of an export. */
export function keyOf({
  account_id: accountId,
  request_id: id,
}: Pick<ExportRow, 'account_id' | 'request_id'>): LongRunKey {
  return { accountId, id };
}

/**
 * Returns the key of the file of a run in its file store. Each run has its own key. If a run still
 * continues when the next run starts, it cannot overwrite the file of that run.
 *
 * The names of files in S3 are for people and programs of the customer. So they tell the time of
 * the schedule, and begin with it.
 */
export function fileKeyOf(
  row: Pick<ExportRow, 'account_id' | 'request_id' | 'run' | 'compression' | 'place' | 'due_at'>,
): string {
  const ending = `csv${row.compression === 'gzip' ? '.gz' : ''}`;
  if (row.place === null) return `${row.account_id}/${row.request_id}-${row.run}.${ending}`;
  const time = row.due_at!.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return `${time}-${row.request_id}${row.run === 1 ? '' : `-${row.run}`}.${ending}`;
}

type NewExport = Omit<Insertable<Tables['exports']>, 'status' | 'columns' | 'callback' | 'filter' | 'place'> & {
  readonly columns: readonly ExportColumn[];
  readonly filter: StoredFilter | null;
  readonly place: ExportPlace | null;
  readonly callback: ExportRow['callback'];
};

/** Stores an accepted export. */
export async function insertExport(
  trx: Database,
  { columns, callback, filter, place, ...row }: NewExport,
): Promise<void> {
  await trx
    .insertInto('exports')
    .values({
      ...row,
      status: 'accepted',
      columns: JSON.stringify(columns),
      callback: jsonText(callback),
      filter: jsonText(filter),
      place: jsonText(place),
    })
    .execute();
}

function exports(db: Database, { accountId, id }: LongRunKey) {
  return db.updateTable('exports').where('account_id', '=', accountId).where('request_id', '=', id);
}

/** Stores that earlier runs have left no unfinished file in the file store. */
export async function markLeftoversDeleted(db: Database, key: LongRunKey): Promise<void> {
  await exports(db, key).set({ unfinished_write: null }).execute();
}

/**
 * Stores the delivery and the mail of an export. Deletes its callback, which can contain secrets.
 */
export async function setNotifications(
  trx: Database,
  key: LongRunKey,
  notifications: Pick<ExportRow, 'delivery_id' | 'mail_id'>,
): Promise<void> {
  await exports(trx, key)
    .set({ ...notifications, callback: null })
    .execute();
}

/** The time when the file of an export expired, or when an export without a file ended. */
const overSince = sql<Date>`coalesce(expires_at, finished_at)`;

/** The position of an export in {@link listExpiredExports}. */
export type ExpiredPosition = Pick<ExportRow, 'expires_at' | 'account_id' | 'request_id'>;

/** An export whose file has expired. Without its filter, which can have megabytes. */
export type ExpiredExport = Pick<ExportRow, (typeof expiredColumns)[number]>;

const expiredColumns = ['account_id', 'request_id', 'expires_at', 'file_key', 'place'] as const;

/** Lists exports of all accounts whose files have expired, the oldest first, after a position. */
export async function listExpiredExports(
  db: Database,
  now: Date,
  after: ExpiredPosition | undefined,
  limit: number,
): Promise<ExpiredExport[]> {
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
    .select(expiredColumns)
    .orderBy('expires_at')
    .orderBy('account_id')
    .orderBy('request_id')
    .limit(limit)
    .execute();
}

/** Stores that the file of an export is deleted. */
export async function markExpired(db: Database, key: LongRunKey): Promise<void> {
  await exports(db, key).where('status', '=', 'completed').set({ status: 'expired', file_key: null }).execute();
}

/** Lists old exports of all accounts that ended without a file and left an unfinished file. */
export async function listOldLeftovers(db: Database, before: Date, limit: number): Promise<LongRunKey[]> {
  return (
    db
      .selectFrom('exports')
      .where('status', 'in', ['failed', 'cancelled'])
      .where(overSince, '<', before)
      .where('unfinished_write', 'is not', null)
      .select(['account_id as accountId', 'request_id as id'])
      // Random order: exports whose files cannot be deleted must not block the others.
      .orderBy(sql`random()`)
      .limit(limit)
      .execute()
  );
}

/**
 * Deletes up to `limit` exports that were over before a time. Keeps those with unfinished files.
 */
export async function deleteExportsBefore(db: Database, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    with old as (
      select account_id, request_id from exports
      where status in ('failed', 'cancelled', 'expired') and ${overSince} < ${before}
        and (status = 'expired' or unfinished_write is null)
      limit ${limit} for update skip locked
    )
    delete from exports using old where exports.account_id = old.account_id and exports.request_id = old.request_id
    returning exports.request_id`.execute(db);
  return rows.length;
}

/** Counts the exports of an account that have not ended. */
export async function countUnfinishedExports(db: Database, accountId: number): Promise<number> {
  const { count } = await db
    .selectFrom('exports')
    .where('account_id', '=', accountId)
    .where('status', 'in', ['accepted', 'running'])
    .select((eb) => eb.fn.countAll<string | number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
