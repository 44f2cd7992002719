import { once } from 'node:events';
import { type Readable, Writable } from 'node:stream';
import type { FileStore } from './file-store.ts';
import { asStorageFault, StorageFault } from './storage-fault.ts';

/** Milliseconds until the first byte of a file must have arrived, and for deleting one. */
export const storagePatience = 30_000;

/**
 * A store whose faults are {@link StorageFault}s and whose reads and deletions end in time, whatever the store does.
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
        throw asStorageFault(error);
      }
    },
    read: (key, range) => inTime(patience, (signal) => readFirstByte(store, key, range, signal)),
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
  range: Parameters<FileStore['read']>[1],
  signal: AbortSignal,
): Promise<Readable | undefined> {
  const content = await store.read(key, range, signal);
  if (content === undefined) return undefined;
  const destroy = content.destroy.bind(content);
  content.destroy = (error) => destroy(error && asStorageFault(error));
  if (signal.aborted) content.destroy();
  signal.addEventListener('abort', () => content.destroy(signal.reason as Error), { once: true });
  // Rejects with the error of the stream.
  if (content.readableLength === 0 && !content.readableEnded) await once(content, 'readable');
  return content;
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
