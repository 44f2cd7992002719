import { promisify } from 'node:util';
import { zstdCompress, zstdCompressSync, zstdDecompress, constants } from 'node:zlib';

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
  readonly codec: 'json' | 'zstd';
  /** Size before compression. */
  readonly bytes: number;
}

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

// Bytes. Compressing a smaller payload saves little, and one contact should not wait for a thread.
const compressFrom = 2048;

// Level 1 compresses a thousand contacts to an eighth in under a millisecond, outside the event
// loop. PostgreSQL's compression takes ten times as long, and all processes wait for PostgreSQL
// (docs/decisions/0002-payload-compression.md).
const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Encodes a payload as JSON for storage, and compresses large payloads. */
export async function encodePayload(value: object): Promise<EncodedPayload> {
  if (isEncoded(value)) return { ...value, payload: asBuffer(value.payload) };
  const json = Buffer.from(JSON.stringify(value));
  if (json.length < compressFrom) return { payload: json, codec: 'json', bytes: json.length };
  return { payload: await compress(json, options), codec: 'zstd', bytes: json.length };
}

/**
 * Encodes a payload as {@link encodePayload} does, in a thread that has nothing else to do. While it
 * waited for another thread, the garbage collector would keep the whole body.
 */
export function encodePayloadInThread(value: object): EncodedPayload {
  const json = Buffer.from(JSON.stringify(value));
  if (json.length < compressFrom) return { payload: json, codec: 'json', bytes: json.length };
  return { payload: zstdCompressSync(json, options), codec: 'zstd', bytes: json.length };
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
export async function payloadText(payload: Buffer, codec: 'json' | 'zstd'): Promise<string> {
  const json = codec === 'zstd' ? await decompress(payload) : payload;
  return json.toString();
}

/** Decodes a stored payload; throws when it is damaged. */
export async function decodePayload(payload: Buffer, codec: 'json' | 'zstd'): Promise<object> {
  return JSON.parse(await payloadText(payload, codec)) as object;
}
