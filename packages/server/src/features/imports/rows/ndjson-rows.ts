import { tryJson } from '#platform/http/json/parse-json.ts';
import { mostRowBytes, shownText, type JsonField, type RawRow } from './file-row.ts';
import { nameOf } from './header.ts';

const lineFeed = 10;

/**
 * Reads the rows of NDJSON: one JSON object a line; blank lines are none. A line that is something else is a row with a `fault`.
 *
 * The names of each line are understood by themselves: they may have another letter case than those of other lines, and stand inside
 * `attributes` in one line and beside it in the next.
 */
export async function* ndjsonRows(source: AsyncIterable<Buffer>): AsyncGenerator<RawRow[]> {
  const names = new Names();
  let pending: Buffer = Buffer.alloc(0);
  let at = 0;
  let line = 1;
  let tooLong = false;

  function takeLine(bytes: Buffer, end: number, rows: RawRow[]): void {
    if (tooLong) rows.push({ line, end, cells: shownText(bytes), fault: 'row_too_large' });
    else if (!isBlank(bytes)) rows.push(readLine(bytes, line, end, names));
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

function readLine(bytes: Buffer, line: number, end: number, names: Names): RawRow {
  const fields = parseObject(bytes);
  if (fields === undefined) return { line, end, cells: shownText(bytes), fault: 'row_no_object' };
  const cells = new Map<string, JsonField>();
  const add = (key: string, value: unknown): void => {
    const name = names.of(key);
    cells.set(name, cells.has(name) ? { key, value, isRepeated: true } : { key, value });
  };
  for (const [text, value] of fields) {
    // Like the names in a header, which are trimmed too.
    const key = text.trim();
    if (key.toLowerCase() !== 'attributes') {
      add(key, value);
      continue;
    }
    if (typeof value !== 'object' || Array.isArray(value)) {
      return { line, end, cells: shownText(bytes), fault: 'row_attributes' };
    }
    for (const [name, attribute] of Object.entries(value ?? {})) add(`${key}.${name.trim()}`, attribute);
  }
  return { line, end, cells };
}

function parseObject(bytes: Buffer): readonly (readonly [string, unknown])[] | undefined {
  const value = tryJson(bytes.toString());
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : undefined;
}

/** Spellings whose names are remembered: a file has few, but a hostile one can have any number. */
const mostSpellings = 10_000;

/** The names that keys mean: each spelling is worked out once. */
class Names {
  readonly #known = new Map<string, string>();

  of(key: string): string {
    let name = this.#known.get(key);
    if (name !== undefined) return name;
    name = nameOf(key);
    if (this.#known.size < mostSpellings) this.#known.set(key, name);
    return name;
  }
}
