import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { requireRoom } from '#features/accounts/stored-files/file-quota.ts';
import type { Context } from '#platform/context.ts';
import { requestError } from '#features/callbacks/destination/delivery-error.ts';
import { hour, minute, second } from '#platform/time/intervals.ts';
import { completeFile } from '../file/complete-file.ts';
import { HeadKeeper } from '../file/head-keeper.ts';
import { ImportFailure } from '../store/import-failure.ts';
import { fileKeyOf, keyOf, noteFetched, type ImportRow } from '../store/import-store.ts';
import { storeFile } from '../store/store-file.ts';
import { openSource } from './open-source.ts';
import { faultOf, SourceFault } from './source-fault.ts';

const mebibyte = 1024 * 1024;

/** Time limits of an attempt to fetch a file, in milliseconds. */
export interface FetchLimits {
  /** Until the headers of a response must have arrived. */
  readonly response: number;
  /** Without a byte of the file. */
  readonly idle: number;
  /** For the whole attempt. */
  readonly whole: number;
  /** Minimum bytes per second, on average, after the first `slowAfter` milliseconds. */
  readonly slowest: number;
  readonly slowAfter: number;
  /** Between two checks for a cancel and for the speed. */
  readonly check: number;
}

/**
 * The usual limits. The minimum speed keeps servers that send a byte now and then from occupying
 * the workers.
 */
export const usualLimits: FetchLimits = {
  response: 30 * second,
  idle: 30 * second,
  whole: 6 * hour,
  slowest: 10 * 1024,
  slowAfter: minute,
  check: second,
};

/** The attempt was cancelled, or a newer one has begun. */
export class FetchOver extends Error {
  override readonly name = 'FetchOver';
}

/**
 * Makes one attempt to fetch the file of an import: streams it into the file store, and accepts the
 * import or ends it as failed, as an upload does. `row` is the import when the attempt began.
 *
 * Throws a {@link SourceFault}, an {@link ImportFailure}, `storage_quota`, a `StorageFault`, a
 * {@link FetchOver}, or the reason of the signal, which aborts the attempt.
 */
export async function fetchFile(
  context: Context,
  row: ImportRow,
  { signal: stopping, limits = usualLimits }: { readonly signal: AbortSignal; readonly limits?: FetchLimits },
): Promise<void> {
  const { config, exportFiles, resolveHost } = context;
  const maxMb = config.importFileMb;
  const head = new HeadKeeper({ maxMb, tooLarge });
  await using watch = watchAttempt(context, row, head, limits);
  const signal = AbortSignal.any([stopping, watch.signal]);
  const fileKey = fileKeyOf(row, row.writes);
  try {
    await using source = await openSource(row.source_url!, {
      allow: config.callbackAllow,
      resolveHost,
      signal,
      responseTimeout: limits.response,
      idleTimeout: limits.idle,
    });
    if (source.size !== undefined && source.size > maxMb * mebibyte) throw tooLarge(maxMb);
    const key = keyOf(row);
    const room = await requireRoom(context.db, context, {
      accountId: row.account_id,
      owner: row.import_id,
      bytes: source.size,
    });
    const size = await storeFile(context, key, fileKey, {
      contentType: 'application/octet-stream',
      signal,
      fill: (sink) => pipeline(bytesOf(source.body, signal), head, room.limiter(), sink, { signal }),
    });
    signal.throwIfAborted();
    const ended = await completeFile(context, row, { fileKey, size, parts: [], readHead: async () => head.bytes });
    // After an error, it is not known whether the import uses the file. Then the next attempt, or the
    // end of the import, deletes it.
    if (ended?.file_key !== fileKey) await exportFiles.delete(fileKey);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

/** Reads the body of a response. Throws a {@link SourceFault} when the connection breaks. */
async function* bytesOf(body: Readable, signal: AbortSignal): AsyncGenerator<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>;
  } catch (error) {
    signal.throwIfAborted();
    throw faultOf(requestError(error));
  }
}

function tooLarge(megabytes: number): ImportFailure {
  const message = `The file is larger than ${megabytes} MiB. Split it. An operator can change the limit with ROSTER_IMPORT_FILE_MB.`;
  return new ImportFailure('file_too_large', message);
}

/**
 * Watches an attempt while it runs: stores how many bytes have arrived, and aborts the signal when
 * the import is cancelled, a newer attempt begins, or the file arrives too slowly.
 */
function watchAttempt(
  { db }: Pick<Context, 'db'>,
  row: ImportRow,
  head: HeadKeeper,
  limits: FetchLimits,
): { readonly signal: AbortSignal } & AsyncDisposable {
  const over = new AbortController();
  const began = performance.now();
  let checking: Promise<void> = Promise.resolve();

  async function check(): Promise<void> {
    const elapsed = performance.now() - began;
    const least = (Math.max(0, elapsed - limits.slowAfter) / second) * limits.slowest;
    if (head.size < least || elapsed > limits.whole) {
      const message = 'the server sent the file too slowly';
      return over.abort(new SourceFault('source_unreachable', message, { isFinal: false }));
    }
    if (!(await noteFetched(db, row, head.size))) over.abort(new FetchOver('the fetch of the file must end'));
  }

  let isChecking = false;
  const timer = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    // If the database is unreachable, the attempt continues, and its end finds out.
    checking = check()
      .catch(() => undefined)
      .finally(() => (isChecking = false));
  }, limits.check);
  return {
    signal: over.signal,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await checking;
    },
  };
}
