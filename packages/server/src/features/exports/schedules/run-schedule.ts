import { requireLockedAccount } from '#features/accounts/store/require-account.ts';
import type { AccountRow } from '#features/accounts/store/account-store.ts';
import type { StoredFilter } from '#features/search/filter/stored-filter.ts';
import { writeAudit } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { ApiError, conflict } from '#platform/errors/api-error.ts';
import type { Requester } from '../request/create-export.ts';
import { requireUnderLimits, storeExport, type ExportStart } from '../request/store-export.ts';
import { countFailure } from '../run/end-schedule-run.ts';
import { insertRun, isRunGoing, type ScheduleRunRow } from '../store/schedule-run-store.ts';
import {
  changeSchedule,
  listDueSchedules,
  lockSchedule,
  requireLockedSchedule,
  type ScheduleKey,
  type ScheduleRow,
} from '../store/schedule-store.ts';
import { refusalOfAuthor } from './schedule-author.ts';
import { countDue, dueAfter } from './timing.ts';

const batch = 100;
/** A schedule for every minute that was down for a year must not count for minutes. */
const maxMissed = 10_000;

/**
 * Starts the runs of all schedules that are due. Several processes can call this at the same time:
 * the row of a schedule is locked, and each due time has at most one run.
 */
export async function startDueSchedules(context: Context, signal: AbortSignal): Promise<void> {
  for (const key of await listDueSchedules(context.db, context.now(), batch)) {
    if (signal.aborted) return;
    try {
      await context.db.transaction().execute((trx) => startIfDue(trx, context, key));
    } catch (error) {
      context.log.error({ schedule: key.scheduleId, err: describeError(error) }, 'could not start an export schedule');
    }
  }
}

/** Starts the run of a schedule if it is still due, and stores its next time, in one transaction. */
async function startIfDue(trx: Database, context: Context, key: ScheduleKey): Promise<void> {
  const account = await requireLockedAccount(trx, key.accountId);
  const schedule = await lockSchedule(trx, key);
  if (schedule?.next_run_at == null) return;
  const now = context.now();
  if (schedule.next_run_at > now) {
    await moveToNewZone(trx, key, schedule, account, now);
    return;
  }
  // After a pause of the service, one run replaces all missed runs.
  const { timing, time_zone: zone, next_run_at: firstDue } = schedule;
  const missed = countDue(timing, zone, { after: firstDue, upTo: now }, maxMissed);
  await changeSchedule(trx, key, {
    next_run_at: dueAfter(timing, account.time_zone, now),
    time_zone: account.time_zone,
  });
  await startRun(trx, context, schedule, { dueAt: firstDue, byHand: false, missed, author: 'system' });
}

/** Computes the next run again after the account got another time zone. */
async function moveToNewZone(
  trx: Database,
  key: ScheduleKey,
  { time_zone: before, timing }: ScheduleRow,
  { time_zone: zone }: AccountRow,
  now: Date,
): Promise<void> {
  if (before !== zone) await changeSchedule(trx, key, { next_run_at: dueAfter(timing, zone, now), time_zone: zone });
}

/**
 * Starts a run of a schedule now. Throws `not_found`, `too_many_exports`, `storage_quota`, and
 * `conflict` while another run is going or if the author of the schedule may no longer export.
 */
export async function runScheduleNow(
  context: Context,
  key: ScheduleKey,
  { author }: Requester,
): Promise<ScheduleRunRow> {
  return context.db.transaction().execute(async (trx) => {
    await requireLockedAccount(trx, key.accountId);
    const schedule = await requireLockedSchedule(trx, key);
    if (await isRunGoing(trx, key)) {
      throw conflict('A run of the schedule has not ended yet.');
    }
    const refusal = await refusalOfAuthor(trx, context, schedule);
    if (refusal !== undefined) throw conflict(refusal);
    await requireUnderLimits(trx, context, key.accountId, schedule.place);
    await writeAudit(trx, context, {
      accountId: key.accountId,
      actor: author,
      action: 'export_schedule.run',
      subject: `export_schedule:${key.scheduleId}`,
    });
    const run = await startRun(trx, context, schedule, { dueAt: context.now(), byHand: true, missed: 0, author });
    if (run !== undefined) return run;
    throw conflict('The schedule has a run for the same time already.');
  });
}

interface RunStart {
  readonly dueAt: Date;
  readonly byHand: boolean;
  readonly missed: number;
  readonly author: ExportStart['author'];
}

/**
 * Stores a run and its export. A run is skipped while the run before is going. Returns undefined if
 * there is a run for the same time: then nothing is started.
 */
async function startRun(
  trx: Database,
  context: Context,
  schedule: ScheduleRow,
  { dueAt, byHand, missed, author }: RunStart,
): Promise<ScheduleRunRow | undefined> {
  const { account_id: accountId, schedule_id: scheduleId } = schedule;
  const key = { accountId, scheduleId };
  const run = { account_id: accountId, schedule_id: scheduleId, due_at: dueAt, by_hand: byHand, missed };
  const ended = { ...run, request_id: null, finished_at: context.now() } as const;
  if (await isRunGoing(trx, key)) {
    return insertRun(trx, { ...ended, status: 'skipped', reason: 'The run before was still going.' });
  }
  const refusal = byHand ? undefined : await refusalOf(trx, context, schedule);
  if (refusal !== undefined) {
    const stored = await insertRun(trx, { ...ended, status: 'failed', reason: refusal });
    if (stored !== undefined) await countFailure(trx, context, schedule, refusal);
    return stored;
  }
  const requestId = context.newId();
  const stored = await insertRun(trx, { ...run, status: 'started', request_id: requestId });
  if (stored === undefined) return undefined;
  const { audience_type, audience_id, columns, blocklist_type, compression, callback, notify_email } = schedule;
  const filter = schedule.filter as StoredFilter | null;
  const content = { audience_type, audience_id, filter, columns, blocklist_type, compression, callback, notify_email };
  await storeExport(trx, context, content, {
    accountId,
    requestId,
    author,
    unmasked: schedule.unmasked,
    schedule: { id: scheduleId, dueAt, place: schedule.place },
  });
  return stored;
}

/** Returns why no export of a schedule can be started now. */
async function refusalOf(trx: Database, context: Context, schedule: ScheduleRow): Promise<string | undefined> {
  const refusal = await refusalOfAuthor(trx, context, schedule);
  if (refusal !== undefined) return refusal;
  try {
    await requireUnderLimits(trx, context, schedule.account_id, schedule.place);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}
