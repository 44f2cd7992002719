import { pipeline, type Readable } from 'node:stream';
import type { DataMasking, ImportFailureRow } from '@roster/contract';
import { parse, type Parser } from 'csv-parse';
import { stringify } from 'csv-stringify';
import { mask } from '#features/registry/masking.ts';
import type { Masks } from '#features/registry/masks.ts';
import { guardMark, unguarded } from '#platform/csv/formula-guard.ts';
import type { Context } from '#platform/context.ts';
import type { FoundColumn } from '#platform/database/schema/tables/imports.ts';
import { nameOf } from '../columns/header.ts';
import { addedColumns, failuresFormat } from './failures-file.ts';
import type { ImportRow } from '../store/import-store.ts';

/** A page of a file of failures. */
export interface FailurePage {
  readonly rows: readonly ImportFailureRow[];
  /** Position in the file after the last row, in bytes; undefined at the end of the file. */
  readonly next: number | undefined;
}

// A row can have 2 MiB. A page ends after the row that exceeds this size, so that an answer stays
// small enough for a browser.
const pageBytes = 1024 * 1024;

/** What a page is read from. */
export interface FailurePageRequest {
  readonly limit: number;
  /** Position after the last row of the page before; undefined for the first page. */
  readonly after: number | undefined;
  /** The masks of the account; undefined to show all values. */
  readonly masks: Masks | undefined;
}

/**
 * Reads a page of the file of failures of an import; undefined when the file is not in the store.
 * The cells have no apostrophes of the formula guard.
 */
export async function readFailurePage(
  { exportFiles }: Pick<Context, 'exportFiles'>,
  row: ImportRow,
  { limit, after, masks }: FailurePageRequest,
): Promise<FailurePage | undefined> {
  const key = row.failures_key!;
  const [first] = (await readRecords(exportFiles, key, 0, 1))?.records ?? [];
  if (first === undefined) return undefined;
  const isGuarded = first.cells.includes(guardMark);
  const asText = (cell: string | null): string | null => (cell === null || !isGuarded ? cell : unguarded(cell));
  const added = addedColumns(isGuarded).length;
  const headers = first.cells.slice(added).map((cell) => asText(cell) ?? '');
  const maskings = masks === undefined ? new Map<string, DataMasking>() : masksOf(row, masks);
  const start = Math.max(after ?? 0, first.end);
  // One more record tells whether there is another page.
  const { records, isEnd } = (await readRecords(exportFiles, key, start, limit + 1)) ?? { records: [], isEnd: true };
  const rows: ImportFailureRow[] = [];
  let bytes = 0;
  for (const { cells, end } of records) {
    if (rows.length === limit || bytes > pageBytes) return { rows, next: start + bytes };
    bytes = end;
    const [line, column, code, message] = cells;
    const given = cells.slice(added).map(asText);
    const isWhole = given.length === headers.length;
    rows.push({
      line: Number(line),
      column: asText(column ?? null),
      code: code ?? '',
      message: asText(message ?? '') ?? '',
      values: isWhole
        ? Object.fromEntries(
            headers.map((header, at) => [header, mask(maskings.get(header) ?? 'none', given[at] ?? null)]),
          )
        : {},
      // A row with other cells than the header may have any value in any cell.
      text: isWhole ? null : maskings.size > 0 ? '****' : given.map((cell) => cell ?? '').join(', '),
    });
  }
  return { rows, next: isEnd ? undefined : start + bytes };
}

/** Returns the masks of the columns whose values are masked, by header. */
function masksOf(row: ImportRow, masks: Masks): Map<string, DataMasking> {
  return new Map(
    row.columns.flatMap((column) => {
      const masking = maskOf(column, masks);
      if (masking === 'none') return [];
      // The whole JSON cell is hidden if one of its values is masked.
      const { header, json_column: json } = column;
      return [json === undefined ? [header, masking] : [row.columns[json]!.header, 'full' as const]];
    }),
  );
}

