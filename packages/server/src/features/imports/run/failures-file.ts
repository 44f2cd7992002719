import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { importFailureColumns } from '@roster/contract';
import { stringify, type Options } from 'csv-stringify';
import { effectiveSettings } from '#features/accounts/store/account-settings.ts';
import { requireRoom, requireRoomToKeep } from '#features/accounts/stored-files/file-quota.ts';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import type { Context } from '#platform/context.ts';
import type { FoundColumn } from '#platform/database/schema/tables/imports.ts';
import { millisecondsPerDay } from '#platform/time/intervals.ts';
import { guarded, guardMark, guardMarkCell, isGuardMark, unguarded } from '#platform/csv/formula-guard.ts';
import { isJson, type RawRow, type RowFailure } from '../rows/file-row.ts';
import { isGuardedCsv } from '../rows/formula-guard.ts';
import { nameOf } from '../columns/header.ts';
import { isInFile } from '../columns/json-columns.ts';
import { beginWrite, fileKeyOf, keyOf, setFailuresKey, type ImportRow } from '../store/import-store.ts';
import { storeFile } from '../store/store-file.ts';

/** A row with its failures and warnings. */
export interface FailedRow {
  readonly row: RawRow;
  readonly failures: readonly RowFailure[];
}

/**
 * Returns true for a column that is copied to the file of failures. The mark of the formula guard,
 * and the columns that an earlier file of failures added, are not copied: the file of failures
 * writes its own. A file with both could not be imported.
 */
export function isCopied(column: FoundColumn): boolean {
  const { header, meaning } = column;
  return (
    isInFile(column) &&
    !isGuardMark(header) &&
    (meaning !== 'skipped' || !(importFailureColumns as readonly string[]).includes(nameOf(header)))
  );
}

/** Returns the columns that a file of failures adds before the cells of the row. */
export function addedColumns(formulaGuard: boolean): readonly string[] {
  return formulaGuard ? [...importFailureColumns, guardMark] : importFailureColumns;
}

/**
 * The format of files of failures, for csv-stringify.
 * - `quoted_match`: most readers end a row at a single line feed, which csv-stringify does not quote.
 * - `cast`: an empty text is `""`, and null is an empty cell.
 */
export const failuresFormat: Options = {
  record_delimiter: 'windows',
  quoted_match: /[\r\n]/,
  cast: { string: (text) => (text === '' ? { value: text, quoted_empty: true } : text) },
};

/**
 * Makes the CSV of a file of failures: a header, then one row for each failure with the cells of
 * the failed row. Pipe `records` into `csv`.
 *
 * A row about a forgotten person has only its line and the reason. Its cells must not be stored
 * again (docs/privacy.md).
 */
export function failuresCsv(row: ImportRow, failed: AsyncIterable<FailedRow>, formulaGuard: boolean) {
  const csv = stringify(failuresFormat);
  const columns = row.columns.filter(isInFile);
  const copied = columns.map(isCopied);
  const headers = columns.filter((_, at) => copied[at]).map(({ header }) => header);
  const dropped = columns.length - headers.length;
  const isGuarded = isGuardedCsv(row);
  const asCell = (text: string): string => (formulaGuard ? guarded(text) : text);
  // The imported file may have the formula guard. The file of failures may have it too.
  const convert = (cell: string | null): string | null =>
    cell === null ? null : asCell(isGuarded ? unguarded(cell) : cell);
  const cellsOf = ({ cells, fault }: RawRow): readonly (string | null)[] => {
    if (isJson(cells)) {
      return headers.map((header) => {
        const text = cellText(cells.get(nameOf(header))?.value);
        return text === null ? null : asCell(text);
      });
    }
    // Keep all cells of a row that could not be read, or that is too short to have copied columns.
    const isWhole = fault !== undefined || cells.length <= dropped;
    return (isWhole ? cells : cells.filter((_, at) => copied[at] !== false)).map(convert);
  };
  const mark = formulaGuard ? [guardMarkCell] : [];
  async function* records(): AsyncGenerator<readonly (string | null)[]> {
    yield [...addedColumns(formulaGuard), ...headers.map(asCell)];
    for await (const { row: source, failures } of failed) {
      const isForgotten = failures.some(({ code }) => code === 'contact_forgotten');
      const cells = isForgotten ? headers.map(() => null) : cellsOf(source);
      for (const { column, code, message } of failures) {
        const name = column === '' ? null : asCell(column);
        yield [String(source.line), name, asCell(code), asCell(message), ...mark, ...cells];
      }
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
    // JSON.stringify overflows the stack on deeply nested values that JSON.parse can read.
    return Array.isArray(value) ? '[…]' : '{…}';
  }
}

/**
 * Writes the file of failures of an import, and stores its key, size and expiry in the import.
 * Throws `storage_quota`, and `not_found` when the account was deleted.
 */
export async function writeFailures(
  context: Context,
  row: ImportRow,
  failed: AsyncIterable<FailedRow>,
  signal: AbortSignal,
): Promise<void> {
  const key = keyOf(row);
  const account = await requireAccount(context.db, row.account_id);
  const { records, csv } = failuresCsv(row, failed, effectiveSettings(account.settings).csv_formula_guard);
  // The imported file does not count here: it is deleted next.
  const owner = { accountId: row.account_id, owner: row.import_id };
  const room = await requireRoom(context.db, context, owner);
  const fileKey = fileKeyOf(row, await beginWrite(context.db, key));
  const failures_size = await storeFile(context, key, fileKey, {
    contentType: 'text/csv; charset=utf-8',
    signal,
    fill: (sink) => pipeline([records, csv, room.limiter(), sink], { signal }),
  });
  const failures_expire_at = new Date(context.now().getTime() + context.config.importFailuresDays * millisecondsPerDay);
  const isNoted = await context.db.transaction().execute(async (trx) => {
    await requireRoomToKeep(trx, context, { ...owner, bytes: failures_size });
    return setFailuresKey(trx, key, { failures_key: fileKey, failures_size, failures_expire_at });
  });
  // Another process has written the file of failures in the meantime.
  if (!isNoted) await context.exportFiles.delete(fileKey);
}
