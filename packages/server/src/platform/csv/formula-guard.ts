/**
 * What spreadsheets take for the beginning of a formula: tab, line feed, carriage return, +, -, =, @, and the full-width forms of these four,
 * which East Asian spreadsheets take for them.
 */
export const formulaStarts = ['\t', '\n', '\r', '+', '-', '=', '@', '＋', '－', '＝', '＠'] as const;

/**
 * The mark of a file that Roster wrote with the formula guard: a column of this name, with {@link guardMarkCell} in every row.
 *
 * It survives spreadsheets, which keep columns and drop everything else that could say it. No attribute can have the name. The cells are not
 * empty, because some spreadsheets drop empty cells at the ends of rows.
 */
export const guardMark = 'roster:formula_guard';

/** The cell of the column {@link guardMark} in every row. */
export const guardMarkCell = '1';

/** True for the header of the column that marks a guarded file. */
export function isGuardMark(header: string): boolean {
  return header.trim().toLowerCase() === guardMark;
}

const starts: ReadonlySet<string> = new Set(formulaStarts);

/** True for a text that begins with any number of apostrophes and then with what begins a formula. */
function isGuardable(text: string): boolean {
  let at = 0;
  while (text[at] === "'") at++;
  return starts.has(text[at] ?? '');
}

/**
 * A text as a cell that no spreadsheet takes for a formula: with an apostrophe in front, if it needs one. A text that has apostrophes in front
 * of a formula already gets one more, so that {@link unguarded} restores every text.
 */
export function guarded(text: string): string {
  return isGuardable(text) ? `'${text}` : text;
}

/** A cell of a guarded file without the apostrophe that {@link guarded} has put in front. */
export function unguarded(cell: string): string {
  return cell.startsWith("'") && isGuardable(cell) ? cell.slice(1) : cell;
}
