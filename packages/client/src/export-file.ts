import type { Connection } from './transport/connection.ts';
import { delayOf, wait } from './transport/retry.ts';
import { RosterError } from './transport/roster-error.ts';

/** A file that is downloaded as it is read. */
export interface ExportFile {
  /** Bytes of the whole file. */
  readonly size: number | undefined;
  readonly stream: ReadableStream<Uint8Array>;
}

/** Opens the file behind a signed address; where the connection breaks, the stream goes on from there. */
export async function openExportFile(connection: Connection, url: string, signal?: AbortSignal): Promise<ExportFile> {
  const path = pathOf(url);
  const first = await connection.fetchFile(path, {}, signal);
  const length = first.headers.get('content-length');
  const size = length === null ? undefined : Number(length);
  const etag = first.headers.get('etag');
  let reader = readerOf(first);
  let position = 0;
  let failures = 0;

  /** Asks for the rest; the file never changes, and `If-Range` makes sure. */
  async function resume(cause: unknown): Promise<void> {
    const error = cause instanceof RosterError ? cause : broken(cause);
    failures += 1;
    const isPassing = error.code === 'network' || error.code === 'unavailable' || error.code === 'rate_limited';
    const delay = isPassing ? delayOf(error, failures, connection.retries) : undefined;
    if (delay === undefined) throw error;
    await wait(delay, signal);
    const headers = { range: `bytes=${position}-`, ...(etag === null ? {} : { 'if-range': etag }) };
    const response = await connection.fetchFile(path, headers, signal).catch(resume);
    if (response === undefined) return;
    if (response.status !== 206) {
      await response.body?.cancel();
      throw new RosterError('invalid_answer', 'file: it changed while it was downloaded', { operation: 'file' });
    }
    reader = readerOf(response);
  }

  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          try {
            const { done, value } = await reader.read();
            if (done && (size === undefined || position >= size)) return controller.close();
            if (done) throw broken(undefined);
            position += value.byteLength;
            failures = 0;
            return controller.enqueue(value);
          } catch (error) {
            signal?.throwIfAborted();
            await resume(error);
          }
        }
      },
      cancel: (why) => reader.cancel(why),
    },
    { highWaterMark: 0 },
  );
  return { size, stream };
}

/** The part that the signature covers: the file is asked for where the client reaches the service, whatever others call that place. */
function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname.slice(Math.max(0, pathname.indexOf('/files/')))}${search}`;
}

function readerOf(response: Response): ReadableStreamDefaultReader<Uint8Array> {
  const body: ReadableStream<Uint8Array> = response.body ?? new Blob([]).stream();
  return body.getReader();
}

const broken = (cause: unknown): RosterError =>
  new RosterError('network', 'file: the connection broke', { operation: 'file', cause });
