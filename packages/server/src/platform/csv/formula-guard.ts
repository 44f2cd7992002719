/**
 * The characters that make spreadsheets read a cell as a formula: tab, line feed, carriage return,
 * +, -, =, @, and the full-width forms of the last four, which East Asian spreadsheets accept.
 */
export const formulaStarts = ['\t', '\n', '\r', '+', '-', '=', '@', '＋', '－', '＝', '＠'] as const;

/**
 * The name of the column that marks a file with the formula guard. Each row has
 * {@link guardMarkCell} in it.
 *
 * The mark is a column because spreadsheets keep columns and drop all other metadata. No attribute
 * can have this name. The cells are not empty, because some spreadsheets drop empty cells at the
 * ends of rows.
 */
export const guardMark = 'roster:formula_guard';

/** The cell of the column {@link guardMark} in every row. */
export const guardMarkCell = '1';

/** True for the header of the column {@link guardMark}. */
export function isGuardMark(header: string): boolean {
  return header.trim().toLowerCase() === guardMark;
}

const starts: ReadonlySet<string> = new Set(formulaStarts);

/** True for a text that begins with any number of apostrophes and then a formula character. */
function isGuardable(text: string): boolean {
  let at = 0;
  while (text[at] === "'") at++;
  return starts.has(text[at] ?? '');
}

/**
 * Returns a text as a cell that no spreadsheet reads as a formula: with an apostrophe in front if
 * needed. If the text already has apostrophes before a formula, it gets one more. So
 * {@link unguarded} restores every text.
 */
export function guarded(text: string): string {
  return isGuardable(text) ? `'${text}` : text;
}

/** Returns a cell of a guarded file without the apostrophe that {@link guarded} added. */
export function unguarded(cell: string): string {
  return cell.startsWith("'") && isGuardable(cell) ? cell.slice(1) : cell;
}
