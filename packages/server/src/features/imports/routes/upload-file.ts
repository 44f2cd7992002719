import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { requireRoom, requireRoomToKeep } from '#features/accounts/stored-files/file-quota.ts';
import type { Context } from '#platform/context.ts';
import { StorageFault } from '#platform/files/storage-fault.ts';
import { ApiError, conflict } from '#platform/errors/api-error.ts';
import type { LongRunKey } from '#platform/long-runs/long-runs.ts';
import { completeFile } from '../file/complete-file.ts';
import { HeadKeeper } from '../file/head-keeper.ts';
import { inspectedBytes } from '../file/inspect.ts';
import { checkBody, isLast, type Digest, type FilePart } from './file-part.ts';
import { appendPart, beginUpload, fileKeyOf, importRuns, type ImportRow } from '../store/import-store.ts';
import { storedBytes } from '../rows/open-file.ts';
import { storeFile } from '../store/store-file.ts';
import { gzipMagic } from '#platform/files/gzip.ts';

/** A request that uploads the file of an import, or a part of it. */
export interface IncomingFile {
  readonly body: Readable;
  /** True when `Content-Encoding` is gzip. */
  readonly saysGzip: boolean;
  /** The bytes of the body, if its client says so. */
  readonly length: number | undefined;
  /** The part of the file that `Content-Range` names; undefined for the whole file. */
  readonly part: FilePart | undefined;
  /** The checksum of `Content-Digest`. */
  readonly digest: Digest | undefined;
  /** Checks the rights of the client again. Throws when they have ended. */
  readonly checkRights: () => Promise<unknown>;
  /** Aborted when the client disconnects. */
  readonly disconnected: AbortSignal;
}

const mebibyte = 1024 * 1024;

/**
 * Receives the file of an import: streams it into the file store, and inspects its beginning. Then
 * either accepts the import, or ends it as failed when the file cannot be imported.
 *
 * A file can be sent in parts. Each part is stored as a separate file and must begin where the part
 * before it ends. The last part completes the file.
 *
 * If an upload is interrupted, nothing is stored, and the client can send the file or part again.
 *
 * The body can take hours to arrive. So the rights are checked again at its end.
 *
 * Throws `not_found`, `malformed_request`, `file_too_large`, `storage_quota`, a `StorageFault`, and
 * `conflict` when the import does not wait for this file or part.
 */
export async function uploadFile(context: Context, key: LongRunKey, file: IncomingFile): Promise<ImportRow> {
  const row = await beginUpload(context.db, key);
  if (row === undefined) throw hasFile(await importRuns.require(context.db, key));
  const { part } = file;
  if (part !== undefined) requireNextPart(row, part, context.config.importFileMb);
  const owner = { accountId: key.accountId, owner: key.id };
  const bytes = part === undefined ? file.length : (part.total ?? part.end + 1);
  const room = await requireRoom(context.db, context, { ...owner, bytes });
  const fileKey = fileKeyOf(row, row.writes);
  const head = new HeadKeeper({
    maxMb: context.config.importFileMb,
    tooLarge,
    before: part?.start ?? 0,
    hash: file.digest?.hash,
  });
  const size = await storeFile(context, key, fileKey, {
    contentType: 'application/octet-stream',
    signal: file.disconnected,
    fill: (sink) => pipeline(chunksOf(file.body), head, room.limiter(part?.start), sink, { signal: file.disconnected }),
  }).catch((error: unknown) => throwUploadError(context, key, error));
  let isUsed = false;
  try {
    checkBody(size, part, file.digest);
    await file.checkRights();
    if (part !== undefined && !isLast(part, row.stated_size)) {
      const { start, total } = part;
      const appended = await context.db.transaction().execute(async (trx) => {
        await requireRoomToKeep(trx, context, { ...owner, bytes: total ?? start + size });
        return appendPart(trx, key, { write: row.writes, fileKey, start, size, total });
      });
      if (appended === undefined) throw uploadConflict(await importRuns.require(context.db, key));
      isUsed = true;
      return appended;
    }
    const parts = part === undefined ? [] : [...row.parts, row.writes];
    const whole = {
      fileKey: parts.length > 1 ? row.file_key! : fileKey,
      size: (part?.start ?? 0) + size,
      parts,
      readHead: async () => {
        const bytes = parts.length > 1 ? await readHeadOfParts(context, row, parts) : head.bytes;
        if (file.saysGzip) requireGzip(bytes);
        return bytes;
      },
    };
    const result = await completeFile(context, row, whole);
    if (result === undefined) throw uploadConflict(await importRuns.require(context.db, key));
    isUsed = parts.length > 1 ? result.parts.includes(row.writes) : result.file_key === fileKey;
    return result;
  } finally {
    if (!isUsed) await context.exportFiles.delete(fileKey);
  }
}

