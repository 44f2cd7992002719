import { scheduleLimits } from '@roster/contract';
import { findAccount } from '#features/accounts/store/account-store.ts';
import { createMail } from '#features/mails/mails.ts';
import { writeAudit } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { ExportRow } from '../store/export-store.ts';
import { expireFiles, finishRun } from '../store/schedule-run-store.ts';
import { changeSchedule, lockSchedule, type ScheduleRow } from '../store/schedule-store.ts';

/**
 * Stores in the history of a schedule how its export ended. Call it in the transaction that ends
 * the export. Does nothing for other exports.
 *
 * After a completed run, older files than the schedule keeps expire. After too many failed runs in
 * a row, the schedule is disabled.
 */
export async function endScheduleRun(trx: Database, context: Context, row: ExportRow): Promise<void> {
  if (row.schedule_id === null || row.due_at === null) return;
  const key = { accountId: row.account_id, scheduleId: row.schedule_id };
  // Before its run, as the deletion of a schedule does. Otherwise, both could wait for each other.
  const schedule = await lockSchedule(trx, key);
  if (schedule === undefined) return;
  const status = row.status as 'completed' | 'failed' | 'cancelled';
  await finishRun(trx, key, row.due_at, {
    status,
    reason: row.error,
    rows_written: status === 'completed' ? row.rows_written : null,
    file_size: row.file_size,
    finished_at: row.finished_at,
  });
  if (status === 'completed') {
    await changeSchedule(trx, key, { failures: 0 });
    await expireFiles(trx, key, { at: context.now(), kept: schedule.keep_files });
  }
  if (status === 'failed') await countFailure(trx, context, schedule, row.error ?? '');
}

/** Counts a failed run, and disables the schedule after too many. The caller has locked it. */
export async function countFailure(
  trx: Database,
  context: Context,
  schedule: ScheduleRow,
  reason: string,
): Promise<void> {
  const { account_id: accountId, schedule_id: scheduleId, disabled_at: disabledBefore } = schedule;
  const failures = schedule.failures + 1;
  const disable = failures >= scheduleLimits.failures && disabledBefore === null;
  await changeSchedule(
    trx,
    { accountId, scheduleId },
    { failures, ...(disable ? { disabled_at: context.now(), next_run_at: null } : {}) },
  );
  if (!disable) return;
  await writeAudit(trx, context, {
    accountId,
    actor: 'system',
    action: 'export_schedule.disable',
    subject: `export_schedule:${scheduleId}`,
    details: { failures },
  });
  if (schedule.notify_email === null) return;
  const account = await findAccount(trx, accountId);
  // It was deleted just now, and its mails are deleted, too.
  if (account === undefined) return;
  await createMail(trx, context, {
    accountId,
    to: schedule.notify_email,
    template: 'export_schedule_disabled',
    data: { scheduleName: schedule.name, scheduleId, failures, reason, accountName: account.name },
  });
}
