import { Transform, type Readable, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { requireLockedAccount } from '#features/accounts/store/require-account.ts';
import { loadRegistry } from '#features/registry/registry.ts';
import type { Context } from '#platform/context.ts';
import { StorageFault } from '#platform/files/storage-fault.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import type { LongRunKey } from '#platform/long-runs/long-runs.ts';
import { endWithoutRun } from '../run/end-import.ts';
import { checkBody, isLast, type Digest, type FilePart } from './file-part.ts';
import { findColumns } from '../columns/find-columns.ts';
import { unguardedHeaders } from '../rows/formula-guard.ts';
import { ImportFailure } from '../store/import-failure.ts';
import {
  acceptFile,
  appendPart,
  beginUpload,
  fileKeyOf,
  importRuns,
  keyOf,
  type ImportRow,
} from '../store/import-store.ts';
import { inspectedBytes, inspectFile, type InspectedFile } from './inspect.ts';
import { storedBytes } from '../rows/open-file.ts';
import { storeFile } from '../store/store-file.ts';
import { gzipMagic } from '#platform/files/gzip.ts';

/** A request that uploads the file of an import, or a part of it. */
export interface IncomingFile {
  readonly body: Readable;
  /** True when `Content-Encoding` is gzip. */
  readonly saysGzip: boolean;
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
 * Throws `not_found`, `malformed_request`, `file_too_large`, a `StorageFault`, and `conflict` when
 * the import does not wait for this file or part.
 */
export async function uploadFile(context: Context, key: LongRunKey, file: IncomingFile): Promise<ImportRow> {
  const row = await beginUpload(context.db, key);
  if (row === undefined) throw hasFile(await importRuns.require(context.db, key));
  const { part } = file;
  if (part !== undefined) requireNextPart(row, part, context.config.importFileMb);
  const fileKey = fileKeyOf(row, row.writes);
  const head = new HeadKeeper(context.config.importFileMb, part?.start ?? 0, file.digest);
  const size = await storeFile(context, key, fileKey, {
    contentType: 'application/octet-stream',
    signal: file.disconnected,
    fill: (sink) => pipeline(chunksOf(file.body), head, sink, { signal: file.disconnected }),
  }).catch((error: unknown) => throwUploadError(context, key, error));
  let isUsed = false;
  try {
    checkBody(size, part, file.digest);
    await file.checkRights();
    if (part !== undefined && !isLast(part, row.stated_size)) {
      const { start, total } = part;
      const appended = await appendPart(context.db, key, { write: row.writes, fileKey, start, size, total });
      if (appended === undefined) throw uploadConflict(await importRuns.require(context.db, key));
      isUsed = true;
      return appended;
    }
    const parts = part === undefined ? [] : [...row.parts, row.writes];
    const whole = {
      fileKey: parts.length > 1 ? row.file_key! : fileKey,
      size: (part?.start ?? 0) + size,
      parts,
      saysGzip: file.saysGzip,
      readHead: async () => (parts.length > 1 ? readHeadOfParts(context, row, parts) : head.bytes),
    };
    const result = await completeUpload(context, row, whole);
    isUsed = parts.length > 1 ? result.parts.includes(row.writes) : result.file_key === fileKey;
    return result;
  } finally {
    if (!isUsed) await context.exportFiles.delete(fileKey);
  }
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
    const reason = `Earlier parts say that the file has ${stated} bytes, but this part ${says}. Send parts of the same file, or create another import.`;
    throw new ApiError('conflict', { params: { reason } });
  }
  if (start !== row.received) throw notNext(row);
  if (total !== undefined && total > maxMb * mebibyte) throw tooLarge(maxMb);
}

/** Makes the error for an upload that lost against another upload of the same part or file. */
function uploadConflict(row: ImportRow): ApiError {
  return row.status === 'awaiting_file' ? notNext(row) : hasFile(row);
}

function notNext({ received }: ImportRow): ApiError {
  const reason = `The import has ${received} bytes of the file. Send the part that begins at this position.`;
  return new ApiError('conflict', { params: { reason } });
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

/** A complete file in the file store. */
interface WholeFile {
  /** Key in the file store of the file, or of its first part. */
  readonly fileKey: string;
  readonly size: number;
  /** The write numbers of its parts. Empty when the file was sent as a whole. */
  readonly parts: number[];
  readonly saysGzip: boolean;
  /** Reads the beginning of the file. Throws an {@link ImportFailure} when a part is lost. */
  readonly readHead: () => Promise<Buffer>;
}

/** Inspects a complete file, and accepts the import or ends it as failed. */
async function completeUpload(
  context: Context,
  row: ImportRow,
  { fileKey, size, parts, saysGzip, readHead }: WholeFile,
): Promise<ImportRow> {
  const key = keyOf(row);
  const uploaded_at = context.now();
  let inspected: InspectedFile | undefined;
  try {
    const head = await readHead();
    if (saysGzip && !head.subarray(0, 2).equals(gzipMagic)) {
      throw new ApiError('malformed_request', {
        params: { reason: 'Content-Encoding says gzip, but the body is not gzip' },
      });
    }
    const file = await inspectFile(head, head.length === size, row.given);
    inspected = file;
    return await context.db.transaction().execute(async (trx) => {
      // The lock prevents the deletion of an attribute until the import that writes it is accepted.
      const account = await requireLockedAccount(trx, row.account_id);
      const registry = await loadRegistry(trx, row.account_id);
      const { headers, ...facts } = file;
      const columns =
        file.format === 'csv'
          ? findColumns(unguardedHeaders(headers, row.given), { ...row, registry, given: row.given })
          : [];
      const stored = {
        ...facts,
        columns,
        file_size: size,
        file_key: fileKey,
        parts,
        primary_key: account.primary_key,
        uploaded_at,
      };
      const taken = await acceptFile(trx, key, stored, parts.length > 0 ? row.received : undefined);
      if (taken === undefined) throw uploadConflict(await importRuns.require(trx, key));
      await addJob(trx, 'import', { account_id: row.account_id, import_id: row.import_id }, { key: row.import_id });
      return taken;
    });
  } catch (error) {
    if (!(error instanceof ImportFailure)) throw error;
    const { headers: _headers, ...facts } = inspected ?? { headers: [] };
    const end = {
      ...facts,
      status: 'failed',
      file_size: size,
      columns: JSON.stringify(error.columns),
      finished_at: uploaded_at,
      failure_code: error.code,
      failure_message: error.message,
    } as const;
    // Another upload may have completed the file in the meantime. Then that file is used.
    const ended = await context.db.transaction().execute((trx) => endWithoutRun(trx, key, end, 'awaiting_file'));
    if (ended === undefined) throw hasFile(await importRuns.require(context.db, key));
    context.metrics.imports.inc({ outcome: 'failed' });
    return ended;
  }
}

function hasFile({ status }: ImportRow): ApiError {
  const reason =
    status === 'accepted' || status === 'running' || status === 'completed'
      ? `The import already has its file and is ${status}. Create another import for another file.`
      : `The import is ${status} and does not accept a file. Create another import.`;
  return new ApiError('conflict', { params: { reason } });
}

/** Passes a file through, keeps its beginning, and fails when the file is too large. */
class HeadKeeper extends Transform {
  readonly #chunks: Buffer[] = [];
  readonly #maxMb: number;
  readonly #before: number;
  readonly #digest: Digest | undefined;
  #size = 0;

  /** `before`: the size of the earlier parts in bytes. */
  constructor(maxMb: number, before: number, digest: Digest | undefined) {
    super();
    this.#maxMb = maxMb;
    this.#before = before;
    this.#digest = digest;
  }

  /** The beginning of the file. */
  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (this.#size < inspectedBytes) this.#chunks.push(chunk);
    this.#size += chunk.length;
    this.#digest?.hash.update(chunk);
    if (this.#before + this.#size <= this.#maxMb * mebibyte) return done(null, chunk);
    done(tooLarge(this.#maxMb));
  }
}
