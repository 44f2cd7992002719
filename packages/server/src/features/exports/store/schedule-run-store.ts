import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';
import type { ScheduleKey } from './schedule-store.ts';

/** A row of the table `export_schedule_runs`. */
export type ScheduleRunRow = Selectable<Tables['export_schedule_runs']>;

/**
 * Stores a run. Returns undefined if the schedule already has a run for the same time: then
 * nothing may be started.
 */
export async function insertRun(
  trx: Database,
  run: Insertable<Tables['export_schedule_runs']>,
): Promise<ScheduleRunRow | undefined> {
  return trx
    .insertInto('export_schedule_runs')
    .values(run)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Stores how a run ended. */
export async function finishRun(
  trx: Database,
  { accountId, scheduleId }: ScheduleKey,
  dueAt: Date,
  end: Updateable<Tables['export_schedule_runs']>,
): Promise<void> {
  await trx
    .updateTable('export_schedule_runs')
    .where('account_id', '=', accountId)
    .where('schedule_id', '=', scheduleId)
    .where('due_at', '=', dueAt)
    .where('status', '=', 'started')
    .set(end)
    .execute();
}

/** Returns true if a run of the schedule has not ended. */
export async function isRunGoing(db: Database, { accountId, scheduleId }: ScheduleKey): Promise<boolean> {
  const row = await db
    .selectFrom('export_schedule_runs')
    .where('account_id', '=', accountId)
    .where('schedule_id', '=', scheduleId)
    .where('status', '=', 'started')
    .select('due_at')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Lists the runs of a schedule, newest first, that were due before a time. */
export async function listRuns(
  db: Database,
  { accountId, scheduleId }: ScheduleKey,
  before: Date | undefined,
  limit: number,
): Promise<ScheduleRunRow[]> {
  return db
    .selectFrom('export_schedule_runs')
    .where('account_id', '=', accountId)
    .where('schedule_id', '=', scheduleId)
    .$if(before !== undefined, (query) => query.where('due_at', '<', before!))
    .selectAll()
    .orderBy('due_at', 'desc')
    .limit(limit)
    .execute();
}

/** Returns the newest run of each of some schedules, by the id of the schedule. */
export async function lastRuns(
  db: Database,
  accountId: number,
  scheduleIds: readonly string[],
): Promise<ReadonlyMap<string, ScheduleRunRow>> {
  if (scheduleIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('export_schedule_runs')
    .distinctOn('schedule_id')
    .where('account_id', '=', accountId)
    .where('schedule_id', 'in', [...scheduleIds])
    .selectAll()
    .orderBy('schedule_id')
    .orderBy('due_at', 'desc')
    .execute();
  return new Map(rows.map((row) => [row.schedule_id, row]));
}

/** Deletes up to `limit` runs that ended before a time, and returns how many. */
export async function deleteRunsBefore(db: Database, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    with old as (
      select account_id, schedule_id, due_at from export_schedule_runs
      where finished_at < ${before} limit ${limit} for update skip locked
    )
    delete from export_schedule_runs r using old
    where r.account_id = old.account_id and r.schedule_id = old.schedule_id and r.due_at = old.due_at
    returning r.due_at`.execute(db);
  return rows.length;
}

/**
 * Lets the files of a schedule expire at `at`, except the newest `kept` files. Files that expire
 * earlier keep their time. The upkeep deletes expired files.
 */
export async function expireFiles(
  trx: Database,
  { accountId, scheduleId }: ScheduleKey,
  { at, kept }: { readonly at: Date; readonly kept: number },
): Promise<void> {
  await sql`
    update exports set expires_at = ${at}
    where account_id = ${accountId} and schedule_id = ${scheduleId} and status = 'completed' and place is null
      and expires_at > ${at}
      and request_id not in (
        select request_id from exports
        where account_id = ${accountId} and schedule_id = ${scheduleId} and status = 'completed' and place is null
        order by request_id desc limit ${kept}
      )`.execute(trx);
}
