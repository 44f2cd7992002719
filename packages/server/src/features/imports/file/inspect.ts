import type { ImportEncoding } from '@roster/contract';
import type { GivenFile } from '#platform/database/schema/tables/imports.ts';
import { csvRows, type CsvRow } from '../rows/csv-rows.ts';
import { byteOrderMark, checkedUtf8, decoded, unfinishedLength } from '../rows/decode.ts';
import { ImportFailure } from '../store/import-failure.ts';
import { gzipMagic } from '#platform/files/gzip.ts';
import { decompressed } from '../rows/open-file.ts';

/** The format of a file, as found from its first bytes. */
export interface InspectedFile {
  readonly compression: 'none' | 'gzip';
  readonly encoding: ImportEncoding;
  readonly format: 'csv' | 'ndjson';
  /** CSV: the character between the cells. NDJSON: null. */
  readonly delimiter: string | null;
  /** CSV: the cells of the first row. NDJSON: empty. */
  readonly headers: readonly string[];
}

/** How many bytes of a file are inspected, before and after decompression. */
export const inspectedBytes = 256 * 1024;

const delimiters = [',', ';', '\t', '|'] as const;
/** How many rows are inspected to find the delimiter. */
const sampleRows = 50;

const otherFiles: readonly (readonly [string, Buffer])[] = [
  ['a spreadsheet or another ZIP archive', Buffer.from('PK\u0003\u0004')],
  ['an old spreadsheet', Buffer.from([0xd0, 0xcf, 0x11, 0xe0])],
  ['a PDF', Buffer.from('%PDF')],
];

/**
 * Finds the format of a file. `head` is the beginning of the file; `whole` is true when `head` is
 * the whole file. Throws an {@link ImportFailure} when the file cannot be imported.
 */
export async function inspectFile(head: Buffer, whole: boolean, given: GivenFile): Promise<InspectedFile> {
  if (head.length === 0) throw new ImportFailure('file_empty');
  const isGzip = startsWith(head, gzipMagic);
  const bytes = isGzip ? await decompressHead(head, whole) : { head, whole };
  if (startsWith(bytes.head, gzipMagic))
    throw new ImportFailure(
      'file_not_text',
      'The file is compressed with gzip twice. Send it compressed once or not at all.',
    );
  for (const [what, magic] of otherFiles) {
    if (startsWith(bytes.head, magic)) throw new ImportFailure('file_not_text', `The file is ${what}. Save it as CSV.`);
  }
  const encoding = encodingOf(bytes.head, given.encoding);
  const text = await decodeHead(wholeLines(bytes.head, bytes.whole, encoding), encoding);
  const format = formatOf(text, given.format);
  const compression = isGzip ? 'gzip' : 'none';
  if (format === 'ndjson') return { compression, encoding, format, delimiter: null, headers: [] };
  const { delimiter, headers } = await readHeader(text, bytes.whole, given.delimiter);
  return { compression, encoding, format, delimiter, headers };
}

function startsWith(bytes: Buffer, magic: Buffer): boolean {
  return magic.equals(bytes.subarray(0, magic.length));
}

/** Decompresses the head of a gzip file. Its data can be incomplete where the head ends. */
async function decompressHead(head: Buffer, whole: boolean): Promise<{ head: Buffer; whole: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of decompressed(one(head))) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > inspectedBytes) return { head: Buffer.concat(chunks), whole: false };
    }
  } catch (error) {
    if (whole || length === 0) throw error;
    return { head: Buffer.concat(chunks), whole: false };
  }
  if (length === 0) throw new ImportFailure('file_empty');
  return { head: Buffer.concat(chunks), whole };
}

