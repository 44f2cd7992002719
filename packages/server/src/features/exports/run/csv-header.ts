import type { ExportColumn } from '#platform/database/schema/tables.ts';
import { guardMark } from '#platform/csv/formula-guard.ts';

/**
 * The header row of a file, with the mark of a guarded file at its end. The names need no quotes: whatever the letter case, an attribute or
 * field has only letters, digits and `_`. PostgreSQL could write it, but cuts names after 63 bytes, and attributes may have 64.
 */
export function csvHeader(columns: readonly ExportColumn[], formulaGuard: boolean): Buffer {
  const names = columns.map(({ name }) => name);
  return Buffer.from(`${[...names, ...(formulaGuard ? [guardMark] : [])].join(',')}\r\n`);
}
