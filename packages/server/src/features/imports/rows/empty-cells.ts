const quote = 34;
const twoQuotes = Buffer.from('""');

/**
 * Replaces the cells of a record that are empty without quotes by null. A cell `""` stays `''`.
 *
 * csv-parse returns `''` for both, so this function finds the cells in `bytes`, the text of the
 * record. The delimiter must have one byte. Nearly all records have no empty cell, or no `""`, and
 * return early.
 */
export function unquotedToNull(bytes: Buffer, cells: readonly string[]): readonly (string | null)[] {
  if (!cells.includes('')) return cells;
  if (!bytes.includes(twoQuotes)) return emptyToNull(cells);
  const isQuoted = quotedCells(bytes, cells);
  return cells.map((cell, index) => (cell === '' && !isQuoted[index] ? null : cell));
}

/** Replaces all empty cells by null, with or without quotes. */
export function emptyToNull(cells: readonly string[]): readonly (string | null)[] {
  return cells.map((cell) => (cell === '' ? null : cell));
}

/** Returns true when every cell of a record is in quotes. Some programs quote everything. */
export function isAllQuoted(bytes: Buffer, cells: readonly string[]): boolean {
  return quotedCells(bytes, cells).every(Boolean);
}

/** Returns for each cell of a record whether it is in quotes. */
function quotedCells(bytes: Buffer, cells: readonly string[]): boolean[] {
  let at = 0;
  return cells.map((cell) => {
    const isQuoted = bytes[at] === quote;
    at += Buffer.byteLength(cell) + 1;
    // In the file, the cell has two quotes around it, and each quote inside it is doubled.
    if (isQuoted) at += 1 + cell.split('"').length;
    return isQuoted;
  });
}
