import { zstdDecompressSync } from 'node:zlib';
import type { EncodedPayload } from './payload.ts';

/** The items of a payload that one lane applies. */
export interface PayloadPart {
  readonly lane: number;
  /** The payload with only the items of the part. */
  readonly payload: object;
  /** The indexes of the items in the whole request, ascending. */
  readonly indexes: readonly number[];
  /** The property of the payload that has the items. */
  readonly property: string;
}

/** A payload as it is stored if it is not split. */
export interface PlainPayload {
  readonly payload: Buffer;
  readonly codec: 'json' | 'zstd';
  /** Size before compression. */
  readonly bytes: number;
}

/** A part whose payload is encoded. */
export type EncodedPart = Omit<PayloadPart, 'payload'> & PlainPayload;

/** The place of a part in a stored payload. */
export interface StoredPart {
  readonly lane: number;
  /** Number of items. */
  readonly total: number;
  /** Size before compression. */
  readonly bytes: number;
  /** Position and number of the bytes of the part in the stored payload. */
  readonly start: number;
  readonly length: number;
}

/** The table at the beginning of a stored payload with parts. */
interface PartTable {
  readonly property: string;
  readonly total: number;
  readonly parts: readonly Pick<StoredPart, 'start' | 'length'>[];
}

/**
 * Joins encoded parts to one payload. A worker reads only the bytes of its part. All other readers
 * get the whole payload again ({@link mergeParts}).
 *
 * Layout (numbers have 32 bits, little-endian): the length of the table, the table as JSON, then
 * each part: the number of items, their indexes, the encoded payload.
 */
export function joinParts(parts: readonly EncodedPart[]): EncodedPayload {
  const bodies = parts.map(({ indexes, payload }) => Buffer.concat([numbers([indexes.length, ...indexes]), payload]));
  const total = parts.reduce((sum, { indexes }) => sum + indexes.length, 0);
  let position = 0;
  const places = bodies.map(({ length }) => {
    const start = position;
    position += length;
    return { start, length };
  });
  const table: PartTable = { property: parts[0]!.property, total, parts: places };
  const head = Buffer.from(JSON.stringify(table));
  const offset = 4 + head.length;
  return {
    payload: Buffer.concat([numbers([head.length]), head, ...bodies]),
    codec: 'parts',
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
    parts: parts.map(({ lane, indexes, bytes }, at) => ({
      lane,
      total: indexes.length,
      bytes,
      start: offset + places[at]!.start,
      length: places[at]!.length,
    })),
  };
}

/** Reads the bytes of one part. Returns its encoded payload, and the indexes of its items. */
export function readPart(bytes: Buffer): Pick<PlainPayload, 'payload' | 'codec'> & { readonly indexes: number[] } {
  const count = bytes.readUInt32LE(0);
  const from = 4 + 4 * count;
  if (bytes.length <= from) throw new Error('a part of a payload is too short');
  const indexes = Array.from({ length: count }, (_, at) => bytes.readUInt32LE(4 + 4 * at));
  const payload = bytes.subarray(from);
  return { payload, codec: payload[0] === openingBrace ? 'json' : 'zstd', indexes };
}

/** Decodes a stored payload with parts. Returns the payload as it was before it was split. */
export function mergeParts(bytes: Buffer): object {
  const length = bytes.readUInt32LE(0);
  const { property, total, parts } = JSON.parse(bytes.toString('utf8', 4, 4 + length)) as PartTable;
  const items: unknown[] = Array.from({ length: total });
  let merged: object = {};
  for (const part of parts) {
    const start = 4 + length + part.start;
    const { payload, codec, indexes } = readPart(bytes.subarray(start, start + part.length));
    merged = JSON.parse(plainText(payload, codec)) as object;
    const own = (merged as Record<string, unknown[]>)[property]!;
    for (const [at, index] of indexes.entries()) items[index] = own[at];
  }
  return { ...merged, [property]: items };
}

/** Returns an encoded payload without parts as JSON text. */
export function plainText(payload: Buffer, codec: PlainPayload['codec']): string {
  if (codec === 'json') return payload.toString();
  // The text of a usual payload fits in one buffer of this size. In another thread, this would take
  // several times as long, and the text takes longer to parse.
  return zstdDecompressSync(payload, { chunkSize: Math.max(16_384, 10 * payload.length) }).toString();
}

const openingBrace = '{'.charCodeAt(0);

function numbers(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries()) bytes.writeUInt32LE(value, 4 * at);
  return bytes;
}
