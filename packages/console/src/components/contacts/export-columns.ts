/**
 * Returns the columns of a file for the columns of a table. The lists of a contact cannot be a
 * column of a file.
 */
export function exportColumns(fields: readonly string[], primaryKey: string): string[] {
  return fields
    .filter((name) => name !== 'list_id')
    .map((name) => (name === 'identity' ? primaryKey : name.toUpperCase()));
}
