import { importFailures, importLimits } from '@roster/contract';
import type { Context } from '#platform/context.ts';
import { StorageFault } from '#platform/files/storage-fault.ts';
import { isJobAlive } from '#platform/jobs/jobs.ts';
import { abandonedRuns, youth } from '#platform/long-runs/abandoned.ts';
import { hour } from '#platform/time/intervals.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { endWithoutRun, settle } from '../run/end-import.ts';
import {
  forgetFailures,
  importRuns,
  keyOf,
  listExpiredFailures,
  listUncleared,
  type ImportRow,
} from '../store/import-store.ts';

const batch = 100;

/**
 * Deletes files of failures that have expired, ends imports without a file or a job, and clears away what ended ones have left. A file that
 * cannot be deleted does not hold up the others, and is tried again by the next call.
 */
export async function keepImports(context: Context, signal: AbortSignal): Promise<void> {
  await expireFailures(context, signal);
  await endAbandoned(context, signal);
  const before = new Date(context.now().getTime() - youth);
  for (const row of await listUncleared(context.db, before, batch)) {
    if (signal.aborted) return;
    if (await isJobAlive(context.db, 'import', row.import_id)) continue;
    await tryDeleting(context, row, () => settle(context, keyOf(row), signal));
  }
}

/** The file goes first: what is written down as deleted is. */
async function expireFailures(context: Context, signal: AbortSignal): Promise<void> {
  const { db, exportFiles, now } = context;
  for (;;) {
    const expired = await listExpiredFailures(db, now(), batch);
    let deleted = 0;
    for (const row of expired) {
      if (signal.aborted) return;
      const isDeleted = await tryDeleting(context, row, async () => {
        await exportFiles.delete(row.failures_key!);
        await forgetFailures(db, keyOf(row));
      });
      if (isDeleted) deleted++;
    }
    if (expired.length < batch || deleted === 0) return;
  }
}

async function tryDeleting({ log }: Context, { import_id }: ImportRow, task: () => Promise<void>): Promise<boolean> {
  try {
    await task();
    return true;
  } catch (error) {
    if (!(error instanceof StorageFault)) throw error;
    log.error({ import: import_id, err: describeError(error) }, 'a file of an import was not deleted');
    return false;
  }
}

async function endAbandoned(context: Context, signal: AbortSignal): Promise<void> {
  const oldest = context.now().getTime() - importLimits.fileHours * hour;
  for await (const row of abandonedRuns(context, importRuns, signal)) {
    if (row.status !== 'awaiting_file') await end(context, row, 'internal');
    else if (row.created_at.getTime() < oldest) await end(context, row, 'file_not_sent');
  }
}

async function end(context: Context, row: ImportRow, code: 'internal' | 'file_not_sent'): Promise<void> {
  const failure = { failure_code: code, failure_message: importFailures[code] };
  const failed = { status: 'failed', finished_at: context.now(), ...failure } as const;
  // Its file or its job may have come meanwhile.
  const ended = await context.db.transaction().execute((trx) => endWithoutRun(trx, keyOf(row), failed, row.status));
  if (ended === undefined) return;
  context.log.warn({ import: row.import_id, code }, 'an import was ended: its job is gone, or its file never came');
}
