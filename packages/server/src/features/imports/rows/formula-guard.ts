import type { GivenFile } from '#platform/database/schema/tables/imports.ts';
import { isGuardMark, unguarded } from '#platform/csv/formula-guard.ts';
import type { ImportRow } from '../store/import-store.ts';

/**
 * Returns true when the cells of a CSV file with these headers have the apostrophe of the formula
 * guard. The setting `formula_guard` of the import decides. Its default looks for the mark that
 * Roster writes into its own files.
 */
function isGuarded(headers: readonly string[], { formula_guard = 'auto' }: GivenFile): boolean {
  return formula_guard === 'remove' || (formula_guard === 'auto' && headers.some(isGuardMark));
}

/** Returns true when an import has a CSV file with the apostrophes of the formula guard. */
export function isGuardedCsv({ format, columns, given }: Pick<ImportRow, 'format' | 'columns' | 'given'>): boolean {
  const headers = columns.map(({ header }) => header);
  return format === 'csv' && isGuarded(headers, given);
}

/** Returns the headers of a CSV file without the apostrophe of the formula guard. */
export function unguardedHeaders(headers: readonly string[], given: GivenFile): readonly string[] {
  return isGuarded(headers, given) ? headers.map(unguarded) : headers;
}