function encodingOf(head: Buffer, given: ImportEncoding | undefined): ImportEncoding {
  const mark = byteOrderMark(head)?.encoding;
  if (mark !== undefined && given !== undefined && mark !== given) {
    const message = `The file begins with the byte order mark of ${mark.toUpperCase()}, but "encoding" is ${given}. Leave the encoding out.`;
    throw new ImportFailure('encoding_unknown', message);
  }
  const encoding = given ?? mark ?? 'utf-8';
  const sample = head.subarray(0, 1024);
  const nulls = sample.filter((byte) => byte === 0).length;
  if (!encoding.startsWith('utf-16') && nulls > sample.length / 5) {
    const guess = sample[0] === 0 ? 'utf-16be' : 'utf-16le';
    const message = `The file looks like UTF-16 without a byte order mark. Save it as UTF-8, or send "encoding": "${guess}".`;
    throw new ImportFailure('encoding_unknown', message);
  }
  return encoding;
}

/** Cuts the head after its last complete line, because its last character can be incomplete. */
function wholeLines(head: Buffer, whole: boolean, encoding: ImportEncoding): Buffer {
  if (whole) return head;
  if (encoding.startsWith('utf-16')) return wholeUnits(head, encoding);
  const end = head.lastIndexOf(10);
  // Without a line feed, cut only an incomplete character: a line can be longer than the head.
  const length = end === -1 ? head.length - (encoding === 'utf-8' ? unfinishedLength(head) : 0) : end + 1;
  return head.subarray(0, length);
}

/** Cuts UTF-16 after its last complete character. */
function wholeUnits(head: Buffer, encoding: ImportEncoding): Buffer {
  const length = head.length - (head.length % 2);
  const high = head[encoding === 'utf-16le' ? length - 1 : length - 2] ?? 0;
  return head.subarray(0, high >= 0xd8 && high <= 0xdb ? length - 2 : length);
}

async function decodeHead(head: Buffer, encoding: ImportEncoding): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const checked = encoding === 'utf-8' ? checkedUtf8(one(head)) : one(head);
  for await (const chunk of decoded(checked, encoding)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function formatOf(text: Buffer, given: GivenFile['format']): 'csv' | 'ndjson' {
  const first = text.toString('latin1', 0, 1024).trimStart()[0];
  if (first === undefined && text.length < 1024) throw new ImportFailure('file_empty');
  if (given === 'csv') return 'csv';
  if (first === '[') throw new ImportFailure('format_unsupported');
  return given ?? (first === '{' ? 'ndjson' : 'csv');
}

/** Finds the delimiter and reads the header. Prefers many columns and rows of equal width. */
async function readHeader(text: Buffer, whole: boolean, given: string | undefined) {
  const candidates = given === undefined ? delimiters : [given];
  const found = await Promise.all(
    candidates.map(async (delimiter) => {
      const rows = await sampleOf(text, whole, delimiter);
      const [first] = rows;
      const width = first?.fault === undefined ? (first?.cells.length ?? 0) : 0;
      const equalShare = rows.filter(({ cells }) => cells.length === width).length / rows.length;
      // A wrong delimiter usually gives one column, so one column scores 0.
      return { delimiter, first, score: (width - 1) * equalShare ** 2 };
    }),
  );
  const best = found.reduce((a, b) => (b.score > a.score ? b : a));
  if (best.first === undefined || best.first.fault !== undefined) {
    throw new ImportFailure(
      'header_invalid',
      'The first row of the file cannot be read because its quotes are not paired. Write a quote inside a cell twice, and put the cell in quotes.',
    );
  }
  if (!whole && best.first.end === text.length && !/[\r\n]$/.test(text.toString('latin1', text.length - 1))) {
    const message = `The first row does not end within ${inspectedBytes / 1024} KiB. It must contain the names of the columns.`;
    throw new ImportFailure('header_invalid', message);
  }
  return { delimiter: best.delimiter, headers: best.first.cells.map((cell) => cell ?? '') };
}

async function sampleOf(text: Buffer, whole: boolean, delimiter: string) {
  let rows: CsvRow[] = [];
  for await (const found of csvRows(one(text), delimiter)) rows = rows.concat(found);
  // The last row of an incomplete head can be incomplete too.
  return rows.slice(0, Math.min(sampleRows, whole || rows.length < 2 ? rows.length : rows.length - 1));
}

async function* one(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
