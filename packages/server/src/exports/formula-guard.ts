/**
 * What spreadsheets take for the beginning of a formula: tab, line feed, carriage return, +, -, =, @, and the full-width forms of these four,
 * which East Asian spreadsheets take for them.
 */
export const formulaStarts = ['\t', '\n', '\r', '+', '-', '=', '@', '＋', '－', '＝', '＠'] as const;

const starts: ReadonlySet<string> = new Set(formulaStarts);

/** True for a text that begins with any number of apostrophes and then with what begins a formula. */
function isGuardable(text: string): boolean {
  let at = 0;
  while (text[at] === "'") at++;
  return starts.has(text[at] ?? '');
}

/**
 * A text as a cell that no spreadsheet takes for a formula: with an apostrophe in front, if it needs one. One that has apostrophes in front of
 * a formula already gets one more, so that {@link unguarded} gives every text back.
 */
export function guarded(text: string): string {
  return isGuardable(text) ? `'${text}` : text;
}

/**
 * A text as a cell of a file without the guard: only one that begins with an apostrophe that {@link unguarded} would take off gets one more. So
 * files with and without the guard are read alike, and give every text back.
 */
export function escaped(text: string): string {
  return text.startsWith("'") ? guarded(text) : text;
}

/** A cell without the apostrophe that {@link guarded} or {@link escaped}, or the guard of another program, has put in front. */
export function unguarded(cell: string): string {
  return cell.startsWith("'") && isGuardable(cell) ? cell.slice(1) : cell;
}
