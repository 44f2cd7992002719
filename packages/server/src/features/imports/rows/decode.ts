import { isUtf8 } from 'node:buffer';
import type { ImportEncoding } from '@roster/contract';
import { countByte } from '#platform/csv/count-byte.ts';
import { ImportFailure } from '../store/import-failure.ts';

const lineFeed = 10;

const byteOrderMarks: readonly { readonly encoding: ImportEncoding; readonly bytes: Buffer }[] = [
  { encoding: 'utf-8', bytes: Buffer.from([0xef, 0xbb, 0xbf]) },
  { encoding: 'utf-16le', bytes: Buffer.from([0xff, 0xfe]) },
  { encoding: 'utf-16be', bytes: Buffer.from([0xfe, 0xff]) },
];

/** Returns the encoding and length of the byte order mark of a file; undefined without a mark. */
export function byteOrderMark(
  head: Buffer,
): { readonly encoding: ImportEncoding; readonly length: number } | undefined {
  const mark = byteOrderMarks.find(({ bytes }) => bytes.equals(head.subarray(0, bytes.length)));
  return mark === undefined ? undefined : { encoding: mark.encoding, length: mark.bytes.length };
}

/**
 * Converts a text to UTF-8 and removes its byte order mark, chunk by chunk.
 *
 * Throws `encoding_unknown` when UTF-16 is damaged. Any byte is valid Windows-1252. UTF-8 is not
 * checked here, but by {@link checkedUtf8}.
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

/** Passes UTF-8 through. Throws `encoding_unknown` with the line of the first invalid bytes. */
export async function* checkedUtf8(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let line = 1;
  // The first bytes of a character that the next chunk completes.
  let rest = Buffer.alloc(0);
  for await (const chunk of source) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = bytes.length - unfinishedLength(bytes);
    const whole = bytes.subarray(0, end);
    if (!isUtf8(whole)) throw notUtf8(line + linesBeforeFault(whole));
    line += countByte(whole, lineFeed);
    rest = Buffer.from(bytes.subarray(end));
    yield chunk;
  }
  if (rest.length > 0) throw notUtf8(line);
}

function notUtf8(line: number): ImportFailure {
  return new ImportFailure(
    'encoding_unknown',
    `Line ${line} of the file is not valid UTF-8. Save the file as UTF-8, or name its encoding in "encoding", such as windows-1252.`,
  );
}

/** Returns the number of bytes at the end of UTF-8 text that belong to an incomplete character. */
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

/** Counts the lines before the first line that is not valid UTF-8. */
function linesBeforeFault(bytes: Buffer): number {
  let lines = 0;
  for (let from = 0; ;) {
    const at = bytes.indexOf(lineFeed, from);
    if (at === -1 || !isUtf8(bytes.subarray(from, at))) return lines;
    lines++;
    from = at + 1;
  }
}
