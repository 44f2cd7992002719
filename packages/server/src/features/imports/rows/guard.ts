import type { ImportFormulaGuard } from '@roster/contract';
import type { GivenFile } from '#platform/database/schema/import-tables.ts';
import { isGuardMark, unguarded } from '#platform/csv/formula-guard.ts';

/**
 * True when the cells of a CSV file with these headers have the apostrophe of the formula guard, which an import takes off: when the import
 * says so, or when the file has the mark of Roster and the import does not say otherwise.
 */
export function hasGuard(headers: readonly string[], { formula_guard: told }: GivenFile): boolean {
  const choice: ImportFormulaGuard = told ?? 'auto';
  return choice === 'remove' || (choice === 'auto' && headers.some(isGuardMark));
}

/** The headers of a file as they are meant. */
export function headersOf(headers: readonly string[], given: GivenFile): readonly string[] {
  return hasGuard(headers, given) ? headers.map(unguarded) : headers;
}
