import { finished } from 'node:stream/promises';
import { parse, type Parser } from 'csv-parse';
import { isAllQuoted, withNulls, withoutTexts } from './empty-cells.ts';
import { mostRowBytes, shownText, type RawRow } from './file-row.ts';

const lineFeed = 10;
const carriageReturn = 13;

/** A record as the library found it, with the number of bytes up to its end, counted from where its parser began. */
interface FoundRecord {
  readonly cells: readonly string[];
  readonly end: number;
}

/**
 * Reads the rows of CSV (RFC 4180, whatever the row ends), with the header as the first of them; blank lines are none.
 *
 * A cell `""` is an empty text, and nothing between delimiters is null. In a file whose header is all in quotes, `""` is null too: the program
 * that wrote it puts everything in quotes, and means nothing by them.
 *
 * A row with quotes that are not paired is one with a `fault`, and reading goes on with the next line: a quote that is never closed must not
 * swallow the rest of the file. The library tells neither the line of a record nor what a broken one was, so the bytes behind the last good
 * record are kept here.
 */
export async function* csvRows(source: AsyncIterable<Buffer>, delimiter: string): AsyncGenerator<RawRow[]> {
  const reader = new CsvReader(delimiter);
  for await (const chunk of source) {
    const rows = await reader.read(chunk);
    if (rows.length > 0) yield rows;
  }
  const rows = await reader.finish();
  if (rows.length > 0) yield rows;
}

