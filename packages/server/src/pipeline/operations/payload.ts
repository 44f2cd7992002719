import { promisify } from 'node:util';
import { constants, zstdCompress, zstdCompressSync } from 'node:zlib';
import { StoredPayload, type PartTable, type PayloadCodec } from './stored-payload.ts';
import type { PayloadPart, Split } from './split-payload.ts';

/**
 * The stored payload of each pipeline operation: the body as the readers of the contract made it.
 * Each feature adds its operations (`declare module`).
 */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface Payloads {}

/** Name of a pipeline operation, such as `contact.create`. */
export type PipelineOperation = keyof Payloads;

/** A payload as it is stored. */
export interface EncodedPayload {
  readonly payload: Buffer;
  readonly codec: PayloadCodec;
  /** Size before compression. */
  readonly bytes: number;
  /** The lane that can apply the request. Absent: 0, which needs all lanes. */
  readonly lane?: number;
  /** The parts of the payload in their order. Absent: the payload has only one part. */
  readonly parts?: readonly WaitingPart[];
}

/** A part of a payload as it waits in the queue. */
export interface WaitingPart {
  readonly lane: number;
  /** Number of items. */
  readonly total: number;
}

const compress = promisify(zstdCompress);

// Bytes. Compressing a smaller payload saves little, and one contact should not wait for a thread.
const compressFrom = 2048;

// Level 1 compresses a thousand contacts to an eighth in under a millisecond, outside the event
// loop. PostgreSQL's compression takes ten times as long, and all processes wait for PostgreSQL
// (docs/decisions/0002-payload-compression.md).
const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/**
 * Encodes a payload as JSON for storage, and compresses large payloads. `split`: how to split it
 * into parts that different lanes can apply.
 */
export async function encodePayload(value: object, split?: Split): Promise<EncodedPayload> {
  if (!isEncoded(value)) {
    const { text, finish } = layOut(value, split);
    return finish(text.length < compressFrom ? text : await compress(text, options), text.length);
  }
  if (split !== undefined && value.lane === undefined && value.parts === undefined) {
    return encodePayload(new StoredPayload(asBuffer(value.payload), value.codec).whole(), split);
  }
  return { ...value, payload: asBuffer(value.payload) };
}

/**
 * Encodes a payload as {@link encodePayload} does, in a thread that has nothing else to do. While it
 * waited for another thread, the garbage collector would keep the whole body.
 */
export function encodePayloadInThread(value: object, split?: Split): EncodedPayload {
  const { text, finish } = layOut(value, split);
  return finish(text.length < compressFrom ? text : zstdCompressSync(text, options), text.length);
}

/** The text to store of a payload, and a function that makes the payload of its stored form. */
interface Layout {
  readonly text: Buffer;
  readonly finish: (stored: Buffer, bytes: number) => EncodedPayload;
}

function layOut(value: object, split: Split | undefined): Layout {
  const parts = split?.(value);
  if (typeof parts === 'object') return layOutParts(parts);
  return {
    text: Buffer.from(JSON.stringify(value)),
    finish: (stored, bytes) => {
      const codec = bytes < compressFrom ? 'json' : 'zstd';
      return { payload: stored, codec, bytes, ...laneOf(parts) };
    },
  };
}

/** Lays out a payload with parts as {@link PartTable} describes. */
function layOutParts(parts: readonly PayloadPart[]): Layout {
  const texts = parts.map(({ payload }) => JSON.stringify(payload));
  const table: PartTable = {
    property: parts[0]!.property,
    parts: parts.map(({ indexes }, at) => ({ indexes, length: texts[at]!.length })),
  };
  const head = Buffer.from(JSON.stringify(table));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  return {
    text: Buffer.from(texts.join('')),
    finish: (stored, bytes) => ({
      payload: Buffer.concat([length, head, stored]),
      codec: 'parts',
      bytes: bytes + head.length,
      parts: parts.map(({ lane, indexes }) => ({ lane, total: indexes.length })),
    }),
  };
}

function laneOf(lane: number | undefined): Pick<EncodedPayload, 'lane'> {
  return lane === undefined ? {} : { lane };
}

/** Makes a Buffer of bytes from another thread, which arrive as a plain Uint8Array. */
function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** True for a payload that a thread has already encoded. */
function isEncoded(value: object): value is EncodedPayload {
  return 'codec' in value && 'payload' in value;
}
