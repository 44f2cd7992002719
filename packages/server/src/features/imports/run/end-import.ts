import type { ImportStatus } from '@roster/contract';
import { isOverQuota } from '#features/accounts/stored-files/file-quota.ts';
import { writeAudit } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import type { Changes, LongRun, LongRunKey } from '#platform/long-runs/long-runs.ts';
import { withdrawRequest } from '#pipeline/queue/withdraw.ts';
import { addEvent } from '#features/events/event-store.ts';
import { countApplied, deleteChunks, listWaiting } from './chunk-store.ts';
import { failedRows } from './failed-rows.ts';
import { writeFailures } from './failures-file.ts';
import { createEndMail, ensureEndMail, failuresForMail } from './end-mail.ts';
import { ImportFailure } from '../store/import-failure.ts';
import { fileKeyOf, importRuns, clearFileKeys, withoutSecrets, type ImportRow } from '../store/import-store.ts';
import { waitForRequests } from '#pipeline/accept/wait-for-requests.ts';

/**
 * Ends an import whose rows were all applied or failed, and creates its mail. Writes the file of
 * failures first. Throws a `RunOver` when a newer run exists, or the import was cancelled.
 */
export async function completeImport(context: Context, run: LongRun, signal: AbortSignal): Promise<void> {
  const row = await importRuns.find(context.db, run);
  if (row !== undefined && !row.dry_run && row.failed + row.warnings > 0) {
    await writeFailures(context, row, failedRows(context, row), signal);
  }
  const failures = await failuresForMail(context, run);
  await context.db.transaction().execute(async (trx) => {
    const ended = await importRuns.end(trx, run, { status: 'completed', finished_at: context.now() });
    if (ended === undefined) throw importRuns.over();
    const { created, updated, unchanged, failed, dry_run } = ended;
    await writeAudit(trx, context, {
      accountId: run.accountId,
      actor: 'system',
      action: 'import.complete',
      subject: `import:${run.id}`,
      details: { created, updated, unchanged, failed, dry_run },
    });
    await createEndMail(trx, context, run, failures);
    if (dry_run) return;
    const details = { import_id: run.id, created, updated, unchanged, failed };
    const event = { kind: 'import.completed', contactId: null, requestId: null, details } as const;
    await addEvent(trx, run.accountId, event, context.now());
  });
  context.metrics.imports.inc({ outcome: 'completed' });
  await deleteFiles(context, run);
}

/** Ends an import as failed, unless it has already ended. {@link settle} does the rest. */
export async function failImport(
  context: Context,
  run: LongRun,
  { code, message }: Pick<ImportFailure, 'code' | 'message'>,
): Promise<void> {
  const end = { status: 'failed', finished_at: context.now(), failure_code: code, failure_message: message } as const;
  const ended = await context.db.transaction().execute(async (trx) => {
    const row = await importRuns.end(trx, run, end);
    if (row !== undefined) await addEndEvent(trx, row, end.finished_at);
    return row;
  });
  if (ended !== undefined) context.metrics.imports.inc({ outcome: 'failed' });
}

/**
 * Ends an import from outside of its runs, and adds the job that calls {@link settle}. With `from`,
 * it ends only an import with this status. Returns undefined when the import has another status or
 * has already ended.
 */
export async function endWithoutRun(
  trx: Database,
  key: LongRunKey,
  end: Changes<'imports'>,
  from?: ImportStatus,
): Promise<ImportRow | undefined> {
  const row = await importRuns.endUnfinished(trx, key, { ...end, source_url: withoutSecrets }, from);
  if (row === undefined) return undefined;
  await addJob(trx, 'import', { account_id: key.accountId, import_id: key.id });
  await addEndEvent(trx, row, row.finished_at!);
  return row;
}

/** Adds the event of an import that failed or was cancelled. */
async function addEndEvent(trx: Database, row: ImportRow, at: Date): Promise<void> {
  if (row.dry_run) return;
  const kind = row.status === 'cancelled' ? 'import.cancelled' : 'import.failed';
  const details = {
    import_id: row.import_id,
    ...(row.failure_code === null ? {} : { failure_code: row.failure_code }),
  };
  await addEvent(trx, row.account_id, { kind, contactId: null, requestId: null, details }, at);
}

/**
 * Does the remaining work for an import that has ended, whatever its status:
 * - withdraws its requests that still wait
 * - counts the results of the others
 * - writes the file of failures
 * - creates the mail, whose counts are final only now
 * - deletes the imported file
 *
 * A second call changes nothing.
 */
export async function settle(context: Context, key: LongRunKey, signal: AbortSignal): Promise<void> {
  let row = await importRuns.find(context.db, key);
  if (row === undefined || row.finished_at === null) return;
  if (row.status !== 'completed' && row.file_key !== null && !row.dry_run) {
    for (const requestId of await listWaiting(context.db, key)) {
      await withdrawRequest(context.pool, key.accountId, requestId, context.now());
    }
    await waitForRequests(() => countApplied(context.db, key), { below: 1, signal });
    row = (await importRuns.find(context.db, key))!;
    const isFull = row.failure_code === 'storage_full' || row.failure_code === 'storage_quota';
    if (row.failed + row.warnings > 0 && row.failures_key === null && !isFull) {
      await tryWritingFailures(context, row, signal);
    }
  }
  await ensureEndMail(context, key);
  await deleteFiles(context, key);
}

/**
 * Writes the file of failures, unless the imported file is lost or damaged, or the account has no
 * room for it.
 */
async function tryWritingFailures(context: Context, row: ImportRow, signal: AbortSignal): Promise<void> {
  try {
    await writeFailures(context, row, failedRows(context, row), signal);
  } catch (error) {
    if (!(error instanceof ImportFailure) && !isOverQuota(error)) throw error;
    context.log.warn({ import: row.import_id, code: error.code }, 'could not write the file of failures of an import');
  }
}

/** Deletes the requests of an import, and its files in the store except the file of failures. */
async function deleteFiles(context: Context, key: LongRunKey): Promise<void> {
  const row = await importRuns.find(context.db, key);
  if (row === undefined) return;
  for (const unfinished of row.unfinished_writes) await context.exportFiles.discard(unfinished);
  for (let write = 1; write <= row.writes; write++) {
    const fileKey = fileKeyOf(row, write);
    if (fileKey !== row.failures_key) await context.exportFiles.delete(fileKey);
  }
  await deleteChunks(context.db, key);
  await clearFileKeys(context.db, key);
}
