import type { Readable, Writable } from 'node:stream';

/** Milliseconds that a store may take for one step, such as the first byte of a file, before it counts as hanging. */
export const storagePatience = 30_000;

/** How a file is written. */
export interface WriteOptions {
  readonly contentType: string;
  /** Writes the content into the sink and ends it, as `pipeline` does; when it rejects, the sink is destroyed and there is no file. */
  readonly fill: (sink: Writable) => Promise<void>;
  /**
   * Told what the write leaves behind if this process is killed, for {@link FileStore.discard}. The write goes on when the promise resolves.
   * A write that leaves nothing behind tells nothing.
   */
  readonly onBegin: (unfinished: string) => Promise<void>;
  /** Gives up, also when the content is complete and the store has yet to say that it has it: the write rejects. */
  readonly signal?: AbortSignal;
}

/** A part of a file: its first and last byte, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A file of a store. */
export interface StoredFile {
  readonly key: string;
  /** In bytes. */
  readonly size: number;
}

/**
 * Where files lie: those of exports and imports, and backups. Keys are relative paths of letters, digits, `/`, `.`, `-` and `_`.
 *
 * A file is there as a whole or not at all: one that is being written cannot be read, and one whose writer is killed never appears.
 * Errors are those of the file system or of the S3 client; `guardedFileStore` makes a `StorageFault` of each.
 */
export interface FileStore extends AsyncDisposable {
  /**
   * Writes a file and returns its size in bytes, once it is durable. A write that fails leaves nothing. If it cannot take back what it has
   * begun, it rejects with an error of the store, whatever made it fail.
   */
  write(key: string, options: WriteOptions): Promise<number>;
  /** Reads a file or a part of it; undefined when there is none. `signal` gives up, as long as the promise has not resolved. */
  read(key: string, range?: ByteRange, signal?: AbortSignal): Promise<Readable | undefined>;
  /** Lists the files whose keys begin with a prefix, in any order. */
  list(prefix: string): Promise<readonly StoredFile[]>;
  /** Deletes a file; none is fine. */
  delete(key: string): Promise<void>;
  /** Removes what a write left behind whose process was killed, see {@link WriteOptions.onBegin}; nothing is fine. */
  discard(unfinished: string): Promise<void>;
}
