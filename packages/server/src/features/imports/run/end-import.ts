import type { ImportStatus } from '@roster/contract';
import { writeAudit } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import type { Changes, LongRun, LongRunKey } from '#platform/long-runs/long-runs.ts';
import { withdrawRequest } from '#pipeline/accept/result-store.ts';
import { deleteChunks, listWaiting } from './chunk-store.ts';
import { failedRows } from './failed-rows.ts';
import { writeFailures } from './failures-file.ts';
import { fileKey } from '../store/file-key.ts';
import { ImportFailure } from '../store/import-failure.ts';
import { importRuns, noteDeleted, type ImportRow } from '../store/import-store.ts';
import { waitForRequests } from './wait-for-requests.ts';

/**
 * Ends an import all of whose rows were applied or have failed, with its file of failures; throws a `RunOver` when the run is not the newest
 * any more, or the import was cancelled.
 */
export async function completeImport(context: Context, run: LongRun, signal: AbortSignal): Promise<void> {
  const row = await importRuns.find(context.db, run);
  if (row !== undefined && !row.dry_run && row.failed + row.warnings > 0) {
    await writeFailures(context, row, failedRows(context, row), signal);
  }
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
  });
  context.metrics.imports.inc({ outcome: 'completed' });
  await clear(context, run);
}

/** Ends an import that cannot go on; false when it has ended before. What was accepted of it is left to {@link settle}. */
export async function failImport(
  context: Context,
  run: LongRun,
  { code, message }: Pick<ImportFailure, 'code' | 'message'>,
): Promise<boolean> {
  const end = { status: 'failed', finished_at: context.now(), failure_code: code, failure_message: message } as const;
  const ended = await importRuns.end(context.db, run, end);
  if (ended !== undefined) context.metrics.imports.inc({ outcome: 'failed' });
  return ended !== undefined;
}

/**
 * Ends an import that no run ends, whatever it does or only while its status is `from`, and adds the job that does what it leaves to do.
 * Returns undefined when it has ended, or gone on, before.
 */
export async function endWithoutRun(
  trx: Database,
  key: LongRunKey,
  end: Changes<'imports'>,
  from?: ImportStatus,
): Promise<ImportRow | undefined> {
  const row = await importRuns.endUnfinished(trx, key, end, from);
  if (row !== undefined) await addJob(trx, 'import', { account_id: key.accountId, import_id: key.id });
  return row;
}

/**
 * Does what an import that has ended leaves to do, whoever ended it and how: withdraws its requests that still wait, counts the others, writes
 * the file of failures, and deletes its file. Doing it again changes nothing.
 */
export async function settle(context: Context, key: LongRunKey, signal: AbortSignal): Promise<void> {
  let row = await importRuns.find(context.db, key);
  if (row === undefined || row.finished_at === null) return;
  if (row.status !== 'completed' && row.file_key !== null && !row.dry_run) {
    for (const requestId of await listWaiting(context.db, key)) {
      await withdrawRequest(context.db, key.accountId, requestId, context.now());
    }
    await waitForRequests(context, key, { most: 1, signal });
    row = (await importRuns.find(context.db, key))!;
    if (row.failed + row.warnings > 0 && row.failures_key === null && row.failure_code !== 'storage_full') {
      await writeWhatCanBe(context, row, signal);
    }
  }
  await clear(context, key);
}

/** Writes the file of failures; of an import that failed because its file is gone or damaged there can be none. */
async function writeWhatCanBe(context: Context, row: ImportRow, signal: AbortSignal): Promise<void> {
  try {
    await writeFailures(context, row, failedRows(context, row), signal);
  } catch (error) {
    if (!(error instanceof ImportFailure)) throw error;
    context.log.warn(
      { import: row.import_id, code: error.code },
      'the file of failures of an import cannot be written',
    );
  }
}

/** Deletes what an import that has ended has in the store, beside its file of failures. */
async function clear(context: Context, key: LongRunKey): Promise<void> {
  const row = await importRuns.find(context.db, key);
  if (row === undefined) return;
  for (const unfinished of row.unfinished_writes) await context.exportFiles.discard(unfinished);
  for (let write = 1; write <= row.writes; write++) {
    const place = fileKey(row, write);
    if (place !== row.failures_key) await context.exportFiles.delete(place);
  }
  await deleteChunks(context.db, key);
  await noteDeleted(context.db, key);
}
