import { tryExactJson } from '#platform/http/json/parse-json.ts';
import { maxRowBytes, shownBytes, shownText, type JsonField, type RawRow } from './file-row.ts';
import { nameOf } from '../columns/header.ts';

const lineFeed = 10;

/**
 * Reads the rows of an NDJSON file: one JSON object on each line. Blank lines are not rows. A line
 * that is not an object becomes a row with a `fault`.
 *
 * Each line may spell its names differently: in another letter case, or inside `attributes`.
 */
export async function* ndjsonRows(source: AsyncIterable<Buffer>): AsyncGenerator<RawRow[]> {
  const names = new Names();
  let pending: Buffer = Buffer.alloc(0);
  let at = 0;
  let line = 1;
  let tooLong = false;

  function takeLine(bytes: Buffer, end: number, rows: RawRow[]): void {
    if (tooLong) rows.push({ line, end, cells: shownText(bytes, true), fault: 'row_too_large' });
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
    if (pending.length > maxRowBytes) {
      // Keep only the beginning, which the file of failures shows.
      at += pending.length - shownBytes;
      pending = pending.subarray(0, shownBytes);
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
    // The headers of CSV are trimmed too.
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
  const value = tryExactJson(bytes.toString());
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : undefined;
}

/** Maximum number of cached names. Usual files need few, but a hostile file can have any number. */
const maxCachedNames = 10_000;

/** Caches {@link nameOf}. */
class Names {
  readonly #known = new Map<string, string>();

  of(key: string): string {
    let name = this.#known.get(key);
    if (name !== undefined) return name;
    name = nameOf(key);
    if (this.#known.size < maxCachedNames) this.#known.set(key, name);
    return name;
  }
}
