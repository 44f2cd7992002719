import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress, constants } from 'node:zlib';

/**
 * The asynchronous operations, and what is stored of a request of each: the body as the readers of the contract made it.
 * Each feature adds its operations (`declare module`).
 */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface Payloads {}

/** Name of an asynchronous operation. */
export type Operation = keyof Payloads;

/** A payload as it is stored. */
export interface EncodedPayload {
  readonly payload: Buffer;
  readonly codec: 'json' | 'zstd';
  /** Size before compression. */
  readonly bytes: number;
}

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

// Below this size the frame costs more than it saves, and a single contact should not wait for a thread.
const compressFrom = 2048;

// Level 1 packs a thousand contacts eight to one in under a millisecond, off the event loop. PostgreSQL's own compression takes ten times
// as long in the one process that everything waits for (docs/decisions/0002-payload-compression.md).
const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Encodes a payload for storage as JSON; a large one is compressed. */
export async function encodePayload(value: object): Promise<EncodedPayload> {
  if (isEncoded(value)) return { ...value, payload: asBuffer(value.payload) };
  const json = Buffer.from(JSON.stringify(value));
  if (json.length < compressFrom) return { payload: json, codec: 'json', bytes: json.length };
  return { payload: await compress(json, options), codec: 'zstd', bytes: json.length };
}

/** Bytes that come from another thread are no Buffer any more. */
function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** True for what a thread has encoded. */
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
