import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { importFailureColumns } from '@roster/contract';
import { stringify } from 'csv-stringify';
import { effectiveSettings } from '#features/accounts/store/account-settings.ts';
import { findAccount } from '#features/accounts/store/account-store.ts';
import type { Context } from '#platform/context.ts';
import type { FoundColumn } from '#platform/database/schema/import-tables.ts';
import { guarded, guardMark, guardMarkCell, isGuardMark, unguarded } from '#platform/csv/formula-guard.ts';
import { isJson, type RawRow } from '../rows/file-row.ts';
import { hasGuard } from '../rows/guard.ts';
import { nameOf } from '../rows/header.ts';
import { beginWrite, keyOf, noteFailures, type ImportRow } from '../store/import-store.ts';
import { fileKey } from '../store/file-key.ts';
import type { RowFailure } from '../rows/row-failure.ts';
import { storeFile } from '../store/store-file.ts';

/** A row and why it was not applied, or not wholly. */
export interface FailedRow {
  readonly row: RawRow;
  readonly failures: readonly RowFailure[];
}

/**
 * True for a column whose cells a file of failures has: all but the mark of a guarded file and those that an earlier file of failures put in
 * front, which the new ones replace. With both, the file could not be imported again.
 */
export function isCarried({ header, meaning }: FoundColumn): boolean {
  return (
    !isGuardMark(header) &&
    (meaning !== 'skipped' || !(importFailureColumns as readonly string[]).includes(nameOf(header)))
  );
}

/** The columns of a file of failures in front of the cells of the row; with the guard, the mark is the last of them. */
export function frontColumns(formulaGuard: boolean): readonly string[] {
  return formulaGuard ? [...importFailureColumns, guardMark] : importFailureColumns;
}

/**
 * The CSV of failures, streamed: a header, then one row for each failure, with the cells of the row that failed. Of rows about somebody who is
 * forgotten it has the lines and reasons alone: what is refused of them is not kept (docs/privacy.md).
 */
export function failuresCsv(row: ImportRow, failed: AsyncIterable<FailedRow>, formulaGuard: boolean) {
  // By itself it puts no quotes around a line feed alone, which ends a row for most readers. Null is nothing, and an empty text is `""`.
  const csv = stringify({ record_delimiter: 'windows', quoted_match: /[\r\n]/, quoted_empty: true });
  const headers = row.columns.filter(isCarried).map(({ header }) => header);
  const carried = row.columns.map(isCarried);
  const dropped = row.columns.length - headers.length;
  const isGuarded =
    row.format === 'csv' &&
    hasGuard(
      row.columns.map(({ header }) => header),
      row.given,
    );
  const asCell = (text: string): string => (formulaGuard ? guarded(text) : text);
  // What the cell of a file means, as a cell of this one.
  const recoded = (cell: string | null): string | null =>
    cell === null ? null : asCell(isGuarded ? unguarded(cell) : cell);
  const cellsOf = ({ cells, fault }: RawRow): readonly (string | null)[] => {
    if (isJson(cells)) {
      return headers.map((header) => {
        const text = cellText(cells.get(nameOf(header))?.value);
        return text === null ? null : asCell(text);
      });
    }
    // The text of a row that could not be read, or that is nothing but those columns, stays whole.
    const isWhole = fault !== undefined || cells.length <= dropped;
    return (isWhole ? cells : cells.filter((_, at) => carried[at] !== false)).map(recoded);
  };
  const mark = formulaGuard ? [guardMarkCell] : [];
  async function* records(): AsyncGenerator<readonly (string | null)[]> {
    yield [...frontColumns(formulaGuard), ...headers.map(asCell)];
    for await (const { row: source, failures } of failed) {
      const isForgotten = failures.some(({ code }) => code === 'contact_forgotten');
      const cells = isForgotten ? headers.map(() => null) : cellsOf(source);
      for (const { column, code, message } of failures)
        yield [
          String(source.line),
          column === '' ? null : asCell(column),
          asCell(code),
          asCell(message),
          ...mark,
          ...cells,
        ];
    }
  }
  return { records: Readable.from(records()), csv };
}

function cellText(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value);
  } catch {
    // JSON.parse reads what is nested deeper than the stack; JSON.stringify does not write it.
    return Array.isArray(value) ? '[…]' : '{…}';
  }
}

/** Writes the file of failures of an import into the store, and says in the import where it is. */
export async function writeFailures(
  context: Context,
  row: ImportRow,
  failed: AsyncIterable<FailedRow>,
  signal: AbortSignal,
): Promise<void> {
  const key = keyOf(row);
  const account = await findAccount(context.db, row.account_id);
  const { records, csv } = failuresCsv(row, failed, effectiveSettings(account!.settings).csv_formula_guard);
  const place = fileKey(row, await beginWrite(context.db, key));
  await storeFile(context, key, place, {
    contentType: 'text/csv; charset=utf-8',
    signal,
    fill: (sink) => pipeline([records, csv, sink], { signal }),
  });
  const days = context.config.importFailuresDays;
  const expires = new Date(context.now().getTime() + days * 24 * 3_600_000);
  const file = { failures_key: place, failures_expire_at: expires };
  // Somebody else has done the same meanwhile.
  if (!(await noteFailures(context.db, key, file))) await context.exportFiles.delete(place);
}
