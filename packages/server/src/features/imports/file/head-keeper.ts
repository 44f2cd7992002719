import { Transform, type TransformCallback } from 'node:stream';
import type { Hash } from 'node:crypto';
import { inspectedBytes } from './inspect.ts';

const mebibyte = 1024 * 1024;

/** Options of a {@link HeadKeeper}. */
export interface HeadKeeperOptions {
  /** Maximum size of the whole file in MiB. */
  readonly maxMb: number;
  /** Makes the error of a file that is larger. */
  readonly tooLarge: (maxMb: number) => Error;
  /** Size of the earlier parts of the file in bytes; default 0. */
  readonly before?: number;
  /** Gets all bytes. */
  readonly hash?: Hash | undefined;
}

/** Passes a file through, keeps its beginning, and fails when the file is too large. */
export class HeadKeeper extends Transform {
  readonly #chunks: Buffer[] = [];
  readonly #options: HeadKeeperOptions;
  #size = 0;

  constructor(options: HeadKeeperOptions) {
    super();
    this.#options = options;
  }

  /** The beginning of the file. */
  get bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  /** Bytes that have passed through. */
  get size(): number {
    return this.#size;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const { maxMb, tooLarge, before = 0, hash } = this.#options;
    if (this.#size < inspectedBytes) this.#chunks.push(chunk);
    this.#size += chunk.length;
    hash?.update(chunk);
    if (before + this.#size <= maxMb * mebibyte) return done(null, chunk);
    done(tooLarge(maxMb));
  }
}
