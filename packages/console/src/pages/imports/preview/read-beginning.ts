import type { Import } from '@roster/client';
import { parseExactJson } from '@roster/contract/text/exact-json.ts';
import Papa from 'papaparse';
import type { PreviewFault } from './preview.ts';
import { Utf8Scan, type Utf8Findings } from './utf8-scan.ts';

/** Bytes that are read for a preview, before and after decompression. */
const previewBytes = 512 * 1024;
const previewRows = 50;
/** Longer cells are shortened, so that a page with them stays fast. */
const shownCharacters = 200;

type Encoding = NonNullable<Import['encoding']>;

/** The beginning of a file as a table. */
export interface Beginning {
  readonly format: 'csv' | 'ndjson';
  readonly encoding: Encoding;
  /** The encoding is only likely, because the bytes are not UTF-8. */
  readonly isGuessed: boolean;
  readonly delimiter: Import['delimiter'];
  readonly isCompressed: boolean;
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly hasOnlyHeader: boolean;
  readonly damagedLines: number;
}

/** A file that cannot be previewed. */
export class UnreadableFile extends Error {
  readonly fault: PreviewFault;
  constructor(fault: PreviewFault) {
    super(fault);
    this.fault = fault;
  }
}

/** Reads the beginning of a file. Throws an {@link UnreadableFile}. */
export async function readBeginning(
  file: Blob,
  given: { readonly encoding: Import['encoding'] | undefined; readonly delimiter: Import['delimiter'] | undefined },
): Promise<Beginning> {
  const sent = new Uint8Array(await file.slice(0, previewBytes).arrayBuffer());
  if (sent.length === 0) throw new UnreadableFile('empty');
  const isCompressed = sent[0] === 0x1f && sent[1] === 0x8b;
  const bytes = isCompressed ? await decompress(sent) : sent;
  const isWhole = !isCompressed && file.size <= sent.length;
  if (startsWith(bytes, [0x50, 0x4b, 3, 4]) || startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0]))
    throw new UnreadableFile('spreadsheet');
  if (startsWith(bytes, [0x25, 0x50, 0x44, 0x46])) throw new UnreadableFile('other');
  const encoding = given.encoding ?? detectEncoding(bytes, isWhole);
  const notThis = given.encoding === undefined ? 'other' : 'encoding';
  const form = { encoding, isGuessed: given.encoding === undefined && encoding === 'windows-1252', isCompressed };
  const text = decode(bytes, encoding);
  // A text has no zeros. The beginning of a picture, a program or a database has some.
  if (text === undefined || text.slice(0, 1024).includes('\0')) throw new UnreadableFile(notThis);
  const first = text.trimStart()[0];
  if (first === undefined) throw new UnreadableFile('empty');
  if (first === '[') throw new UnreadableFile('array');
  if (first === '{') return { format: 'ndjson', ...form, delimiter: null, ...readObjects(text, isWhole) };
  return { format: 'csv', ...form, ...readTable(text, isWhole, given.delimiter) };
}

/** Checks the whole of a file that should be UTF-8. Reads it as a stream. */
export async function checkUtf8(file: Blob, isCompressed: boolean): Promise<Utf8Findings> {
  const stream = isCompressed ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file.stream();
  const scan = new Utf8Scan();
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return scan.findings(true);
      scan.add(value);
      if (scan.isDone) return scan.findings(false);
    }
  } catch {
    // The compressed data is damaged. The service says so.
    return scan.findings(false);
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function decompress(sent: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const reader = new Blob([sent]).stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    while (size < previewBytes) {
      const { done, value } = await reader.read();
      if (done) break;
      chunks.push(value);
      size += value.length;
    }
  } catch {
    // The data ends where the beginning was cut off.
  }
  if (size === 0) throw new UnreadableFile('unreadable');
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, at) => bytes[at] === byte);
}

/**
 * Finds the encoding by the byte order mark, by zeros, or by whether the bytes have characters in
 * UTF-8. A UTF-8 file with a damaged line stays UTF-8: as another encoding, all its names would be
 * wrong.
 */
function detectEncoding(bytes: Uint8Array, isWhole: boolean): Encoding {
  if (startsWith(bytes, [0xff, 0xfe])) return 'utf-16le';
  if (startsWith(bytes, [0xfe, 0xff])) return 'utf-16be';
  const sample = bytes.subarray(0, 1024);
  const zeros = sample.filter((byte) => byte === 0).length;
  if (zeros > sample.length / 5) return sample[0] === 0 ? 'utf-16be' : 'utf-16le';
  const scan = new Utf8Scan();
  scan.add(bytes);
  const { badLine, hasCharacters } = scan.findings(isWhole);
  // Similar encodings look the same. The preview shows whether the letters are right.
  return badLine === undefined || hasCharacters ? 'utf-8' : 'windows-1252';
}

/** Returns the text of bytes; undefined if they are not in this encoding. */
function decode(bytes: Uint8Array, encoding: Encoding): string | undefined {
  // Damaged UTF-8 is shown with its bad bytes marked, next to the number of the line.
  const fatal = encoding !== 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

function readTable(
  text: string,
  isWhole: boolean,
  given: Import['delimiter'] | undefined,
): Pick<Beginning, 'headers' | 'rows' | 'hasOnlyHeader' | 'damagedLines' | 'delimiter'> {
  const { data, meta } = Papa.parse<string[]>(text, {
    delimiter: given == null ? '' : given === 'tab' ? '\t' : given,
    delimitersToGuess: [',', ';', '\t', '|'],
    skipEmptyLines: true,
    preview: previewRows + 2,
  });
  const [headers = [], ...rows] = data;
  // The last row can be cut off.
  const complete = isWhole || rows.length > previewRows ? rows : rows.slice(0, -1);
  return {
    delimiter: meta.delimiter === '\t' ? 'tab' : (meta.delimiter as Import['delimiter']),
    headers: headers.map((header, at) => (header.trim() === '' ? `(column ${at + 1})` : header.trim())),
    rows: complete.slice(0, previewRows).map((row) => row.map(shorten)),
    hasOnlyHeader: isWhole && rows.length === 0,
    damagedLines: 0,
  };
}

function readObjects(
  text: string,
  isWhole: boolean,
): Pick<Beginning, 'headers' | 'rows' | 'hasOnlyHeader' | 'damagedLines'> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const first = (isWhole ? lines : lines.slice(0, -1)).slice(0, previewRows);
  const objects = first.map(fieldsOf).filter((fields) => fields !== undefined);
  const headers = [...new Set(objects.flatMap((object) => [...object.keys()]))];
  if (headers.length === 0) throw new UnreadableFile('unreadable');
  return {
    headers,
    rows: objects.map((object) => headers.map((header) => shorten(asText(object.get(header))))),
    hasOnlyHeader: false,
    damagedLines: first.length - objects.length,
  };
}

/** Returns the fields of an object. The keys in `attributes` have a prefix, as the service has them. */
function fieldsOf(line: string): Map<string, unknown> | undefined {
  try {
    const object = parseExactJson(line) as Record<string, unknown>;
    if (typeof object !== 'object' || object === null || Array.isArray(object)) return undefined;
    return new Map(
      Object.entries(object).flatMap(([key, value]) =>
        key.toLowerCase() === 'attributes' && typeof value === 'object' && value !== null
          ? Object.entries(value).map(([name, field]) => [`${key}.${name}`, field] as const)
          : [[key, value] as const],
      ),
    );
  } catch {
    return undefined;
  }
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function shorten(text: string): string {
  return text.length <= shownCharacters ? text : `${text.slice(0, shownCharacters)}…`;
}
