import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { type ByteRange, type FileStore, storageTimeout } from './file-store.ts';
import { asStorageFault, StorageFault } from './storage-fault.ts';

/**
 * Wraps a store so that its errors are {@link StorageFault}s and its calls end in time. Writes have
 * no timeout here: only the store knows whether a slow connection still carries bytes.
 *
 * Errors of the content and of `onBegin` are passed on unchanged, so that the caller can tell them
 * from errors of the store. A read resolves when its first byte has arrived, so that a response
 * does not begin before the store has delivered anything.
 */
export function guardedFileStore(store: FileStore, timeout = storageTimeout): FileStore {
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
    read: (key, range) => inTime(timeout, (late) => readFirstByte(store, key, range, late, timeout)),
    list: (prefix) => inTime(timeout, () => store.list(prefix)),
    delete: (key) => inTime(timeout, () => store.delete(key)),
    discard: (unfinished) => inTime(timeout, () => store.discard(unfinished)),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

/** Passes content to the sink of a store. Fails with a {@link StorageFault} if the sink does. */
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
  // A failing store destroys the sink. Its own error tells the reason.
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
  timeout: number,
): Promise<Readable | undefined> {
  const content = await store.read(key, range, late);
  if (content === undefined) return undefined;
  const guarded = new GuardedContent(content, timeout);
  if (late.aborted) guarded.destroy();
  late.addEventListener('abort', () => guarded.destroy(late.reason as Error), { once: true });
  // Rejects with the error of the stream.
  await once(guarded, 'readable');
  return guarded;
}

/** Content of a store. Fails with a {@link StorageFault} if the next bytes take too long. */
class GuardedContent extends Readable {
  readonly #content: Readable;
  readonly #pieces: AsyncIterator<Buffer>;
  readonly #timeout: number;

  constructor(content: Readable, timeout: number) {
    super({ highWaterMark: content.readableHighWaterMark });
    this.#content = content;
    this.#pieces = content.iterator() as AsyncIterator<Buffer>;
    this.#timeout = timeout;
  }

  override _read(): void {
    // The time runs only while the reader wants bytes. A slow reader has no limit here.
    inTime(this.#timeout, () => this.#pieces.next()).then(
      ({ done, value }) => this.push(done === true ? null : value),
      (error: unknown) => this.destroy(asStorageFault(error)),
    );
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#content.destroy();
    done(error);
  }
}

/**
 * Runs a task of the store. When it fails or takes too long, rejects with a {@link StorageFault}
 * and aborts the signal.
 */
async function inTime<T>(timeout: number, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController();
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = new StorageFault(new Error(`no response within ${timeout / 1000} s`));
    reject(error);
    late.abort(error);
  }, timeout);
  try {
    return await Promise.race([task(late.signal), tooLate]);
  } catch (error) {
    throw asStorageFault(error);
  } finally {
    clearTimeout(timer);
  }
}
