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

  /** `onBytes` is told how many bytes each chunk has. */
  constructor(onBytes: (bytes: number) => void = () => undefined) {
    super({ highWaterMark: 256 * 1024 });
    this.#onBytes = onBytes;
  }

  /** SHA-256 of everything, in hexadecimal digits; once, after the last byte. */
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

/** Compresses a file of a backup at the fastest level: rows shrink to a third. The next levels take twice as long to save some percent. */
export function compressFile(): ZstdCompress {
  return createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 1 }, chunkSize: 1024 * 1024 });
}

/** Writes a small text as a file of a store. */
export async function writeText(store: FileStore, key: string, content: string, contentType: string): Promise<void> {
  await store.write(key, {
    contentType,
    fill: (sink) => pipeline(Readable.from([content]), sink),
    // A backup that is killed is cleaned up as a whole.
    onBegin: async () => undefined,
  });
}
