import type { Readable, Writable } from 'node:stream';

/** Milliseconds that a store may take for one step, such as the first byte of a file. */
export const storageTimeout = 30_000;

/** How a file is written. */
export interface WriteOptions {
  readonly contentType: string;
  /**
   * Writes the content to the sink and ends it, as `pipeline` does. When this rejects, the sink is
   * destroyed and no file is made.
   */
  readonly fill: (sink: Writable) => Promise<void>;
  /**
   * Called with the identifier of the unfinished write. If this process is killed during the
   * write, pass the identifier to {@link FileStore.discard}. The write continues when the promise
   * resolves. Not called when nothing can remain.
   */
  readonly onBegin: (unfinished: string) => Promise<void>;
  /** Ends the write, which then rejects, even while it waits for the store to confirm the file. */
  readonly signal?: AbortSignal;
}

/** A part of a file: its first and last byte, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A file in a store. */
export interface StoredFile {
  readonly key: string;
  /** In bytes. */
  readonly size: number;
}

/**
 * A store of files: exports, imports and backups. Keys are relative paths of letters, digits, `/`,
 * `.`, `-` and `_`.
 *
 * A file appears only when it is complete. It cannot be read while it is being written, and it
 * never appears when its writer is killed. Errors are those of the file system or of the S3 client;
 * `guardedFileStore` wraps them in a `StorageFault`.
 */
export interface FileStore extends AsyncDisposable {
  /**
   * Writes a file and returns its size in bytes once the file is durable. A failed write leaves
   * nothing. If the cleanup fails, too, the write rejects with an error of the store.
   */
  write(key: string, options: WriteOptions): Promise<number>;
  /**
   * Reads a file or a part of it; undefined when it does not exist. `signal` only aborts the call
   * until it resolves.
   */
  read(key: string, range?: ByteRange, signal?: AbortSignal): Promise<Readable | undefined>;
  /** Lists the files whose keys begin with a prefix, in any order. */
  list(prefix: string): Promise<readonly StoredFile[]>;
  /** Deletes a file, if it exists. */
  delete(key: string): Promise<void>;
  /** Removes the rest of a write whose process was killed; see {@link WriteOptions.onBegin}. */
  discard(unfinished: string): Promise<void>;
}
