import type { Context } from '#platform/context.ts';
import { csvRows } from './csv-rows.ts';
import { decoded } from './decode.ts';
import type { RawRow } from './file-row.ts';
import { gunzipped, InvalidGzip } from '#platform/files/gzip.ts';
import { ImportFailure } from '../store/import-failure.ts';
import { fileKeyOf, type ImportRow } from '../store/import-store.ts';
import { ndjsonRows } from './ndjson-rows.ts';

/**
 * Reads the file of an import and decompresses it. Throws `file_lost` when the file is not in the
 * store, and `file_damaged` when its gzip data is invalid.
 */
export async function* fileBytes(
  { exportFiles }: Pick<Context, 'exportFiles'>,
  row: ImportRow,
): AsyncGenerator<Buffer> {
  const keys = row.parts.length === 0 ? [row.file_key!] : row.parts.map((write) => fileKeyOf(row, write));
  const content = storedBytes({ exportFiles }, keys);
  yield* row.compression === 'gzip' ? decompressed(content) : content;
}

/** Decompresses gzip data. Throws `file_damaged` when the data is invalid. */
export async function* decompressed(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* gunzipped(source);
  } catch (cause) {
    throw cause instanceof InvalidGzip ? new ImportFailure('file_damaged', undefined, { cause }) : cause;
  }
}

/** Reads files of the store one after another. Throws `file_lost` when one is missing. */
export async function* storedBytes(
  { exportFiles }: Pick<Context, 'exportFiles'>,
  keys: readonly string[],
): AsyncGenerator<Buffer> {
  for (const key of keys) {
    const content = await exportFiles.read(key);
    if (content === undefined) throw new ImportFailure('file_lost');
    try {
      yield* content as AsyncIterable<Buffer>;
    } finally {
      content.destroy();
    }
  }
}

/** Reads the rows of an import from its decompressed bytes, without the header of CSV. */
export function fileRows(row: ImportRow, bytes: AsyncIterable<Buffer>): AsyncGenerator<RawRow[]> {
  const text = inPieces(decoded(bytes, row.encoding!));
  return row.format === 'csv' ? withoutHeader(csvRows(text, row.delimiter!)) : ndjsonRows(text);
}

/**
 * Bytes that are parsed at a time. Larger pieces would block the event loop, which the pipeline
 * shares, and keep more parsed rows in memory.
 */
const pieceBytes = 64 * 1024;

async function* inPieces(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; at += pieceBytes) yield chunk.subarray(at, at + pieceBytes);
  }
}

async function* withoutHeader(source: AsyncIterable<RawRow[]>): AsyncGenerator<RawRow[]> {
  let isHeader = true;
  for await (const rows of source) {
    yield isHeader ? rows.slice(1) : rows;
    isHeader = false;
  }
}
