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

// Ends the JSON of a payload with bytes; in JSON itself there is none.
const lineFeed = 0x0a;

/**
 * Encodes a payload for storage: as JSON, and where it has a field `bytes`, these as they are behind a line feed. In JSON they would take more
 * time than everything else.
 */
export async function encodePayload(value: object): Promise<EncodedPayload> {
  if (isEncoded(value)) return { ...value, payload: asBuffer(value.payload) };
  const { bytes, ...rest } = value as { readonly bytes?: Buffer };
  const json = JSON.stringify(rest);
  const whole = bytes === undefined ? Buffer.from(json) : Buffer.concat([Buffer.from(`${json}\n`), bytes]);
  if (whole.length < compressFrom) return { payload: whole, codec: 'json', bytes: whole.length };
  return { payload: await compress(whole, options), codec: 'zstd', bytes: whole.length };
}

/** Bytes that come from another thread are no Buffer any more. */
function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** True for what a thread has encoded. */
function isEncoded(value: object): value is EncodedPayload {
  return 'codec' in value && 'payload' in value;
}

/** A stored payload as text, before anything is made of it. */
export interface OpenPayload {
  readonly json: string;
  readonly bytes: Buffer | undefined;
}

/** Opens a stored payload; throws when it is damaged. */
export async function openPayload(payload: Buffer, codec: 'json' | 'zstd'): Promise<OpenPayload> {
  const whole = codec === 'zstd' ? await decompress(payload) : payload;
  const end = whole.indexOf(lineFeed);
  if (end === -1) return { json: whole.toString(), bytes: undefined };
  return { json: whole.toString('utf8', 0, end), bytes: whole.subarray(end + 1) };
}

/** What an open payload says; throws when it is damaged. */
export function readPayload({ json, bytes }: OpenPayload): object {
  const value = JSON.parse(json) as object;
  return bytes === undefined ? value : { ...value, bytes };
}

/** Decodes a stored payload; throws when it is damaged. */
export async function decodePayload(payload: Buffer, codec: 'json' | 'zstd'): Promise<object> {
  return readPayload(await openPayload(payload, codec));
}
