import { exportLimits, type ExportReport } from '@roster/contract';
import { findAccount } from '#features/accounts/store/account-store.ts';
import { findAudienceName } from '#features/audiences/audience-store.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { createDelivery } from '#features/callbacks/deliveries.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { createMail } from '#features/mails/mails.ts';
import type { LongRun, LongRunKey } from '#platform/long-runs/long-runs.ts';
import { exportRuns, keyOf, noteNews, type ExportRow } from '../store/export-store.ts';
import { fileUrl } from '../store/file-url.ts';
import type { WrittenFile } from './write-file.ts';

const day = 24 * 3_600_000;

/**
 * Ends an export with its file, in the transaction that tells the caller: the export ends once, so there is one callback and one mail.
 *
 * False when the run is not the newest any more, or the export was cancelled: then nothing is changed.
 */
export async function completeExport(context: Context, run: LongRun, file: WrittenFile): Promise<boolean> {
  const now = context.now();
  return end(context, (trx) =>
    exportRuns.end(trx, run, {
      status: 'completed',
      finished_at: now,
      expires_at: new Date(now.getTime() + exportLimits.fileDays * day),
      rows_total: file.rows,
      rows_written: file.rows,
      file_key: file.key,
      file_size: file.size,
    }),
  );
}

/**
 * Ends an export without a file, for a reason that the caller is told, like {@link completeExport}. What its runs left in the store is cleared
 * away by a job, for a store that is away can be the reason.
 */
export async function failExport(context: Context, run: LongRun, error: string): Promise<boolean> {
  return end(context, async (trx) => {
    const row = await exportRuns.end(trx, run, { status: 'failed', finished_at: context.now(), error });
    return clearedByJob(trx, row);
  });
}

/** Ends an export whose job is gone, like {@link failExport}. */
export async function failAbandonedExport(context: Context, key: LongRunKey, error: string): Promise<boolean> {
  return end(context, async (trx) => {
    const row = await exportRuns.endUnfinished(trx, key, { status: 'failed', finished_at: context.now(), error });
    return clearedByJob(trx, row);
  });
}

/** The job of an export that has ended does nothing but clear away. This one has as many tries as jobs have, some three days. */
async function clearedByJob(trx: Database, row: ExportRow | undefined): Promise<ExportRow | undefined> {
  if (row === undefined || row.unfinished_write === null) return row;
  const { account_id, request_id } = row;
  await addJob(trx, 'export', { account_id, request_id }, { key: `${request_id}/leftovers` });
  return row;
}

async function end(context: Context, change: (trx: Database) => Promise<ExportRow | undefined>): Promise<boolean> {
  return context.db.transaction().execute(async (trx) => {
    const row = await change(trx);
    if (row === undefined) return false;
    await tellTheEnd(trx, context, row);
    return true;
  });
}

/** Makes the callback and the mail of an export that has ended, in the transaction that ends it. */
export async function tellTheEnd(trx: Database, context: Context, row: ExportRow): Promise<void> {
  const delivery_id = await createCallback(trx, context, row);
  const mail_id = await createNotice(trx, context, row);
  await noteNews(trx, keyOf(row), { delivery_id, mail_id });
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

async function createNotice(trx: Database, context: Context, row: ExportRow): Promise<string | null> {
  if (row.notify_email === null) return null;
  const { account_id: accountId, audience_type: audienceType, audience_id: audienceId } = row;
  const account = await findAccount(trx, accountId);
  return createMail(trx, context, {
    accountId,
    to: row.notify_email,
    template: 'export_finished',
    data: {
      requestId: row.request_id,
      audienceType,
      audienceId,
      audienceName: await findAudienceName(trx, accountId, audienceId),
      accountName: account!.name,
      timeZone: account!.time_zone,
      ...factsOf(context, row),
    },
  });
}

/** What a caller is told of the end. An export that an operator cancelled is one that failed: there is no file. */
function factsOf({ config }: Context, row: ExportRow) {
  const completed = row.status === 'completed';
  return {
    status: completed ? 'completed' : 'failed',
    rowCount: completed ? row.rows_written : null,
    fileSize: row.file_size,
    fileUrl: completed ? fileUrl(config, row) : null,
    expiresAt: row.expires_at,
    error: row.error,
  } as const;
}
