import type { Connection } from '../transport/connection.ts';
import { delayOf, isTemporary, openWithRetries, wait } from '../transport/retry.ts';
import { RosterError } from '../transport/roster-error.ts';

/** A file that is downloaded while you read it. */
export interface ExportFile {
  /** Size of the whole file in bytes. */
  readonly size: number | undefined;
  readonly stream: ReadableStream<Uint8Array>;
}

/** Opens the file at a signed URL. After a broken connection, the stream continues where it was. */
export async function openExportFile(connection: Connection, url: string, own?: AbortSignal): Promise<ExportFile> {
  const signal = connection.signalOf(own);
  const path = pathOf(url);
  const first = await openWithRetries(() => connection.fetchFile(path, {}, signal), connection.retries, signal);
  const length = first.headers.get('content-length');
  const size = length === null ? undefined : Number(length);
  const etag = first.headers.get('etag');
  const ending = new AbortController();
  const both = signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal]);
  let reader = readerOf(first);
  let position = 0;
  let failures = 0;

  /** Requests the rest of the file. `If-Range` makes sure that the file has not changed. */
  async function resume(cause: unknown): Promise<void> {
    const error = cause instanceof RosterError ? cause : broken(cause);
    failures += 1;
    const delay = isTemporary(error) ? delayOf(error, failures, connection.retries) : undefined;
    if (delay === undefined) throw error;
    await wait(delay, both);
    const headers = { range: `bytes=${position}-`, ...(etag === null ? {} : { 'if-range': etag }) };
    const response = await connection.fetchFile(path, headers, both).catch(resume);
    if (response === undefined) return;
    if (response.status !== 206) {
      await response.body?.cancel();
      throw new RosterError('invalid_answer', 'file: the file changed during the download', { operation: 'file' });
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
            both.throwIfAborted();
            await resume(error);
          }
        }
      },
      async cancel(why) {
        // Otherwise, the pull under way would take the early end for a broken connection.
        ending.abort(why);
        // A broken connection needs no end.
        await reader.cancel(why).catch(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
  return { size, stream };
}

/**
 * Returns the signed part of a URL. The host of the URL is not used: the client may reach the
 * service at another address than the public one.
 */
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
