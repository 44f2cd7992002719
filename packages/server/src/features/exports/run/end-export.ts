import { exportLimits, scheduleLimits, type ExportReport } from '@roster/contract';
import { requireRoomToKeep } from '#features/accounts/stored-files/file-quota.ts';
import { findAccount } from '#features/accounts/store/account-store.ts';
import { findAudienceName } from '#features/audiences/audience-store.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { createDelivery } from '#features/callbacks/deliveries.ts';
import { addEvent } from '#features/events/event-store.ts';
import { createMail } from '#features/mails/mails.ts';
import type { LongRun, LongRunKey } from '#platform/long-runs/long-runs.ts';
import { addExportJob } from '../store/export-job.ts';
import { exportRuns, keyOf, setNotifications, type ExportRow } from '../store/export-store.ts';
import { placeText } from '../store/export-view.ts';
import { fileUrl, linkExpiry } from '../store/file-url.ts';
import { endScheduleRun } from './end-schedule-run.ts';
import { millisecondsPerDay } from '#platform/time/intervals.ts';
import type { WrittenFile } from './write-file.ts';

/**
 * Ends an export with its file. The same transaction creates the callback and the mail, so that
 * each is sent once.
 *
 * Returns false and changes nothing when a newer run exists, or the export has already ended.
 * Throws `storage_quota` when the account has no room for the file.
 */
export async function completeExport(
  context: Context,
  row: ExportRow,
  run: LongRun,
  file: WrittenFile,
): Promise<boolean> {
  const now = context.now();
  return end(context, async (trx) => {
    if (row.place === null) {
      const owner = { accountId: run.accountId, owner: run.id };
      await requireRoomToKeep(trx, context, { ...owner, bytes: file.size });
    }
    return exportRuns.end(trx, run, {
      status: 'completed',
      finished_at: now,
      expires_at: new Date(now.getTime() + fileDaysOf(row) * millisecondsPerDay),
      rows_total: file.rows,
      rows_written: file.rows,
      file_key: file.key,
      file_size: file.size,
    });
  });
}

/**
 * Returns the days for which a file is kept. A schedule keeps its newest files, and lets older ones
 * expire earlier.
 */
function fileDaysOf({ schedule_id: scheduleId, place }: ExportRow): number {
  return scheduleId === null || place !== null ? exportLimits.fileDays : scheduleLimits.historyDays;
}

/**
 * Ends an export as failed, like {@link completeExport}. The callback and the mail contain `error`.
 * A job deletes the unfinished files, because the file store may be unreachable now.
 */
export async function failExport(context: Context, run: LongRun, error: string): Promise<boolean> {
  return end(context, async (trx) => {
    const row = await exportRuns.end(trx, run, { status: 'failed', finished_at: context.now(), error });
    return withLeftoversJob(trx, row);
  });
}

/** Ends an export that has lost its job, like {@link failExport}. */
export async function failAbandonedExport(context: Context, key: LongRunKey, error: string): Promise<boolean> {
  return end(context, async (trx) => {
    const row = await exportRuns.endUnfinished(trx, key, { status: 'failed', finished_at: context.now(), error });
    return withLeftoversJob(trx, row);
  });
}

/**
 * Adds a job that deletes the unfinished files of an export that has ended, and returns the export.
 * The job is retried for about three days.
 */
async function withLeftoversJob(trx: Database, row: ExportRow | undefined): Promise<ExportRow | undefined> {
  if (row === undefined || row.unfinished_write === null) return row;
  await addExportJob(trx, row, { key: `${row.request_id}/leftovers` });
  return row;
}

async function end(context: Context, change: (trx: Database) => Promise<ExportRow | undefined>): Promise<boolean> {
  return context.db.transaction().execute(async (trx) => {
    const row = await change(trx);
    if (row === undefined) return false;
    await notifyCaller(trx, context, row);
    return true;
  });
}

/**
 * Creates the callback and the mail of an export, and ends its run in the history of its schedule.
 * Call it in the transaction that ends the export.
 */
export async function notifyCaller(trx: Database, context: Context, row: ExportRow): Promise<void> {
  const delivery_id = await createCallback(trx, context, row);
  const mail_id = await createNotificationMail(trx, context, row);
  await setNotifications(trx, keyOf(row), { delivery_id, mail_id });
  await endScheduleRun(trx, context, row);
  await addExportEvent(trx, context, row);
}

async function addExportEvent(trx: Database, { now }: Context, row: ExportRow): Promise<void> {
  const { account_id: accountId, request_id: requestId, rows_written: rowCount, status } = row;
  const audience = { audience_type: row.audience_type, audience_id: row.audience_id };
  const details = status === 'completed' ? { row_count: rowCount, ...audience } : audience;
  const kind =
    status === 'completed' ? 'export.completed' : status === 'cancelled' ? 'export.cancelled' : 'export.failed';
  await addEvent(trx, accountId, { kind, contactId: null, requestId, details }, now());
}

async function createCallback(trx: Database, context: Context, row: ExportRow): Promise<string | null> {
  const { callback } = row;
  if (callback === null) return null;
  const { method, endpoint: url, headers, body: callbackBody } = callback;
  const facts = factsOf(context, row);
  return createDelivery(trx, context, {
    accountId: row.account_id,
    source: { kind: 'export', id: row.request_id },
    method,
    url,
    headers: headers.map(([name, value]) => ({ name, value })),
    body: {
      request_id: row.request_id,
      status: facts.status,
      audience_type: row.audience_type,
      audience_id: row.audience_id,
      file_type: 'csv',
      row_count: facts.rowCount,
      file_size: facts.fileSize,
      file_url: facts.fileUrl,
      expires_at: facts.expiresAt?.toISOString() ?? null,
      ...(facts.error === null ? {} : { error: facts.error }),
      callbackBody,
    } satisfies ExportReport,
  });
}

async function createNotificationMail(trx: Database, context: Context, row: ExportRow): Promise<string | null> {
  if (row.notify_email === null) return null;
  const { account_id: accountId, audience_type: audienceType, audience_id: audienceId } = row;
  const account = await findAccount(trx, accountId);
  // It was deleted just now, and its mails are deleted, too.
  if (account === undefined) return null;
  return createMail(trx, context, {
    accountId,
    to: row.notify_email,
    template: 'export_finished',
    data: {
      requestId: row.request_id,
      audienceType,
      audienceId,
      audienceName: audienceId === null ? undefined : await findAudienceName(trx, accountId, audienceId),
      place: row.place === null ? null : placeText(row.place),
      accountName: account.name,
      timeZone: account.time_zone,
      ...factsOf(context, row),
    },
  });
}

/** Returns what the callback and the mail say. They show a cancelled export as failed. */
function factsOf({ config, now }: Context, row: ExportRow) {
  const completed = row.status === 'completed';
  return {
    status: completed ? 'completed' : 'failed',
    rowCount: completed ? row.rows_written : null,
    fileSize: row.file_size,
    fileUrl: completed && row.place === null ? fileUrl(config, row, now()) : null,
    expiresAt: row.place === null ? linkExpiry(row, now()) : null,
    error: row.error,
  } as const;
}
