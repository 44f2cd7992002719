import type { AccountConnection, CallOptions } from '../transport/connection.ts';
import { delayOf, isTemporary, wait } from '../transport/retry.ts';
import { RosterError } from '../transport/roster-error.ts';
import type { Import } from '../wire/shapes.ts';

/** The content of a file: complete, or as a stream of chunks. */
export type FileContent =
  | Blob
  | Uint8Array<ArrayBuffer>
  | string
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>;

/** A file to send, or a function that opens it. */
export type FileSource = FileContent | (() => FileContent);

/** Options for sending a file. */
export interface SendFileOptions extends CallOptions {
  /**
   * True: continues after the bytes that the import already has, for example after a restart of
   * your program. The source must have the same bytes as before. If the import has the whole file,
   * nothing is sent. Default: false.
   */
  readonly resume?: boolean | undefined;
  /**
   * Size of the file in bytes, if you know it and the source is a stream. Then a file of another
   * size is refused when you continue, and a file that changes while it is sent causes an error.
   */
  readonly size?: number | undefined;
  /**
   * Called with the bytes that the import has, when sending begins and after each part of up to 8
   * MiB.
   */
  readonly onProgress?: ((receivedBytes: number) => void) | undefined;
}

// A part stays in memory until the service has stored it. So it can be sent again, even if the
// source is a stream. A broken connection loses at most one part.
const partBytes = 8 * 1024 * 1024;

/** The import that receives a file. */
interface Target {
  readonly connection: AccountConnection;
  readonly path: { readonly import_id: string };
  readonly signal: AbortSignal | undefined;
}

/** A part of a file. */
interface Part {
  readonly start: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Size of the file; always known for the last part. */
  readonly total: number | undefined;
  readonly isLast: boolean;
}

/**
 * Sends the file of an import and returns the import. There is no time limit. A file over 8 MiB is
 * sent in parts. After a broken connection, sending continues after the last part that arrived.
 */
export async function sendImportFile(
  connection: AccountConnection,
  path: Target['path'],
  source: FileSource,
  { signal, resume = false, size, onProgress }: SendFileOptions,
): Promise<Import> {
  const target = { connection, path, signal };
  const before = resume ? await connection.call('getImport', { path, signal }) : undefined;
  if (before !== undefined && hasFile(before)) return before;
  // If the import was cancelled, the service refuses the first part with a reason.
  const from = before?.status === 'awaiting_file' ? before.received_bytes : 0;
  const opened = typeof source === 'function' ? source() : source;
  const content = typeof opened === 'string' ? new TextEncoder().encode(opened) : opened;
  let done: Import | undefined;
  onProgress?.(from);
  for await (const part of partsOf(content, from, size ?? sizeOf(content))) {
    done = await sendPart(target, part);
    onProgress?.(part.start + part.bytes.length);
  }
  return done!;
}

function sizeOf(content: FileContent): number | undefined {
  if (content instanceof Blob) return content.size;
  return content instanceof Uint8Array ? content.byteLength : undefined;
}

/**
 * Sends a part, with retries. If a response was lost, the import tells whether the part has
 * arrived.
 */
async function sendPart({ connection, path, signal }: Target, part: Part): Promise<Import> {
  const { start, bytes, total, isLast } = part;
  const end = start + bytes.length;
  const headers = {
    'content-type': 'application/octet-stream',
    ...(start === 0 && isLast ? {} : { 'content-range': `bytes ${start}-${end - 1}/${total ?? '*'}` }),
    ...(await digestOf(bytes)),
  };
  for (let times = 1; ; times++) {
    try {
      return await connection.upload('sendImportFile', { content: bytes, headers }, { path, signal });
    } catch (failure) {
      if (signal?.aborted === true || !(failure instanceof RosterError)) throw failure;
      failure.attempts = times;
      if (times > 1 && failure.code === 'conflict') {
        const found = await connection.call('getImport', { path, signal });
        if (hasFile(found) || (found.status === 'awaiting_file' && !isLast && found.received_bytes === end))
          return found;
      }
      const delay = isTemporary(failure) ? delayOf(failure, times, connection.retries) : undefined;
      if (delay === undefined) throw failure;
      await wait(delay, signal);
    }
  }
}

/** Tells whether an import has its whole file. */
const hasFile = ({ status }: Import): boolean => status !== 'awaiting_file' && status !== 'cancelled';

/** Returns a header with the checksum of a part. Web pages without TLS cannot compute it. */
async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<Record<string, string>> {
  const { subtle } = globalThis.crypto as { readonly subtle?: typeof crypto.subtle };
  if (subtle === undefined) return {};
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes));
  return { 'content-digest': `sha-256=:${btoa(String.fromCharCode(...digest))}:` };
}

/**
 * Divides a file into parts, starting at the position `from`. Throws a `conflict` if the file ends
 * before that position, or does not have `size` bytes.
 */
async function* partsOf(
  content: Exclude<FileContent, string>,
  from: number,
  size: number | undefined,
): AsyncGenerator<Part> {
  let buffer = new Uint8Array(Math.min(partBytes, 64 * 1024));
  let length = 0;
  let start = from;
  let skipped = 0;
  for await (const chunk of chunksOf(content)) {
    let rest = chunk.subarray(Math.min(chunk.length, from - skipped));
    skipped += chunk.length - rest.length;
    while (rest.length > 0) {
      if (length === partBytes) {
        if (size !== undefined && start + length >= size) throw otherSize(size);
        yield { start, bytes: buffer, total: size, isLast: false };
        start += length;
        length = 0;
        buffer = new Uint8Array(partBytes);
      }
      const taken = rest.subarray(0, partBytes - length);
      if (length + taken.length > buffer.length) {
        const larger = new Uint8Array(Math.min(partBytes, Math.max(buffer.length * 2, length + taken.length)));
        larger.set(buffer.subarray(0, length));
        buffer = larger;
      }
      buffer.set(taken, length);
      length += taken.length;
      rest = rest.subarray(taken.length);
    }
  }
  if (skipped < from || (length === 0 && from > 0)) {
    throw conflict(`The import has ${from} bytes of its file, and this file has ${skipped}. Send the same file.`);
  }
  const total = start + length;
  if (size !== undefined && total !== size) throw otherSize(size);
  yield { start, bytes: buffer.subarray(0, length), total, isLast: true };
}

const otherSize = (size: number): RosterError =>
  conflict(`The file no longer has ${size} bytes. Send it when no program writes to it.`);

const conflict = (text: string): RosterError =>
  new RosterError('conflict', `sendImportFile: ${text}`, { operation: 'sendImportFile' });

async function* chunksOf(content: Exclude<FileContent, string>): AsyncGenerator<Uint8Array> {
  if (content instanceof Uint8Array) yield content;
  else yield* readable(content instanceof Blob ? content.stream() : content);
}

/** Yields the chunks of a stream. Some browsers cannot iterate over a `ReadableStream`. */
async function* readable(content: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (!(content instanceof ReadableStream)) {
    yield* content;
    return;
  }
  const reader = content.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}