/** Throws `malformed_request` when a file is not gzip, although `Content-Encoding` says so. */
function requireGzip(head: Buffer): void {
  if (head.subarray(0, 2).equals(gzipMagic)) return;
  const reason = 'Content-Encoding says gzip, but the body is not gzip';
  throw new ApiError('malformed_request', { params: { reason } });
}

/** Reads the beginning of a file that was sent in parts. */
async function readHeadOfParts(context: Context, row: ImportRow, parts: readonly number[]): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const keys = parts.map((write) => fileKeyOf(row, write));
  for await (const chunk of storedBytes(context, keys)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= inspectedBytes) break;
  }
  return Buffer.concat(chunks);
}

/**
 * Throws `conflict` when a part is not the next part of an import, and `file_too_large` when it
 * states a size over the limit.
 *
 * `appendPart` checks only the number of received bytes again. That is enough: the statement that
 * changes this number also changes the stated size.
 */
function requireNextPart(row: ImportRow, { start, end, total }: FilePart, maxMb: number): void {
  const { stated_size: stated } = row;
  if (stated !== null && (total === undefined ? end >= stated : total !== stated)) {
    const says = total === undefined ? `ends at ${end + 1}` : `says ${total}`;
    throw conflict(
      `Earlier parts say that the file has ${stated} bytes, but this part ${says}. Send parts of the same file, or create another import.`,
    );
  }
  if (start !== row.received) throw notNext(row);
  if (total !== undefined && total > maxMb * mebibyte) throw tooLarge(maxMb);
}

/** Makes the error for an upload that lost against another upload of the same part or file. */
function uploadConflict(row: ImportRow): ApiError {
  return row.status === 'awaiting_file' ? notNext(row) : hasFile(row);
}

function notNext({ received }: ImportRow): ApiError {
  return conflict(`The import has ${received} bytes of the file. Send the part that begins at this position.`);
}

function tooLarge(megabytes: number): ApiError {
  return new ApiError('file_too_large', { params: { megabytes } });
}

/**
 * Throws the error of a failed write. When the import ended during the write, throws `conflict`
 * instead: the end of the import deletes the unfinished file, and then the file store fails.
 */
async function throwUploadError(context: Context, key: LongRunKey, error: unknown): Promise<never> {
  const row = error instanceof StorageFault ? await importRuns.require(context.db, key) : undefined;
  throw row === undefined || row.status === 'awaiting_file' ? error : hasFile(row);
}

/** Reads a body. An error does not destroy the body, so its connection can send the response. */
async function* chunksOf(body: Readable): AsyncGenerator<Buffer> {
  for await (const chunk of body.iterator({ destroyOnReturn: false })) yield chunk as Buffer;
}

function hasFile({ status }: ImportRow): ApiError {
  const reason =
    status === 'accepted' || status === 'running' || status === 'completed'
      ? `The import already has its file and is ${status}. Create another import for another file.`
      : `The import is ${status} and does not accept a file. Create another import.`;
  return conflict(reason);
}
