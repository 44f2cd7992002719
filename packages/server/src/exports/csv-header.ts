import type { ExportColumn } from '../db/tables.ts';

/**
 * The header row of a file. The names need no quotes: whatever the letter case, an attribute or field has only letters, digits and `_`.
 * PostgreSQL could write it, but cuts names after 63 bytes, and attributes may have 64.
 */
export function csvHeader(columns: readonly ExportColumn[]): Buffer {
  return Buffer.from(`${columns.map(({ name }) => name).join(',')}\r\n`);
}
