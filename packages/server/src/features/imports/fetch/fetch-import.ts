import type { Context } from '#platform/context.ts';
import { isOverQuota } from '#features/accounts/stored-files/file-quota.ts';
import { readRetryAfter } from '#features/callbacks/sending/schedule.ts';
import { isDiskFull, StorageFault } from '#platform/files/storage-fault.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import type { JobHandler, JobPayloads } from '#platform/jobs/job-table.ts';
import { minute, second } from '#platform/time/intervals.ts';
import { endWithoutRun } from '../run/end-import.ts';
import { ImportFailure } from '../store/import-failure.ts';
import {
  beginFetch,
  fileKeyOf,
  keyOf,
  lockFetch,
  removeUnfinishedWrite,
  type ImportRow,
} from '../store/import-store.ts';
import { fetchFile, FetchOver, type FetchLimits } from './fetch-file.ts';
import { SourceFault } from './source-fault.ts';
import { shownUrl } from '../store/source-url.ts';

declare module '#platform/jobs/job-table.ts' {
  interface JobPayloads {
    /** One attempt to fetch the file of an import. */
    fetch_import: { readonly account_id: number; readonly import_id: string; readonly attempt: number };
  }
}

/** How many files a process fetches at the same time. */
export const concurrentFetches = 8;

/** How many of them one account can have, so that slow servers of one account leave room. */
const concurrentOfAccount = 4;

// Milliseconds between two attempts, before a random part is subtracted. Seven attempts take up to 40
// minutes.
const pauses = [10 * second, 30 * second, 2 * minute, 5 * minute, 10 * minute, 20 * minute] as const;
const longestPause = 20 * minute;

/**
 * Makes one attempt to fetch the file of an import, and plans the next one when it fails.
 *
 * An attempt begins with a new number of the import. After this, an earlier attempt that still runs
 * somewhere cannot end the import. If the process is killed, the job runs again and fetches the file
 * from its beginning.
 */
export const fetchImport = fetchImportWith(undefined);

/** Makes a {@link fetchImport} with other limits; undefined for the usual ones. */
export function fetchImportWith(limits: FetchLimits | undefined): JobHandler<JobPayloads['fetch_import']> {
  return async (context, payload, job) => {
    using slot = takeSlot(context, payload.account_id);
    if (slot === undefined) return wait(context, payload);
    const row = await beginFetch(context.db, { accountId: payload.account_id, id: payload.import_id });
    if (row === undefined) return;
    try {
      await deleteEarlierWrites(context, row);
      await fetchFile(context, row, { signal: job.signal, ...(limits === undefined ? {} : { limits }) });
    } catch (error) {
      // The process stops: another process makes this attempt again.
      job.signal.throwIfAborted();
      if (error instanceof FetchOver) return;
      await endAttempt(context, row, payload, job.attempt < job.maxAttempts, error);
    }
  };
}

/** Decides what follows a failed attempt. Throws the error if the job must run again. */
async function endAttempt(
  context: Context,
  row: ImportRow,
  payload: JobPayloads['fetch_import'],
  canRunAgain: boolean,
  error: unknown,
): Promise<void> {
  const url = shownUrl(row.source_url!);
  if (error instanceof SourceFault) {
    const pause = error.isFinal ? undefined : pauseAfter(payload.attempt, error, context.now());
    if (pause !== undefined) return retry(context, row, payload, pause, error);
    const attempts = payload.attempt === 1 ? '' : ` The last of ${payload.attempt} attempts failed.`;
    return fail(context, row, new ImportFailure(error.code, `${url}: ${error.message}.${attempts}`));
  }
  if (error instanceof ImportFailure) return fail(context, row, error);
  if (isOverQuota(error)) {
    const message = `${error.message} Nothing was imported.`;
    return fail(context, row, new ImportFailure('storage_quota', message, { cause: error }));
  }
  if (isDiskFull(error)) {
    const message = 'The file store has no space left for the file. Nothing was imported.';
    return fail(context, row, new ImportFailure('storage_full', message, { cause: error }));
  }
  if (canRunAgain) throw error;
  const code = error instanceof StorageFault ? 'storage_unavailable' : 'internal';
  await fail(context, row, new ImportFailure(code, undefined, { cause: error }));
}

/** Returns the milliseconds until the next attempt; undefined after the last one. */
function pauseAfter(attempt: number, { retryAfter }: SourceFault, now: Date): number | undefined {
  const pause = pauses[attempt - 1];
  if (pause === undefined) return undefined;
  const asked = Math.min(readRetryAfter(retryAfter, now) ?? 0, longestPause);
  return Math.max(pause * (1 - Math.random() / 2), asked);
}

async function retry(
  context: Context,
  row: ImportRow,
  payload: JobPayloads['fetch_import'],
  pause: number,
  { code }: SourceFault,
): Promise<void> {
  // The log does not have the URL, because it can contain secrets.
  context.log.debug({ import: row.import_id, attempt: payload.attempt, code }, 'could not fetch a file; retrying');
  const next = { ...payload, attempt: payload.attempt + 1 };
  await context.db.transaction().execute(async (trx) => {
    if (!(await lockFetch(trx, row))) return;
    await addJob(trx, 'fetch_import', next, {
      key: row.import_id,
      runAt: new Date(context.now().getTime() + pause),
    });
  });
}

async function fail(context: Context, row: ImportRow, { code, message }: ImportFailure): Promise<void> {
  const end = { status: 'failed', finished_at: context.now(), failure_code: code, failure_message: message } as const;
  const ended = await context.db
    .transaction()
    .execute(async (trx) =>
      (await lockFetch(trx, row)) ? endWithoutRun(trx, keyOf(row), end, 'fetching') : undefined,
    );
  if (ended === undefined) return;
  context.metrics.imports.inc({ outcome: 'failed' });
  context.log.info({ import: row.import_id, code }, 'an import failed because its file could not be fetched');
}

/** Deletes what earlier attempts have written. They cannot end the import anymore. */
async function deleteEarlierWrites({ db, exportFiles }: Context, row: ImportRow): Promise<void> {
  for (const unfinished of row.unfinished_writes) {
    await exportFiles.discard(unfinished);
    await removeUnfinishedWrite(db, keyOf(row), unfinished);
  }
  for (let write = 1; write < row.writes; write++) await exportFiles.delete(fileKeyOf(row, write));
}

/** The attempts that run in a process, by account. */
const running = new WeakMap<Context, Map<number, number>>();

/** Takes a place for an attempt of an account. Returns undefined if the account has enough. */
function takeSlot(context: Context, accountId: number): Disposable | undefined {
  const counts = running.get(context) ?? new Map<number, number>();
  running.set(context, counts);
  const count = counts.get(accountId) ?? 0;
  if (count >= concurrentOfAccount) return undefined;
  counts.set(accountId, count + 1);
  return {
    [Symbol.dispose]() {
      const left = counts.get(accountId)! - 1;
      if (left === 0) counts.delete(accountId);
      else counts.set(accountId, left);
    },
  };
}

/** Postpones an attempt that has no place. It does not count as an attempt. */
async function wait({ db, now }: Context, payload: JobPayloads['fetch_import']): Promise<void> {
  const pause = (5 + 5 * Math.random()) * second;
  await addJob(db, 'fetch_import', payload, { key: payload.import_id, runAt: new Date(now().getTime() + pause) });
}
