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
import { fileKey } from '../store/file-key.ts';
import { checkBody, isLast, type Digest, type FilePart } from './file-part.ts';
import { findColumns } from '../rows/find-columns.ts';
import { headersOf } from '../rows/guard.ts';
import { ImportFailure } from '../store/import-failure.ts';
import { acceptFile, appendPart, beginUpload, importRuns, keyOf, type ImportRow } from '../store/import-store.ts';
import { inspectedBytes, inspectFile, type InspectedFile } from './inspect.ts';
import { storedBytes } from '../rows/open-file.ts';
import { storeFile } from '../store/store-file.ts';
import { gzipMagic } from '#platform/files/gzip.ts';

/** The file of an import on its way to us. */
export interface IncomingFile {
  readonly body: Readable;
  /** `Content-Encoding` says that it is packed. */
  readonly saysGzip: boolean;
  /** Which part of the file it is, as `Content-Range` says; undefined: the whole file. */
  readonly part: FilePart | undefined;
  /** The checksum of `Content-Digest`. */
  readonly digest: Digest | undefined;
  /** Aborted when the client goes away. */
  readonly departure: AbortSignal;
}

const mebibyte = 1024 * 1024;

/**
 * Takes the file of an import: streams it into the store, looks at its beginning, and lets the import run; or ends it as failed, when the
 * beginning tells that it cannot. An upload that breaks off leaves nothing, and the file can be sent again.
 *
 * A part is stored by itself, whole or not at all. It must begin where the parts before it end, and the one that ends the file gives the import
 * its file.
 *
 * Throws `not_found`, `conflict` when the import has its file or has ended, `file_too_large`; a fault of the store is a `StorageFault`.
 */
export async function uploadFile(context: Context, key: LongRunKey, file: IncomingFile): Promise<ImportRow> {
  const row = await beginUpload(context.db, key);
  if (row === undefined) throw hasFile(await importRuns.require(context.db, key));
  const { part } = file;
  if (part !== undefined) requireNext(row, part, context.config.importFileMb);
  const place = fileKey(row, row.writes);
  const kept = new HeadKeeper(context.config.importFileMb, part?.start ?? 0, file.digest);
  const size = await storeFile(context, key, place, {
    contentType: 'application/octet-stream',
    signal: file.departure,
    fill: (sink) => pipeline(chunksOf(file.body), kept, sink, { signal: file.departure }),
  }).catch((error: unknown) => refuseAfter(context, key, error));
  let isTaken = false;
  try {
    checkBody(size, part, file.digest);
    if (part !== undefined && !isLast(part, row.stated_size)) {
      const { start, total } = part;
      const appended = await appendPart(context.db, key, { write: row.writes, place, start, size, total });
      isTaken = appended !== undefined;
      return appended ?? (await refuse(context, key));
    }
    const parts = part === undefined ? [] : [...row.parts, row.writes];
    const whole = {
      place: parts.length > 1 ? row.file_key! : place,
      size: (part?.start ?? 0) + size,
      parts,
      saysGzip: file.saysGzip,
      readHead: async () => (parts.length > 1 ? headOf(context, row, parts) : kept.head),
    };
    const taken = await takeFile(context, row, whole);
    isTaken = parts.length > 1 ? taken.parts.includes(row.writes) : taken.file_key === place;
    return taken;
  } finally {
    if (!isTaken) await context.exportFiles.delete(place);
  }
}

/** The beginning of a file that was sent in parts, as {@link HeadKeeper} keeps that of a whole one. */
async function headOf(context: Context, row: ImportRow, parts: readonly number[]): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const keys = parts.map((write) => fileKey(row, write));
  for await (const chunk of storedBytes(context, keys)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= inspectedBytes) break;
  }
  return Buffer.concat(chunks);
}

/**
 * Throws a `conflict` when a part is not the next one of an import, and `file_too_large` for the size
 * that it states. One statement changes the received bytes together with the stated size, so
 * `appendPart` has to compare only the former.
 */
