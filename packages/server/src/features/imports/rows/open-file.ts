import type { Context } from '#platform/context.ts';
import { csvRows } from './csv-rows.ts';
import { decoded } from './decode.ts';
import { fileKey } from '../store/file-key.ts';
import type { RawRow } from './file-row.ts';
import { ImportFailure } from '../store/import-failure.ts';
import type { ImportRow } from '../store/import-store.ts';
import { ndjsonRows } from './ndjson-rows.ts';
import { unpacked } from './unpack.ts';

/** Reads the bytes of the file of an import, unpacked. Throws `file_lost` when it is not in the store, `file_damaged`. */
export async function* fileBytes(
  { exportFiles }: Pick<Context, 'exportFiles'>,
  row: ImportRow,
): AsyncGenerator<Buffer> {
  const keys = row.parts.length === 0 ? [row.file_key!] : row.parts.map((write) => fileKey(row, write));
  const content = storedBytes({ exportFiles }, keys);
  yield* row.compression === 'gzip' ? unpacked(content) : content;
}

/** Reads files of the store as one. Throws `file_lost` when one of them is not there. */
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

/** Reads the rows of the file of an import, without the header of CSV. */
export function fileRows(row: ImportRow, bytes: AsyncIterable<Buffer>): AsyncGenerator<RawRow[]> {
  const text = inPieces(decoded(bytes, row.encoding!));
  return row.format === 'csv' ? withoutHeader(csvRows(text, row.delimiter!)) : ndjsonRows(text);
}

/** Bytes that are parsed at a time: the event loop is shared with the pipeline, and what is parsed ahead is kept in memory. */
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
