import { Transform, type Readable, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { requireLockedAccount } from '../accounts/accounts.ts';
import { loadRegistry } from '../attributes/registry.ts';
import type { Context } from '../context.ts';
import { isDiskFull } from '../exports/files/disk-full.ts';
import { ApiError } from '../http/api-error.ts';
import { addJob } from '../jobs/jobs.ts';
import { requireImport } from './cancel-import.ts';
import { fileKey } from './file-key.ts';
import { findColumns } from './find-columns.ts';
import { ImportFailure } from './import-failure.ts';
import {
  acceptFile,
  beginUpload,
  endUnfinished,
  findImport,
  forgetUnfinished,
  noteUnfinished,
  type ImportKey,
  type ImportRow,
} from './import-store.ts';
import { inspectedBytes, inspectFile, type InspectedFile } from './inspect.ts';
import { gzipMagic } from './unpack.ts';

/** The file of an import on its way to us. */
export interface IncomingFile {
  readonly body: Readable;
  /** `Content-Encoding` says that it is packed. */
  readonly saysGzip: boolean;
  /** Aborted when the client goes away. */
  readonly departure: AbortSignal;
}

/** Runs before an import that fails again and again is given up: each goes on where the one before has stopped. */
const mostRuns = 12;

/**
 * Takes the file of an import: streams it into the store, looks at its beginning, and lets the import run; or ends it as failed, when the
 * beginning tells that it cannot. An upload that breaks off leaves nothing, and the file can be sent again.
 *
 * Throws `not_found`, `conflict` when the import has its file or has ended, `file_too_large`, `storage_full`.
 */
export async function uploadFile(context: Context, key: ImportKey, file: IncomingFile): Promise<ImportRow> {
  const row = await beginUpload(context.db, key);
  if (row === undefined) throw hasFile(await requireImport(context.db, key));
  const place = fileKey(row, row.writes);
  const kept = new HeadKeeper(context.config.importFileMb);
  const size = await store(context, key, place, file, kept);
  let isTaken = false;
  try {
    if (size === 0)
      throw new ApiError('malformed_request', { params: { reason: 'its body is to be the file, and is empty' } });
    if (file.saysGzip && !kept.head.subarray(0, 2).equals(gzipMagic)) {
      throw new ApiError('malformed_request', {
        params: { reason: 'its Content-Encoding is gzip, and its body is not' },
      });
    }
    const taken = await takeFile(context, row, { place, size, head: kept.head });
    isTaken = taken.file_key === place;
    return taken;
  } finally {
    if (!isTaken) await context.exportFiles.delete(place);
  }
}

/** Streams the file into the store and answers its size in bytes. */
async function store(
  context: Context,
  key: ImportKey,
  place: string,
  { body, departure }: IncomingFile,
  kept: HeadKeeper,
): Promise<number> {
  let unfinished: string | undefined;
  try {
    return await context.exportFiles.write(place, {
      contentType: 'application/octet-stream',
      async onBegin(name) {
        unfinished = name;
        await noteUnfinished(context.db, key, name);
      },
      fill: (sink) => pipeline(chunksOf(body), kept, sink, { signal: departure }),
    });
  } catch (error) {
    if (isDiskFull(error)) throw new ApiError('storage_full', { cause: error });
    throw error;
  } finally {
    if (unfinished !== undefined) await forgetUnfinished(context.db, key, unfinished);
  }
}

/** The body, which is not destroyed when what reads it fails: it would take its connection along, and the answer with it. */
async function* chunksOf(body: Readable): AsyncGenerator<Buffer> {
  for await (const chunk of body.iterator({ destroyOnReturn: false })) yield chunk as Buffer;
}

/** Gives the import its file, or ends it with what is wrong with the file. */
async function takeFile(
  context: Context,
  row: ImportRow,
  { place, size, head }: { readonly place: string; readonly size: number; readonly head: Buffer },
): Promise<ImportRow> {
  const key = { accountId: row.account_id, importId: row.import_id };
  const uploaded_at = context.now();
  let inspected: InspectedFile | undefined;
  try {
    const file = await inspectFile(head, head.length === size, row.given);
    inspected = file;
    return await context.db.transaction().execute(async (trx) => {
      // An attribute that an unfinished import writes to cannot be deleted: finding the columns and storing them exclude that deletion.
      const account = await requireLockedAccount(trx, row.account_id);
      const registry = await loadRegistry(trx, row.account_id);
      const { headers, ...facts } = file;
      const columns = file.format === 'csv' ? findColumns(headers, { ...row, registry, given: row.given.columns }) : [];
      const stored = {
        ...facts,
        columns,
        file_size: size,
        file_key: place,
        primary_key: account.primary_key,
        uploaded_at,
      };
      const taken = await acceptFile(trx, key, stored);
      if (taken === undefined) throw hasFile((await findImport(trx, key))!);
      await addJob(
        trx,
        'import',
        { account_id: row.account_id, import_id: row.import_id },
        { key: row.import_id, maxAttempts: mostRuns },
      );
      return taken;
    });
  } catch (error) {
    if (!(error instanceof ImportFailure)) throw error;
    const { headers: _headers, ...facts } = inspected ?? { headers: [] };
    const end = {
      ...facts,
      status: 'failed',
      file_size: size,
      columns: error.columns,
      finished_at: uploaded_at,
      failure_code: error.code,
      failure_message: error.message,
    } as const;
    // Another upload may have given it its file meanwhile: that one counts.
    const ended = await endUnfinished(context.db, key, end, 'awaiting_file');
    if (ended === undefined) throw hasFile(await requireImport(context.db, key));
    context.metrics.imports.inc({ outcome: 'failed' });
    return ended;
  }
}

function hasFile({ status }: ImportRow): ApiError {
  const reason =
    status === 'accepted' || status === 'running' || status === 'completed'
      ? `The import has its file already and is ${status}; make another import for another file`
      : `The import is ${status} and takes no file; make another one`;
  return new ApiError('conflict', { params: { reason } });
}

/** Passes a file on, keeps its beginning, and refuses one that is too large. */
class HeadKeeper extends Transform {
  readonly #chunks: Buffer[] = [];
  readonly #mostMb: number;
  #bytes = 0;

  constructor(mostMb: number) {
    super();
    this.#mostMb = mostMb;
  }

  get head(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    // Whole chunks are kept, so that the head is the file when it is short enough.
    if (this.#bytes < inspectedBytes) this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes <= this.#mostMb * 1024 * 1024) return done(null, chunk);
    done(new ApiError('file_too_large', { params: { megabytes: this.#mostMb } }));
  }
}
