import type { CallOptions, Connection } from './connection.ts';
import { delayOf, wait } from './retry.ts';
import { RosterError } from './roster-error.ts';
import type { Import } from './shapes.ts';

/** The content of a file: at once, or in pieces as they come. In browsers a `File` is best, because few of them can send a stream. */
export type FileContent =
  | Blob
  | Uint8Array<ArrayBuffer>
  | string
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>;

/** A file to send; a function that opens it makes it possible to begin anew when the connection breaks, also where it is a stream. */
export type FileSource = FileContent | (() => FileContent);

/**
 * Sends the file of an import, streamed and without a time limit, and returns the import.
 *
 * An upload that breaks off leaves nothing: where the content can be had once more, it is sent again.
 */
export async function sendImportFile(
  connection: Connection,
  path: { readonly account_id: number; readonly import_id: string },
  source: FileSource,
  options: CallOptions,
): Promise<Import> {
  const { signal } = options;
  const hasMore = typeof source === 'function' || !isStream(source);
  for (let times = 1; ; times++) {
    const content = bodyOf(typeof source === 'function' ? source() : source);
    try {
      const raw = { type: 'application/octet-stream', content };
      const response = await connection.open('sendImportFile', { path, raw, signal });
      return (await response.json()) as Import;
    } catch (failure) {
      if (signal?.aborted === true || !(failure instanceof RosterError)) throw failure;
      failure.attempts = times;
      // The first upload was whole, and only its answer was lost.
      if (times > 1 && failure.code === 'conflict') return await connection.call('getImport', { path, signal });
      const isPassing = ['network', 'unavailable', 'rate_limited'].includes(failure.code);
      const delay = hasMore && isPassing ? delayOf(failure, times, connection.retries) : undefined;
      if (delay === undefined) throw failure;
      await wait(delay, signal);
    }
  }
}

const isStream = (content: FileContent): content is ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> =>
  typeof content === 'object' && (content instanceof ReadableStream || Symbol.asyncIterator in content);

function bodyOf(content: FileContent): NonNullable<RequestInit['body']> {
  if (!isStream(content) || content instanceof ReadableStream) return content;
  const pieces = content[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await pieces.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
