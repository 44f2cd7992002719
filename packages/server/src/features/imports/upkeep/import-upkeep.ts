import { importFailures, importLimits } from '@roster/contract';
import type { Context } from '#platform/context.ts';
import { StorageFault } from '#platform/files/storage-fault.ts';
import { isJobAlive } from '#platform/jobs/jobs.ts';
import { abandonedRuns, minAge } from '#platform/long-runs/abandoned.ts';
import { hour } from '#platform/time/intervals.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { endWithoutRun, settle } from '../run/end-import.ts';
import {
  clearFailuresKey,
  importRuns,
  keyOf,
  listExpiredFailures,
  listWithLeftovers,
  type ImportFile,
  type ImportRow,
} from '../store/import-store.ts';

const batch = 100;

/**
 * Deletes expired files of failures, ends imports that have lost their job or never got a file, and
 * deletes the remaining files of ended imports. If a file cannot be deleted, the upkeep continues
 * with the other files, and the next call tries again.
 */
export async function importUpkeep(context: Context, signal: AbortSignal): Promise<void> {
  await deleteExpiredFailures(context, signal);
  await endAbandoned(context, signal);
  const before = new Date(context.now().getTime() - minAge);
  for (const row of await listWithLeftovers(context.db, before, batch)) {
    if (signal.aborted) return;
    if (await isJobAlive(context.db, 'import', row.import_id)) continue;
    await tryDeleting(context, row, () => settle(context, keyOf(row), signal));
  }
}

async function deleteExpiredFailures(context: Context, signal: AbortSignal): Promise<void> {
  const { db, exportFiles, now } = context;
  for (;;) {
    const expired = await listExpiredFailures(db, now(), batch);
    let deleted = 0;
    for (const row of expired) {
      if (signal.aborted) return;
      const isDeleted = await tryDeleting(context, row, async () => {
        // Delete first: the import must not say that the file is deleted while it exists.
        await exportFiles.delete(row.failures_key!);
        await clearFailuresKey(db, keyOf(row));
      });
      if (isDeleted) deleted++;
    }
    if (expired.length < batch || deleted === 0) return;
  }
}

async function tryDeleting({ log }: Context, { import_id }: ImportFile, task: () => Promise<void>): Promise<boolean> {
  try {
    await task();
    return true;
  } catch (error) {
    if (!(error instanceof StorageFault)) throw error;
    log.error({ import: import_id, err: describeError(error) }, 'could not delete a file of an import');
    return false;
  }
}

async function endAbandoned(context: Context, signal: AbortSignal): Promise<void> {
  const oldest = context.now().getTime() - importLimits.fileHours * hour;
  for await (const row of abandonedRuns(context, importRuns, signal)) {
    if (row.status === 'awaiting_file') {
      if (row.created_at.getTime() < oldest) await end(context, row, 'file_not_sent');
    } else if (row.status !== 'fetching' || !(await isJobAlive(context.db, 'fetch_import', row.import_id))) {
      await end(context, row, 'internal');
    }
  }
}

async function end(context: Context, row: ImportRow, code: 'internal' | 'file_not_sent'): Promise<void> {
  const failure = { failure_code: code, failure_message: importFailures[code] };
  const failed = { status: 'failed', finished_at: context.now(), ...failure } as const;
  // With the old status as `from`: the import may have got its file or a job in the meantime.
  const ended = await context.db.transaction().execute((trx) => endWithoutRun(trx, keyOf(row), failed, row.status));
  if (ended === undefined) return;
  const reason = code === 'file_not_sent' ? 'its file was not sent in time' : 'it has no job';
  context.log.warn({ import: row.import_id, code }, `ended an import: ${reason}`);
}
