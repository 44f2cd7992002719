import { finished } from 'node:stream/promises';
import { parse, type Parser } from 'csv-parse';
import { countByte } from '#platform/csv/count-byte.ts';
import { emptyToNull, isAllQuoted, unquotedToNull } from './empty-cells.ts';
import { maxRowBytes, shownText, type RawRow } from './file-row.ts';

const lineFeed = 10;
const carriageReturn = 13;

/** A row of a CSV file. */
export interface CsvRow extends RawRow {
  readonly cells: readonly (string | null)[];
}

/** A record of csv-parse. `end` is its end, in bytes from the start of the current parser. */
interface ParsedRecord {
  readonly cells: readonly string[];
  readonly end: number;
}

/**
 * Reads the rows of a CSV file (RFC 4180). Rows can end in CRLF, LF or CR. The header is the first
 * row. Blank lines are not rows.
 *
 * A cell `""` is an empty text, and a cell without anything is null. If every cell of the header is
 * in quotes, `""` is null too: the program that wrote the file quotes everything.
 *
 * A row whose quotes are not paired gets a `fault`, and reading continues on the next line.
 * Otherwise a quote that is never closed would make the rest of the file one cell. csv-parse does
 * not report the line of a record, or the text of a broken record. Therefore the reader keeps the
 * bytes after the last good record.
 */
export async function* csvRows(source: AsyncIterable<Buffer>, delimiter: string): AsyncGenerator<CsvRow[]> {
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
  /** The bytes after the last record. They begin at position `#at` of the file. */
  #pending: Buffer = Buffer.alloc(0);
  #at = 0;
  /** The line on which `#pending` begins. */
  #line = 1;
  /** Position of the file at which the current parser began. */
  #origin = 0;
  #parser: Parser;
  #records: ParsedRecord[] = [];
  /** True when every cell of the header is in quotes; undefined before the header. */
  #quotesAll: boolean | undefined;
  /** True while the rest of a line that is too long is dropped. */
  #skipping = false;

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
    this.#parser = this.#newParser();
  }

  async read(chunk: Buffer): Promise<CsvRow[]> {
    const rows: CsvRow[] = [];
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    const skipped = this.#skipping;
    if (skipped) this.#skipLine();
    if (!this.#skipping) await this.#parse(skipped ? this.#pending : chunk, rows);
    return rows;
  }

  async finish(): Promise<CsvRow[]> {
    const rows: CsvRow[] = [];
    while (!(await this.#endParser())) {
      this.#takeRecords(rows);
      this.#takeBrokenRow(rows, 'row_quotes');
      if (this.#skipping) break;
      await this.#parse(this.#pending, rows);
    }
    this.#takeRecords(rows);
    return rows;
  }

  /**
   * Passes bytes to the parser. They must be the end of `#pending`. When the parser fails, the line
   * becomes a broken row, and a new parser continues on the next line.
   */
  async #parse(bytes: Buffer, rows: CsvRow[]): Promise<void> {
    let next: Buffer | undefined = bytes;
    while (next !== undefined && next.length > 0) {
      const error = await write(this.#parser, next);
      this.#takeRecords(rows);
      next = undefined;
      if (error === undefined) return;
      this.#takeBrokenRow(rows, error === 'CSV_MAX_RECORD_SIZE' ? 'row_too_large' : 'row_quotes');
      if (!this.#skipping) next = this.#pending;
    }
  }

  /** Makes rows of the records that the parser has found. */
  #takeRecords(rows: CsvRow[]): void {
    let from = 0;
    for (const { cells, end } of this.#records.splice(0)) {
      const to = this.#origin + end - this.#at;
      from += this.#passBlankLines(from);
      const bytes = this.#pending.subarray(from, to);
      this.#quotesAll ??= isAllQuoted(bytes, cells);
      rows.push({
        line: this.#line,
        end: this.#at + to,
        cells: this.#quotesAll ? emptyToNull(cells) : unquotedToNull(bytes, cells),
      });
      this.#line += countLineEnds(bytes);
      from = to;
    }
    // Drop the blank lines after the record now: a file can have any number of them.
    this.#drop(from + this.#passBlankLines(from));
  }

  /** Makes a broken row of the first line of `#pending`. */
  #takeBrokenRow(rows: CsvRow[], fault: 'row_quotes' | 'row_too_large'): void {
    const from = this.#passBlankLines(0);
    const end = endOfLine(this.#pending, from);
    const to = end ?? this.#pending.length;
    const cells = shownText(this.#pending.subarray(from, to));
    rows.push({ line: this.#line, end: this.#at + to, cells, fault });
    this.#restartAfter(end);
  }

  /** Drops bytes up to the end of the line, and begins again after it. */
  #skipLine(): void {
    this.#restartAfter(endOfLine(this.#pending, 0));
  }

  /** Starts a new parser after a line. If `end` is not read yet, skips the rest of the line. */
  #restartAfter(end: number | undefined): void {
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
      // The next chunk may begin with the line feed of this carriage return.
      if (byte === carriageReturn && at + 1 === this.#pending.length) break;
      if (byte === lineFeed || this.#pending[at + 1] !== lineFeed) this.#line++;
    }
    return at - from;
  }

  #drop(bytes: number): void {
    this.#pending = this.#pending.subarray(bytes);
    this.#at += bytes;
  }

  /** Ends the parser. Returns false when the parser fails, because `#pending` is a broken row. */
  async #endParser(): Promise<boolean> {
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
    const records: ParsedRecord[] = [];
    this.#records = records;
    this.#origin = this.#at;
    const parser = parse({
      delimiter: this.#delimiter,
      // By default, csv-parse expects every row to end like the first row.
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: maxRowBytes,
      on_record(cells: string[], { bytes }) {
        records.push({ cells, end: bytes });
        // Null keeps the record out of the readable side. #takeRecords takes it after the write.
        return null;
      },
    });
    parser.on('error', () => undefined);
    parser.resume();
    return parser;
  }
}

/** Writes to a parser. Returns the code of the parser's error, or undefined. */
async function write(parser: Parser, bytes: Buffer): Promise<string | undefined> {
  return new Promise((resolve) => {
    parser.write(bytes, (error) => resolve(error == null ? undefined : String((error as { code?: unknown }).code)));
  });
}

/** Returns the position after the line at `from`; undefined when its end is not read yet. */
function endOfLine(bytes: Buffer, from: number): number | undefined {
  const feed = bytes.indexOf(lineFeed, from);
  if (feed !== -1) return feed + 1;
  const carriage = bytes.indexOf(carriageReturn, from);
  return carriage === -1 || carriage === bytes.length - 1 ? undefined : carriage + 1;
}

/** Counts the line feeds in a record. Without any, counts its carriage returns. */
function countLineEnds(record: Buffer): number {
  return countByte(record, lineFeed) || countByte(record, carriageReturn);
}
