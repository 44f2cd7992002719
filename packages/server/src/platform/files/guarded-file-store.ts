import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { type ByteRange, type FileStore, storagePatience } from './file-store.ts';
import { asStorageFault, StorageFault } from './storage-fault.ts';

/**
 * A store whose faults are {@link StorageFault}s and whose reads and deletions end in time, whatever the store does. How long a write may
 * hang is left to the store: it knows whether a slow connection still carries bytes.
 *
 * Errors of the content and of `onBegin` stay what they are: whoever writes tells them from those of the store. A read resolves when its
 * first byte is there, so that a response does not begin before the store has delivered anything.
 */
export function guardedFileStore(store: FileStore, patience = storagePatience): FileStore {
  return {
    async write(key, options) {
      let callersError: { readonly error: unknown } | undefined;
      const noteCallersError = async <T>(task: Promise<T>): Promise<T> =>
        task.catch((error: unknown) => {
          if (!(error instanceof StorageFault)) callersError ??= { error };
          throw error;
        });
      try {
        return await store.write(key, {
          ...options,
          onBegin: (unfinished) => noteCallersError(options.onBegin(unfinished)),
          fill: (sink) => noteCallersError(options.fill(guardedSink(sink))),
        });
      } catch (error) {
        if (callersError !== undefined && callersError.error === error) throw error;
        if (options.signal?.aborted === true && (error as Error).name === 'AbortError') throw options.signal.reason;
        throw asStorageFault(error);
      }
    },
    read: (key, range) => inTime(patience, (late) => readFirstByte(store, key, range, late, patience)),
    list: (prefix) => inTime(patience, () => store.list(prefix)),
    delete: (key) => inTime(patience, () => store.delete(key)),
    discard: (unfinished) => inTime(patience, () => store.discard(unfinished)),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

/** Passes content on to the sink of a store, and fails with a {@link StorageFault} when that sink fails by itself. */
function guardedSink(sink: Writable): Writable {
  const guarded = new Writable({
    highWaterMark: sink.writableHighWaterMark,
    write(chunk, _encoding, done) {
      if (sink.write(chunk)) done();
      else sink.once('drain', done);
    },
    final(done) {
      sink.end((error?: Error | null) => done(error == null ? null : asStorageFault(error)));
    },
    destroy(error, done) {
      if (error !== null) sink.destroy(error);
      done(error);
    },
  });
  sink.on('error', (error) => guarded.destroy(asStorageFault(error)));
  // A store that gives up destroys the sink, and its own error says why.
  sink.on('close', () => {
    if (!sink.writableFinished) guarded.destroy();
  });
  return guarded;
}

async function readFirstByte(
  store: FileStore,
  key: string,
  range: ByteRange | undefined,
  late: AbortSignal,
  patience: number,
): Promise<Readable | undefined> {
  const content = await store.read(key, range, late);
  if (content === undefined) return undefined;
  const guarded = new GuardedContent(content, patience);
  if (late.aborted) guarded.destroy();
  late.addEventListener('abort', () => guarded.destroy(late.reason as Error), { once: true });
  // Rejects with the error of the stream.
  await once(guarded, 'readable');
  return guarded;
}

/** Content of a store that ends with a {@link StorageFault} when it fails, or the next bytes take too long. */
class GuardedContent extends Readable {
  readonly #content: Readable;
  readonly #pieces: AsyncIterator<Buffer>;
  readonly #patience: number;

  constructor(content: Readable, patience: number) {
    super({ highWaterMark: content.readableHighWaterMark });
    this.#content = content;
    this.#pieces = content.iterator() as AsyncIterator<Buffer>;
    this.#patience = patience;
  }

  override _read(): void {
    // Counts only while somebody wants the bytes: a slow reader has all the time.
    inTime(this.#patience, () => this.#pieces.next()).then(
      ({ done, value }) => this.push(done === true ? null : value),
      (error: unknown) => this.destroy(asStorageFault(error)),
    );
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#content.destroy();
    done(error);
  }
}

/** Runs a task of the store; rejects with a {@link StorageFault} when it fails or takes too long. Then the signal is aborted. */
async function inTime<T>(patience: number, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController();
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new StorageFault(new Error(`nothing came within ${patience / 1000} s`));
    reject(error);
    late.abort(error);
  }, patience);
  try {
    return await Promise.race([task(late.signal), tooLate]);
  } catch (error) {
    throw asStorageFault(error);
  } finally {
    clearTimeout(timer);
  }
}
