import type { ImportFailureCode } from '@roster/contract';
import type { Context } from '#platform/context.ts';
import { isDiskFull } from '#platform/files/disk-full.ts';
import { StorageFault } from '#platform/files/storage-fault.ts';
import type { JobHandler, JobPayloads } from '#platform/jobs/job-table.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { applyFile } from './apply-file.ts';
import { completeImport, failImport, settle } from './end-import.ts';
import { ImportFailure } from '../store/import-failure.ts';
import { beginRun, findRunning, type ImportKey, type ImportRow, type ImportRun } from '../store/import-store.ts';
import { rehearse } from './rehearse.ts';
import { RunOver } from './run-notes.ts';
import { survey } from './survey.ts';

declare module '#platform/jobs/job-table.ts' {
  interface JobPayloads {
    /** One run of an import from where the run before it stopped, or what an import that has ended leaves to do. */
    import: { readonly account_id: number; readonly import_id: string };
  }
}

/**
 * Runs an import from where the run before has stopped; one that has ended is cleared away instead.
 *
 * Only the newest run can go on: the transaction that accepts a chunk of rows looks for that. So a worker that is killed, or comes back from
 * the dead, neither loses a row nor applies one twice.
 */
export const runImport: JobHandler<JobPayloads['import']> = async (
  context,
  payload,
  { signal, attempt, maxAttempts },
) => {
  const key: ImportKey = { accountId: payload.account_id, importId: payload.import_id };
  const row = await beginRun(context.db, key, context.now());
  if (row === undefined) return settle(context, key, signal);
  const run = { ...key, run: row.run };
  try {
    await goOn(context, row, run, signal);
  } catch (error) {
    // Whoever has ended it does the rest.
    if (error instanceof RunOver) return;
    // A stop: the next process goes on.
    signal.throwIfAborted();
    if ((await findRunning(context.db, run)) === undefined) return;
    const failure = finalFailure(error);
    if (failure === undefined && attempt < maxAttempts) throw error;
    const { importId } = key;
    // What is wrong with a file is for the operator who sent it. A name of a column in the message can be that of a person, and stays out of the log.
    if (failure === undefined || ours.has(failure.code)) {
      context.log.error({ import: importId, err: describeError(failure?.cause ?? error) }, 'an import failed');
    } else context.log.info({ import: importId, code: failure.code }, 'the file of an import cannot be read');
    await failImport(
      context,
      run,
      failure ?? new ImportFailure(error instanceof StorageFault ? 'storage_unavailable' : 'internal'),
    );
    await settle(context, key, signal);
  }
};

async function goOn(context: Context, row: ImportRow, run: ImportRun, signal: AbortSignal): Promise<void> {
  const surveyed = row.surveyed ? row : await survey(context, row, run, signal);
  await (surveyed.dry_run ? rehearse : applyFile)(context, surveyed, run, signal);
  await completeImport(context, run, signal);
}

/** Failures that are not about the file. */
const ours: ReadonlySet<ImportFailureCode> = new Set(['file_lost', 'storage_full', 'storage_unavailable']);

/** The failure that an error means for good; undefined when trying again can help. */
function finalFailure(error: unknown): ImportFailure | undefined {
  if (error instanceof ImportFailure) return error;
  return isDiskFull(error) ? new ImportFailure('storage_full', undefined, { cause: error }) : undefined;
}
