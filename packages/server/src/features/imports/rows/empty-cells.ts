const quote = 34;
const twoQuotes = Buffer.from('""');

/**
 * The cells of a record with null where nothing stands, and `''` only where the file has `""`.
 *
 * `bytes` begin with the record and end with it, and `cells` are what csv-parse read from them: it does not tell the two apart. Delimiters
 * have one byte. Records without an empty cell, or without `""`, are nearly all of them and cost nothing.
 */
export function withNulls(bytes: Buffer, cells: readonly string[]): readonly (string | null)[] {
  if (!cells.includes('')) return cells;
  if (!bytes.includes(twoQuotes)) return withoutTexts(cells);
  let at = 0;
  return cells.map((cell) => {
    const isQuoted = bytes[at] === quote;
    at += lengthOf(cell, isQuoted) + 1;
    return cell === '' && !isQuoted ? null : cell;
  });
}

/** The cells with null where they are empty, however they are written. */
export function withoutTexts(cells: readonly string[]): readonly (string | null)[] {
  return cells.map((cell) => (cell === '' ? null : cell));
}

/** True when every cell of a record is in quotes, as programs write that put everything in quotes. */
export function isAllQuoted(bytes: Buffer, cells: readonly string[]): boolean {
  let at = 0;
  return cells.every((cell) => {
    const isQuoted = bytes[at] === quote;
    at += lengthOf(cell, isQuoted) + 1;
    return isQuoted;
  });
}

/** Bytes of a cell in its file. */
function lengthOf(cell: string, isQuoted: boolean): number {
  const length = Buffer.byteLength(cell);
  if (!isQuoted) return length;
  let inside = 0;
  for (let at = cell.indexOf('"'); at !== -1; at = cell.indexOf('"', at + 1)) inside++;
  return length + inside + 2;
}
