import type { Listing } from '@roster/client';
import { fields, type Cell, type Output } from './output.ts';
import { startTable, table } from './table.ts';
import { write } from './terminal.ts';

/** The columns of a table: the header, and the cell of a row. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>;

/** The option of commands that list rows of a long listing. */
export interface LimitOptions {
  /** Number of rows; Infinity for all. */
  readonly limit?: number;
}

/** Rows of a listing without `--limit`. */
export const defaultLimit = 50;
/** The largest page of the operator API. */
const rowsPerPage = 500;

/** Writes rows as a table. */
export async function writeRows<Row>(output: Output, rows: readonly Row[], columns: Columns<Row>): Promise<void> {
  await output.result(rows, () => table(output, Object.keys(columns), cellsOf(rows, columns)));
}

function cellsOf<Row>(rows: readonly Row[], columns: Columns<Row>): Cell[][] {
  const cells = Object.values(columns);
  return rows.map((row) => cells.map((cell) => cell(row)));
}

/**
 * Writes the first rows of a listing as a table, and says if there are more. `list` gets the size of
 * a page. A table is written page by page, so that a long one begins at once, and ends when its
 * reader has exited.
 */
export async function writeListing<Row>(
  output: Output,
  { limit = defaultLimit }: LimitOptions,
  list: (page: { readonly limit: number }) => Pick<Listing<Row>, 'pages'>,
  columns: Columns<Row>,
): Promise<void> {
  const format = output.json ? undefined : await startTable(output, Object.keys(columns));
  const found: Row[] = [];
  let [count, isFirst, hasMore] = [0, true, false];
  for await (const { data } of list({ limit: Math.min(limit + 1, rowsPerPage) }).pages()) {
    const rows = data.slice(0, limit - count);
    count += rows.length;
    hasMore = rows.length < data.length;
    if (format === undefined) found.push(...rows);
    else if (rows.length > 0 || isFirst) await write(output.terminal.stdout, `${format(cellsOf(rows, columns))}\n`);
    isFirst = false;
    if (hasMore) break;
  }
  if (output.json) await output.result(found, () => '');
  if (hasMore) await output.note(`There are more. --limit shows more than ${limit} rows, or all.`);
}

/** Writes all rows of a short listing as a table. */
export async function writeAll<Row>(
  output: Output,
  list: (page: { readonly limit: number }) => Pick<Listing<Row>, 'all'>,
  columns: Columns<Row>,
): Promise<void> {
  await writeRows(output, await list({ limit: rowsPerPage }).all(), columns);
}

/** Writes one record, with a line for each field. Fields inside of fields get a path, such as `counts.total`. */
export async function writeRecord(output: Output, record: object): Promise<void> {
  await output.result(record, () => fields(output, Object.fromEntries(linesOf(record, ''))));
}

function linesOf(value: unknown, path: string): [string, Cell][] {
  if (Array.isArray(value)) return [[path, textOf(value)]];
  if (typeof value !== 'object' || value === null) return [[path, value as Cell]];
  return Object.entries(value).flatMap(([name, inner]) => linesOf(inner, path === '' ? name : `${path}.${name}`));
}

/** Lists of records are counted: --json shows them. */
function textOf(values: readonly unknown[]): string {
  const [first] = values;
  if (typeof first !== 'object' || first === null) return values.join(', ');
  return `${values.length} (--json shows ${values.length === 1 ? 'it' : 'them'})`;
}
