import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';
import { notFound } from '#platform/errors/api-error.ts';

/** A row of the table `export_schedules`. */
export type ScheduleRow = Selectable<Tables['export_schedules']>;

/** The key of a schedule. */
export interface ScheduleKey {
  readonly accountId: number;
  readonly scheduleId: string;
}

/** Stores a new schedule. */
export async function insertSchedule(trx: Database, row: Insertable<Tables['export_schedules']>): Promise<ScheduleRow> {
  return trx.insertInto('export_schedules').values(row).returningAll().executeTakeFirstOrThrow();
}

/** Finds a schedule; undefined when it does not exist. */
export async function findSchedule(
  db: Database,
  { accountId, scheduleId }: ScheduleKey,
): Promise<ScheduleRow | undefined> {
  return select(db, accountId, scheduleId).executeTakeFirst();
}

/** Finds a schedule; throws `not_found`. */
export async function requireSchedule(db: Database, key: ScheduleKey): Promise<ScheduleRow> {
  return (await findSchedule(db, key)) ?? unknownSchedule(key);
}

/** Finds a schedule and locks it until the transaction ends; undefined when it does not exist. */
export async function lockSchedule(
  trx: Database,
  { accountId, scheduleId }: ScheduleKey,
): Promise<ScheduleRow | undefined> {
  return select(trx, accountId, scheduleId).forUpdate().executeTakeFirst();
}

/** Finds and locks a schedule; throws `not_found`. */
export async function requireLockedSchedule(trx: Database, key: ScheduleKey): Promise<ScheduleRow> {
  return (await lockSchedule(trx, key)) ?? unknownSchedule(key);
}

function select(db: Database, accountId: number, scheduleId: string) {
  return db
    .selectFrom('export_schedules')
    .where('account_id', '=', accountId)
    .where('schedule_id', '=', scheduleId)
    .selectAll();
}

function unknownSchedule({ accountId, scheduleId }: ScheduleKey): never {
  throw notFound(`export schedule ${scheduleId} in account ${accountId}`);
}

/** Changes columns of a schedule and returns it. */
export async function changeSchedule(
  trx: Database,
  { accountId, scheduleId }: ScheduleKey,
  changes: Updateable<Tables['export_schedules']>,
): Promise<ScheduleRow> {
  return trx
    .updateTable('export_schedules')
    .where('account_id', '=', accountId)
    .where('schedule_id', '=', scheduleId)
    .set(changes)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Deletes a schedule and its history. */
export async function deleteSchedule(trx: Database, { accountId, scheduleId }: ScheduleKey): Promise<void> {
  for (const table of ['export_schedules', 'export_schedule_runs'] as const) {
    await trx.deleteFrom(table).where('account_id', '=', accountId).where('schedule_id', '=', scheduleId).execute();
  }
}

/** Lists the schedules of an account, newest first, that are older than `before`. */
export async function listSchedules(
  db: Database,
  accountId: number,
  before: string | undefined,
  limit: number,
): Promise<ScheduleRow[]> {
  return db
    .selectFrom('export_schedules')
    .where('account_id', '=', accountId)
    .$if(before !== undefined, (query) => query.where('schedule_id', '<', before!))
    .selectAll()
    .orderBy('schedule_id', 'desc')
    .limit(limit)
    .execute();
}

/** Counts the schedules of an account. */
export async function countSchedules(db: Database, accountId: number): Promise<number> {
  const { count } = await db
    .selectFrom('export_schedules')
    .where('account_id', '=', accountId)
    .select((eb) => eb.fn.countAll<string | number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/**
 * Lists schedules of all accounts that are due, or whose next run was computed for a former time
 * zone of the account.
 */
export async function listDueSchedules(db: Database, now: Date, limit: number): Promise<ScheduleKey[]> {
  const { rows } = await sql<ScheduleKey>`
    select s.account_id as "accountId", s.schedule_id as "scheduleId"
    from export_schedules s join accounts a using (account_id)
    where a.deleted_at is null and s.next_run_at is not null and (s.next_run_at <= ${now} or s.time_zone <> a.time_zone)
    order by s.next_run_at limit ${limit}`.execute(db);
  return rows;
}
