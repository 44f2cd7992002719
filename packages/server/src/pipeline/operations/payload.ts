import { promisify } from 'node:util';
import { constants, zstdCompress, zstdCompressSync } from 'node:zlib';
import {
  joinParts,
  mergeParts,
  plainText,
  type EncodedPart,
  type PayloadPart,
  type PlainPayload,
  type StoredPart,
} from './payload-parts.ts';
import type { Split } from './split-payload.ts';

/**
 * The stored payload of each pipeline operation: the body as the readers of the contract made it.
 * Each feature adds its operations (`declare module`).
 */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface Payloads {}

/** Name of a pipeline operation, such as `contact.create`. */
export type PipelineOperation = keyof Payloads;

/** How a payload is stored. `parts`: one part for each lane, see {@link joinParts}. */
export type PayloadCodec = 'json' | 'zstd' | 'parts';

/** A payload as it is stored. */
export interface EncodedPayload {
  readonly payload: Buffer;
  readonly codec: PayloadCodec;
  /** Size before compression. */
  readonly bytes: number;
  /** The lane that can apply the request. Absent: 0, which needs all lanes. */
  readonly lane?: number;
  /** The parts of the payload. Absent: the payload has only one part. */
  readonly parts?: readonly StoredPart[];
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
    const parts = split?.(value);
    if (typeof parts === 'object') return joinParts(await Promise.all(parts.map(encodePart)));
    return { ...(await encode(value)), ...laneOf(parts) };
  }
  if (split !== undefined && value.lane === undefined && value.parts === undefined) {
    return encodePayload(decodePayload(asBuffer(value.payload), value.codec), split);
  }
  return { ...value, payload: asBuffer(value.payload) };
}

/**
 * Encodes a payload as {@link encodePayload} does, in a thread that has nothing else to do. While it
 * waited for another thread, the garbage collector would keep the whole body.
 */
export function encodePayloadInThread(value: object, split?: Split): EncodedPayload {
  const parts = split?.(value);
  if (typeof parts === 'object') {
    return joinParts(parts.map((part) => ({ ...part, ...encodeInThread(part.payload) })));
  }
  return { ...encodeInThread(value), ...laneOf(parts) };
}

async function encodePart(part: PayloadPart): Promise<EncodedPart> {
  return { ...part, ...(await encode(part.payload)) };
}

async function encode(value: object): Promise<PlainPayload> {
  const json = Buffer.from(JSON.stringify(value));
  if (json.length < compressFrom) return { payload: json, codec: 'json', bytes: json.length };
  return { payload: await compress(json, options), codec: 'zstd', bytes: json.length };
}

function encodeInThread(value: object): PlainPayload {
  const json = Buffer.from(JSON.stringify(value));
  if (json.length < compressFrom) return { payload: json, codec: 'json', bytes: json.length };
  return { payload: zstdCompressSync(json, options), codec: 'zstd', bytes: json.length };
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

/** Returns a stored payload as JSON text; throws when it is damaged. */
export function payloadText(payload: Buffer, codec: PayloadCodec): string {
  if (codec === 'parts') return JSON.stringify(mergeParts(payload));
  return plainText(payload, codec);
}

/** Decodes a stored payload; throws when it is damaged. */
export function decodePayload(payload: Buffer, codec: PayloadCodec): object {
  if (codec === 'parts') return mergeParts(payload);
  return JSON.parse(plainText(payload, codec)) as object;
}
