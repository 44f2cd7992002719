import { Transform, type TransformCallback } from 'node:stream';
import { countByte } from '#platform/csv/count-byte.ts';

const lineFeed = 10;
const carriageReturn = 13;
const quote = 34;

/**
 * Converts the row ends of CSV from LF, as PostgreSQL writes them, to CRLF (RFC 4180), and counts
 * the rows. A line feed inside quotes does not change. Chunks can begin and end anywhere.
 */
export class RowEndConverter extends Transform {
  /** Number of rows so far. */
  rows = 0;
  /** True inside quotes. A quote inside a cell is written twice, so it changes this value twice. */
  #quoted = false;

  /** `header` is written unchanged before the first row. */
  constructor(header: Buffer) {
    super();
    this.push(header);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const output = Buffer.allocUnsafe(chunk.length + countByte(chunk, lineFeed));
    let quoted = this.#quoted;
    let rows = 0;
    let at = 0;
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index]!;
      if (byte === quote) quoted = !quoted;
      else if (byte === lineFeed && !quoted) {
        output[at++] = carriageReturn;
        rows++;
      }
      output[at++] = byte;
    }
    this.#quoted = quoted;
    this.rows += rows;
    done(null, output.subarray(0, at));
  }
}
