import type { Context } from '../context.ts';
import type { JobHandler, JobPayloads } from '../jobs/job-table.ts';
import { describeError } from '../observability/describe-error.ts';
import { completeExport, failExport } from './end-export.ts';
import { finalFailure, internalFailure } from './export-failure.ts';
import { beginRun, findExport, noteCleared, type ExportKey, type ExportRow } from './export-store.ts';
import { fileKey } from './file-key.ts';
import { RunOver } from './run-notes.ts';
import { writeFile } from './write-file.ts';

/**
 * Runs an export from its beginning, whatever became of earlier runs.
 *
 * Only the newest run can end the export, and only while nobody cancelled it; whoever ends it makes the callback and the mail in the same
 * transaction. So a worker that is killed, or comes back from the dead, leaves no half file to be seen and no second callback.
 */
export const runExport: JobHandler<JobPayloads['export']> = async (
  context,
  payload,
  { signal, attempt, maxAttempts },
) => {
  const key: ExportKey = { accountId: payload.account_id, requestId: payload.request_id };
  const row = await beginRun(context.db, key, context.now());
  await clearLeftovers(context, key, row);
  if (row === undefined) return;
  const run = { ...key, run: row.run };
  try {
    const file = await writeFile(context, row, run, signal);
    if (!(await completeExport(context, run, file))) await context.exportFiles.delete(file.key);
  } catch (error) {
    if (error instanceof RunOver) return;
    // A stop: the next process runs it again.
    signal.throwIfAborted();
    const failure = finalFailure(error);
    if (failure === undefined && attempt < maxAttempts) throw error;
    context.log.error({ export: key.requestId, err: describeError(failure?.cause ?? error) }, 'an export failed');
    await failExport(context, run, failure?.message ?? internalFailure);
  }
};

/** Removes what earlier runs left in the store: they were killed, or could not say how they ended. */
async function clearLeftovers(context: Context, key: ExportKey, begun: ExportRow | undefined): Promise<void> {
  const row = begun ?? (await findExport(context.db, key));
  // The file of an export that is completed is no leftover.
  if (row === undefined || row.file_key !== null) return;
  const before = begun === undefined ? row.run : row.run - 1;
  if (before === 0) return;
  const { unfinished_write: unfinished } = row;
  if (unfinished !== null) await context.exportFiles.discard(unfinished);
  for (let run = 1; run <= before; run++) await context.exportFiles.delete(fileKey({ ...row, run }));
  await noteCleared(context.db, key);
}
