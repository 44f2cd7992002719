import { createHash } from 'node:crypto';
import { Readable, Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, type ZstdCompress } from 'node:zlib';
import type { FileStore } from '#platform/files/file-store.ts';

/** Counts and hashes the bytes that pass through it. */
export class Checksum extends Transform {
  readonly #hash = createHash('sha256');
  readonly #onBytes: (bytes: number) => void;
  bytes = 0;

  /** `onBytes` is called with the size of each chunk. */
  constructor(onBytes: (bytes: number) => void = () => undefined) {
    super({ highWaterMark: 256 * 1024 });
    this.#onBytes = onBytes;
  }

  /** Returns the SHA-256 in hexadecimal digits. Call this once, after the last byte. */
  digest(): string {
    return this.#hash.digest('hex');
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#hash.update(chunk);
    this.bytes += chunk.length;
    this.#onBytes(chunk.length);
    done(null, chunk);
  }
}

/** Compresses a file to about a third. Higher levels take twice as long and save a few percent. */
export function compressFile(): ZstdCompress {
  return createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 1 }, chunkSize: 1024 * 1024 });
}

/** Writes a small text file into a file store. */
export async function writeText(store: FileStore, key: string, content: string, contentType: string): Promise<void> {
  await store.write(key, {
    contentType,
    fill: (sink) => pipeline(Readable.from([content]), sink),
    // Unfinished files need not be noted: an interrupted backup is deleted as a whole.
    onBegin: async () => undefined,
  });
}
