import { mostRowBytes, shownText, type RawRow } from './file-row.ts';

const lineFeed = 10;

/** Reads the rows of NDJSON: one JSON object a line; blank lines are none. A line that is something else is a row with a `fault`. */
export async function* ndjsonRows(source: AsyncIterable<Buffer>): AsyncGenerator<RawRow[]> {
  let pending: Buffer = Buffer.alloc(0);
  let at = 0;
  let line = 1;
  let tooLong = false;

  function takeLine(bytes: Buffer, end: number, rows: RawRow[]): void {
    if (tooLong) rows.push({ line, end, cells: shownText(bytes), fault: 'row_too_large' });
    else if (!isBlank(bytes)) rows.push(readLine(bytes, line, end));
    tooLong = false;
    line++;
  }

  for await (const chunk of source) {
    const rows: RawRow[] = [];
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    let from = 0;
    for (let feed = pending.indexOf(lineFeed); feed !== -1; feed = pending.indexOf(lineFeed, from)) {
      takeLine(pending.subarray(from, feed), at + feed + 1, rows);
      from = feed + 1;
    }
    pending = pending.subarray(from);
    at += from;
    if (pending.length > mostRowBytes) {
      // Its beginning is enough to show what it was.
      at += pending.length - 1000;
      pending = pending.subarray(0, 1000);
      tooLong = true;
    }
    if (rows.length > 0) yield rows;
  }
  const rows: RawRow[] = [];
  if (pending.length > 0) takeLine(pending, at + pending.length, rows);
  if (rows.length > 0) yield rows;
}

function isBlank(bytes: Buffer): boolean {
  for (const byte of bytes) if (byte !== 32 && byte !== 9 && byte !== 13) return false;
  return true;
}

function readLine(bytes: Buffer, line: number, end: number): RawRow {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { line, end, cells: flatten(value as Record<string, unknown>) };
    }
  } catch {
    // Answered below, like everything else that is no object.
  }
  return { line, end, cells: shownText(bytes), fault: 'row_no_object' };
}

function flatten(object: Readonly<Record<string, unknown>>): Map<string, unknown> {
  const cells = new Map<string, unknown>();
  for (const [text, value] of Object.entries(object)) {
    // Like the names in a header, which are trimmed too.
    const key = text.trim();
    if (key.toLowerCase() !== 'attributes' || typeof value !== 'object' || Array.isArray(value)) cells.set(key, value);
    else for (const [name, attribute] of Object.entries(value ?? {})) cells.set(`${key}.${name.trim()}`, attribute);
  }
  return cells;
}
