import type { Context } from '../context.ts';
import { isJobAlive } from '../jobs/jobs.ts';
import { clearLeftovers } from './clear-leftovers.ts';
import { failAbandonedExport } from './end-export.ts';
import { internalFailure } from './export-failure.ts';
import { listExpiredExports, listUnfinishedExports, markExpired } from './export-store.ts';

const batch = 100;
/** Exports that are younger, in milliseconds, are not looked at: nearly all of them end before. */
const youth = 60_000;

/** Deletes the files that have expired, and ends exports whose job is gone. */
export async function keepExports(context: Context, signal: AbortSignal): Promise<void> {
  await expireFiles(context, signal);
  await failAbandoned(context, signal);
}

/** The file goes first: what is written down as deleted is. */
async function expireFiles({ db, exportFiles, now }: Context, signal: AbortSignal): Promise<void> {
  for (;;) {
    const expired = await listExpiredExports(db, now(), batch);
    for (const row of expired) {
      if (signal.aborted) return;
      await exportFiles.delete(row.file_key!);
      await markExpired(db, { accountId: row.account_id, requestId: row.request_id });
    }
    if (expired.length < batch) return;
  }
}

/** A process that is killed in the last run that a job has leaves nobody behind who would end the export. */
async function failAbandoned(context: Context, signal: AbortSignal): Promise<void> {
  const before = new Date(context.now().getTime() - youth);
  for (const row of await listUnfinishedExports(context.db, before, batch)) {
    if (signal.aborted) return;
    const { account_id: accountId, request_id: requestId } = row;
    if (await isJobAlive(context.db, 'export', requestId)) continue;
    context.log.error({ export: requestId }, 'an export failed: its job is gone');
    if (await failAbandonedExport(context, { accountId, requestId }, internalFailure))
      await clearLeftovers(context, row);
  }
}
