import { isUtf8 } from 'node:buffer';
import type { ImportEncoding } from '@roster/contract';
import { ImportFailure } from '../store/import-failure.ts';

const byteOrderMarks: readonly { readonly encoding: ImportEncoding; readonly bytes: Buffer }[] = [
  { encoding: 'utf-8', bytes: Buffer.from([0xef, 0xbb, 0xbf]) },
  { encoding: 'utf-16le', bytes: Buffer.from([0xff, 0xfe]) },
  { encoding: 'utf-16be', bytes: Buffer.from([0xfe, 0xff]) },
];

/** The encoding that the byte order mark at the beginning of a file names, and the length of the mark; undefined without one. */
export function byteOrderMark(
  head: Buffer,
): { readonly encoding: ImportEncoding; readonly length: number } | undefined {
  const mark = byteOrderMarks.find(({ bytes }) => bytes.equals(head.subarray(0, bytes.length)));
  return mark === undefined ? undefined : { encoding: mark.encoding, length: mark.bytes.length };
}

/**
 * Turns the bytes of a text into UTF-8 without a byte order mark, chunk by chunk.
 *
 * UTF-8 is passed on as it is, see {@link checkedUtf8}. Throws `encoding_unknown` where UTF-16 is damaged; every byte is Windows-1252.
 */
export async function* decoded(source: AsyncIterable<Buffer>, encoding: ImportEncoding): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  const decoder = encoding === 'utf-8' ? undefined : new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  const convert = (bytes: Buffer | undefined): Buffer => {
    if (decoder === undefined) return bytes ?? Buffer.alloc(0);
    try {
      return Buffer.from(bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true }));
    } catch (cause) {
      throw new ImportFailure(
        'encoding_unknown',
        `The file is not valid ${encoding.toUpperCase()} text. Save it as UTF-8, or name its encoding in "encoding".`,
        { cause },
      );
    }
  };
  for await (const chunk of source) {
    if (head === undefined) {
      yield convert(chunk);
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < 3) continue;
    yield convert(withoutMark(head, encoding));
    head = undefined;
  }
  if (head !== undefined) yield convert(withoutMark(head, encoding));
  yield convert(undefined);
}

function withoutMark(head: Buffer, encoding: ImportEncoding): Buffer {
  const mark = byteOrderMark(head);
  return mark?.encoding === encoding ? head.subarray(mark.length) : head;
}

/** Passes UTF-8 on, and throws `encoding_unknown` with the line of the first bytes that are not. */
export async function* checkedUtf8(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let line = 1;
  // The bytes of a character that the next chunk goes on with.
  let rest = Buffer.alloc(0);
  for await (const chunk of source) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = bytes.length - unfinishedLength(bytes);
    const whole = bytes.subarray(0, end);
    if (!isUtf8(whole)) throw notUtf8(line + linesBeforeFault(whole));
    line += countLineFeeds(whole);
    rest = Buffer.from(bytes.subarray(end));
    yield chunk;
  }
  if (rest.length > 0) throw notUtf8(line);
}

function notUtf8(line: number): ImportFailure {
  return new ImportFailure(
    'encoding_unknown',
    `Line ${line} of the file is no UTF-8. Save the file as UTF-8, or name its encoding in "encoding", such as windows-1252`,
  );
}

/** Number of bytes at the end of UTF-8 that begin a character of which the last bytes are missing. */
export function unfinishedLength(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? back : 0;
    }
  }
  return 0;
}

/** Lines that are valid UTF-8 before the first one that is not. */
function linesBeforeFault(bytes: Buffer): number {
  let lines = 0;
  for (let from = 0; ;) {
    const at = bytes.indexOf(10, from);
    if (at === -1 || !isUtf8(bytes.subarray(from, at))) return lines;
    lines++;
    from = at + 1;
  }
}

function countLineFeeds(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) count++;
  return count;
}
