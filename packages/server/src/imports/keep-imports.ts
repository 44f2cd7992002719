import { importFailures, importLimits } from '@roster/contract';
import type { Context } from '../context.ts';
import { isJobAlive } from '../jobs/jobs.ts';
import { endWithoutRun, settle } from './end-import.ts';
import {
  forgetFailures,
  keyOf,
  listExpiredFailures,
  listUncleared,
  listUnfinishedImports,
  type ImportRow,
} from './import-store.ts';

const batch = 100;
/** Imports that began or ended less than this ago, in milliseconds, are left to their jobs. */
const youth = 60_000;
const hour = 3_600_000;

/** Deletes files of failures that have expired, ends imports without a file or a job, and clears away what ended ones have left. */
export async function keepImports(context: Context, signal: AbortSignal): Promise<void> {
  await expireFailures(context, signal);
  await endAbandoned(context, signal);
  const before = new Date(context.now().getTime() - youth);
  for (const row of await listUncleared(context.db, before, batch)) {
    if (signal.aborted) return;
    if (!(await isJobAlive(context.db, 'import', row.import_id))) await settle(context, keyOf(row), signal);
  }
}

/** The file goes first: what is written down as deleted is. */
async function expireFailures({ db, exportFiles, now }: Context, signal: AbortSignal): Promise<void> {
  for (;;) {
    const expired = await listExpiredFailures(db, now(), batch);
    for (const row of expired) {
      if (signal.aborted) return;
      await exportFiles.delete(row.failures_key!);
      await forgetFailures(db, keyOf(row));
    }
    if (expired.length < batch) return;
  }
}

async function endAbandoned(context: Context, signal: AbortSignal): Promise<void> {
  const now = context.now().getTime();
  for (const row of await listUnfinishedImports(context.db, new Date(now - youth), batch)) {
    if (signal.aborted) return;
    if (row.status !== 'awaiting_file') {
      if (!(await isJobAlive(context.db, 'import', row.import_id))) await end(context, row, 'internal');
    } else if (row.created_at.getTime() < now - importLimits.fileHours * hour) await end(context, row, 'file_not_sent');
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