/**
 * Returns the mask of the attribute that a column was written to. A column that was left out, and
 * one whose attribute was deleted, have the mask that their name has or had.
 */
function maskOf(column: FoundColumn, { registry, formerMasks }: Masks): DataMasking {
  const name = column.meaning === 'identity' ? registry.primaryKey : (column.name ?? nameOf(column.header));
  const attribute =
    (column.attribute_id === undefined ? undefined : registry.byId(column.attribute_id)) ?? registry.find(name);
  return attribute?.dataMasking ?? formerMasks.get(name) ?? 'none';
}

/** Reads a cell: null without anything, and an empty text for `""`. */
function emptyToNull(value: string, { quoting }: { readonly quoting: boolean }): string | null {
  return value === '' && !quoting ? null : value;
}

/** A record of the file, and the position after it in bytes, from where reading began. */
interface FileRecord {
  readonly cells: readonly (string | null)[];
  readonly end: number;
}

/** Reads up to `limit` records from a position; undefined when the file is not in the store. */
async function readRecords(
  files: Context['exportFiles'],
  key: string,
  start: number,
  limit: number,
): Promise<{ readonly records: readonly FileRecord[]; readonly isEnd: boolean } | undefined> {
  const content = await files.read(key);
  if (content === undefined) return undefined;
  const records: FileRecord[] = [];
  const parser: Parser = parse({
    record_delimiter: '\r\n',
    relax_column_count: true,
    to: limit,
    cast: emptyToNull,
    on_record(cells: (string | null)[], { bytes }) {
      records.push({ cells, end: bytes });
      return null;
    },
  });
  try {
    let skip = start;
    let size = 0;
    parser.resume();
    for await (const chunk of content as AsyncIterable<Buffer>) {
      const bytes = chunk.subarray(Math.min(skip, chunk.length));
      skip -= chunk.length - bytes.length;
      size += bytes.length;
      if (bytes.length > 0)
        await new Promise<void>((done, fail) => parser.write(bytes, (error) => (error ? fail(error) : done())));
      if (records.length >= limit || (records.length > 0 && size > pageBytes * 4)) return { records, isEnd: false };
    }
    await new Promise<void>((done, fail) => {
      parser.on('error', fail).on('end', done);
      parser.end();
    });
    return { records, isEnd: true };
  } finally {
    content.destroy();
    parser.destroy();
  }
}

/**
 * Returns the bytes of a file of failures in which the values of masked attributes are masked. If
 * reading fails, so does the result. If the result is destroyed, so is `content`.
 */
export function maskedFailures(content: Readable, row: ImportRow, masks: Masks): Readable {
  const maskings = masksOf(row, masks);
  if (maskings.size === 0) return content;
  let headers: readonly string[] | undefined;
  let isGuarded = false;
  let added = 0;
  function maskedCells(cells: readonly (string | null)[]): readonly (string | null)[] {
    if (headers === undefined) {
      isGuarded = cells.includes(guardMark);
      added = addedColumns(isGuarded).length;
      headers = cells.map((cell) => (cell !== null && isGuarded ? unguarded(cell) : (cell ?? '')));
      return cells;
    }
    // A row with other cells than the header may have any value in any cell.
    const isWhole = cells.length === headers.length;
    return cells.map((cell, at) => {
      if (at < added || cell === null) return cell;
      const masking = isWhole ? (maskings.get(headers![at]!) ?? 'none') : 'full';
      return masking === 'none' ? cell : mask(masking, isGuarded ? unguarded(cell) : cell);
    });
  }
  return pipeline(
    content,
    parse({ record_delimiter: '\r\n', relax_column_count: true, cast: emptyToNull }),
    async function* maskRecords(records: AsyncIterable<(string | null)[]>) {
      for await (const cells of records) yield maskedCells(cells);
    },
    stringify(failuresFormat),
    // The reader of the result gets the error.
    () => undefined,
  );
}