class CsvReader {
  readonly #delimiter: string;
  /** What was read behind the last record, which ended at `#at` of the file. */
  #pending: Buffer = Buffer.alloc(0);
  #at = 0;
  /** The line on which `#pending` begins. */
  #line = 1;
  /** Where the present parser began. */
  #origin = 0;
  #parser: Parser;
  #found: FoundRecord[] = [];
  /** True when the header is all in quotes; undefined before the header. */
  #quotesAll: boolean | undefined;
  /** The rest of a line that is too long is dropped. */
  #skipping = false;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
    this.#parser = this.#newParser();
  }

  async read(chunk: Buffer): Promise<RawRow[]> {
    const rows: RawRow[] = [];
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    const skipped = this.#skipping;
    if (skipped) this.#skipLine();
    if (!this.#skipping) await this.#parse(skipped ? this.#pending : chunk, rows);
    return rows;
  }

  async finish(): Promise<RawRow[]> {
    const rows: RawRow[] = [];
    while (!(await this.#end())) {
      this.#take(rows);
      this.#takeBroken(rows, 'row_quotes');
      if (this.#skipping) break;
      await this.#parse(this.#pending, rows);
    }
    this.#take(rows);
    return rows;
  }

  /** Gives bytes, which are the end of `#pending`, to the parser; where it stumbles, the line is a broken row, and a new parser goes on behind it. */
  async #parse(bytes: Buffer, rows: RawRow[]): Promise<void> {
    let next: Buffer | undefined = bytes;
    while (next !== undefined && next.length > 0) {
      const error = await write(this.#parser, next);
      this.#take(rows);
      next = undefined;
      if (error === undefined) return;
      this.#takeBroken(rows, error === 'CSV_MAX_RECORD_SIZE' ? 'row_too_large' : 'row_quotes');
      if (!this.#skipping) next = this.#pending;
    }
  }

  /** Takes over the records that the parser has found. */
  #take(rows: RawRow[]): void {
    let from = 0;
    for (const { cells, end } of this.#found.splice(0)) {
      const to = this.#origin + end - this.#at;
      from += this.#passBlankLines(from);
      rows.push({ line: this.#line, end: this.#at + to, cells: this.#read(from, to, cells) });
      this.#line += countLines(this.#pending, from, to);
      from = to;
    }
    // Blank lines behind it are dropped at once: a file can have any number of them.
    this.#drop(from + this.#passBlankLines(from));
  }

  #read(from: number, to: number, cells: readonly string[]): RawRow['cells'] {
    const bytes = this.#pending.subarray(from, to);
    this.#quotesAll ??= isAllQuoted(bytes, cells);
    return this.#quotesAll ? withoutTexts(cells) : withNulls(bytes, cells);
  }

  /** Takes the first line of what is pending for a broken row. */
  #takeBroken(rows: RawRow[], fault: 'row_quotes' | 'row_too_large'): void {
    const from = this.#passBlankLines(0);
    const end = endOfLine(this.#pending, from);
    const to = end ?? this.#pending.length;
    const cells = shownText(this.#pending.subarray(from, to));
    rows.push({ line: this.#line, end: this.#at + to, cells, fault });
    this.#skipping = end === undefined;
    if (end !== undefined) this.#line++;
    this.#drop(to);
    this.#parser = this.#newParser();
  }

  /** Drops bytes up to the end of the line, and begins again behind it. */
  #skipLine(): void {
    const end = endOfLine(this.#pending, 0);
    this.#skipping = end === undefined;
    if (end !== undefined) this.#line++;
    this.#drop(end ?? this.#pending.length);
    this.#parser = this.#newParser();
  }

  #passBlankLines(from: number): number {
    let at = from;
    for (; at < this.#pending.length; at++) {
      const byte = this.#pending[at];
      if (byte !== lineFeed && byte !== carriageReturn) break;
      // Whether it is half of an end of line shows when more is read.
      if (byte === carriageReturn && at + 1 === this.#pending.length) break;
      if (byte === lineFeed || this.#pending[at + 1] !== lineFeed) this.#line++;
    }
    return at - from;
  }

  #drop(bytes: number): void {
    this.#pending = this.#pending.subarray(bytes);
    this.#at += bytes;
  }

  /** True when the parser has ended well; false when what is pending is a broken row. */
  async #end(): Promise<boolean> {
    const parser = this.#parser;
    if (parser.destroyed) return true;
    const ended = finished(parser).then(
      () => true,
      () => false,
    );
    parser.end();
    return ended;
  }

  #newParser(): Parser {
    const found: FoundRecord[] = [];
    this.#found = found;
    this.#origin = this.#at;
    const parser = parse({
      delimiter: this.#delimiter,
      // Detected by the library, the first would be taken for all.
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: mostRowBytes,
      on_record(cells: string[], { bytes }) {
        found.push({ cells, end: bytes });
        // Nothing goes to the readable side: the records are taken when the write that contains them has ended.
        return null;
      },
    });
    parser.on('error', () => undefined);
    parser.resume();
    return parser;
  }
}

/** Writes to a parser; answers the code of the error that it stumbled over. */
async function write(parser: Parser, bytes: Buffer): Promise<string | undefined> {
  return new Promise((resolve) => {
    parser.write(bytes, (error) => resolve(error == null ? undefined : String((error as { code?: unknown }).code)));
  });
}

/** Position behind the end of the line that `from` lies on; undefined when it is not there yet. */
function endOfLine(bytes: Buffer, from: number): number | undefined {
  const feed = bytes.indexOf(lineFeed, from);
  if (feed !== -1) return feed + 1;
  const carriage = bytes.indexOf(carriageReturn, from);
  return carriage === -1 || carriage === bytes.length - 1 ? undefined : carriage + 1;
}

/** Ends of lines in a record: line feeds, or carriage returns where there is none. */
function countLines(bytes: Buffer, from: number, to: number): number {
  const feeds = count(bytes, lineFeed, from, to);
  return feeds > 0 ? feeds : count(bytes, carriageReturn, from, to);
}

function count(bytes: Buffer, byte: number, from: number, to: number): number {
  let found = 0;
  for (let at = bytes.indexOf(byte, from); at !== -1 && at < to; at = bytes.indexOf(byte, at + 1)) found++;
  return found;
}