function requireNext(row: ImportRow, { start, end, total }: FilePart, mostMb: number): void {
  const { stated_size: stated } = row;
  if (stated !== null && (total === undefined ? end >= stated : total !== stated)) {
    const says = total === undefined ? `ends at ${end + 1}` : `says ${total}`;
    const reason = `Earlier parts say that the file has ${stated} bytes, and this part ${says}. Send parts of one file, or create another import.`;
    throw new ApiError('conflict', { params: { reason } });
  }
  if (start !== row.received) throw notNext(row);
  if (total !== undefined && total > mostMb * mebibyte) throw tooLarge(mostMb);
}

/** Throws why a part that was the next one of an import is not any more. */
async function refuse(context: Context, key: LongRunKey): Promise<never> {
  const row = await importRuns.require(context.db, key);
  throw row.status === 'awaiting_file' ? notNext(row) : hasFile(row);
}

function notNext({ received }: ImportRow): ApiError {
  const reason = `The import has ${received} bytes of the file. Send the part that begins there.`;
  return new ApiError('conflict', { params: { reason } });
}

function tooLarge(megabytes: number): ApiError {
  return new ApiError('file_too_large', { params: { megabytes } });
}

/** Throws a fault of the store while a file was written; or that the import has ended meanwhile, when clearing it up took what was written. */
async function refuseAfter(context: Context, key: LongRunKey, error: unknown): Promise<never> {
  const row = error instanceof StorageFault ? await importRuns.require(context.db, key) : undefined;
  throw row === undefined || row.status === 'awaiting_file' ? error : hasFile(row);
}

/** The body, which is not destroyed when what reads it fails: it would take its connection along, and the answer with it. */
async function* chunksOf(body: Readable): AsyncGenerator<Buffer> {
  for await (const chunk of body.iterator({ destroyOnReturn: false })) yield chunk as Buffer;
}

/** A file that is in the store as a whole. */
interface WholeFile {
  /** Where it lies, or its first part. */
  readonly place: string;
  readonly size: number;
  /** The writes of its parts; empty when it was sent as a whole. */
  readonly parts: number[];
  readonly saysGzip: boolean;
  /** Its beginning; throws an {@link ImportFailure} when a part is lost. */
  readonly readHead: () => Promise<Buffer>;
}

/** Gives the import its file, or ends it with what is wrong with the file. */
async function takeFile(
  context: Context,
  row: ImportRow,
  { place, size, parts, saysGzip, readHead }: WholeFile,
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
      // An attribute that an unfinished import writes to cannot be deleted: finding the columns and storing them exclude that deletion.
      const account = await requireLockedAccount(trx, row.account_id);
      const registry = await loadRegistry(trx, row.account_id);
      const { headers, ...facts } = file;
      const columns =
        file.format === 'csv'
          ? findColumns(headersOf(headers, row.given), { ...row, registry, given: row.given.columns })
          : [];
      const stored = {
        ...facts,
        columns,
        file_size: size,
        file_key: place,
        parts,
        primary_key: account.primary_key,
        uploaded_at,
      };
      const taken = await acceptFile(trx, key, stored, parts.length > 0 ? row.received : undefined);
      if (taken === undefined) {
        const found = (await importRuns.find(trx, key))!;
        throw found.status === 'awaiting_file' ? notNext(found) : hasFile(found);
      }
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
    // Another upload may have given it its file meanwhile: that one counts.
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

/** Passes a file on, keeps its beginning, and refuses one that is too large. */
class HeadKeeper extends Transform {
  readonly #chunks: Buffer[] = [];
  readonly #mostMb: number;
  readonly #before: number;
  readonly #digest: Digest | undefined;
  #bytes = 0;

  /** `before` are the bytes of the parts before. */
  constructor(mostMb: number, before: number, digest: Digest | undefined) {
    super();
    this.#mostMb = mostMb;
    this.#before = before;
    this.#digest = digest;
  }

  get head(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    // Whole chunks are kept, so that the head is the file when it is short enough.
    if (this.#bytes < inspectedBytes) this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    this.#digest?.hash.update(chunk);
    if (this.#before + this.#bytes <= this.#mostMb * mebibyte) return done(null, chunk);
    done(tooLarge(this.#mostMb));
  }
}
