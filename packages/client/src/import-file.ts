import type { CallOptions, Connection } from './transport/connection.ts';
import { delayOf, wait } from './transport/retry.ts';
import { RosterError } from './transport/roster-error.ts';
import type { Import } from './wire/shapes.ts';

/** The content of a file: at once, or in pieces as they come. */
export type FileContent =
  | Blob
  | Uint8Array<ArrayBuffer>
  | string
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>;

/** A file to send, or a function that opens it. */
export type FileSource = FileContent | (() => FileContent);

/** How a file is sent. */
export interface SendFileOptions extends CallOptions {
  /**
   * True: goes on behind what the import has of the file already, such as after a restart of the program; an import that has all of it is
   * returned as it is. The source must have the same bytes as before. Default: false.
   */
  readonly resume?: boolean | undefined;
  /**
   * Bytes of the file, where you know them and the source is a stream. Every part states them, so that the service refuses to go on with
   * a file of another size, and a file that changes while it is sent is an error.
   */
  readonly size?: number | undefined;
}

// A part is in memory until it is stored, so that it can be sent again whatever its source is; a break loses at most one.
const partBytes = 8 * 1024 * 1024;

/** Where a file goes. */
interface Target {
  readonly connection: Connection;
  readonly path: { readonly account_id: number; readonly import_id: string };
  readonly signal: AbortSignal | undefined;
}

/** A part of a file. */
interface Part {
  readonly start: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Bytes of the file; of the last part they are known. */
  readonly total: number | undefined;
  readonly isLast: boolean;
}

/**
 * Sends the file of an import without a time limit, and returns the import. A larger file is sent in parts; when the connection breaks, it
 * goes on behind the last part that arrived, whatever the source is.
 */
export async function sendImportFile(
  connection: Connection,
  path: Target['path'],
  source: FileSource,
  { signal, resume = false, size }: SendFileOptions,
): Promise<Import> {
  const target = { connection, path, signal };
  const before = resume ? await connection.call('getImport', { path, signal }) : undefined;
  if (before !== undefined && hasFile(before)) return before;
  // A cancelled import refuses the first part, and says why.
  const from = before?.status === 'awaiting_file' ? before.received_bytes : 0;
  const opened = typeof source === 'function' ? source() : source;
  const content = typeof opened === 'string' ? new TextEncoder().encode(opened) : opened;
  let done: Import | undefined;
  for await (const part of partsOf(content, from, size ?? sizeOf(content))) done = await sendPart(target, part);
  return done!;
}

function sizeOf(content: FileContent): number | undefined {
  if (content instanceof Blob) return content.size;
  return content instanceof Uint8Array ? content.byteLength : undefined;
}

/** Sends a part as often as it takes. A part whose answer was lost has arrived when the import has its bytes. */
async function sendPart({ connection, path, signal }: Target, part: Part): Promise<Import> {
  const { start, bytes, total, isLast } = part;
  const end = start + bytes.length;
  const headers = start === 0 && isLast ? {} : { 'content-range': `bytes ${start}-${end - 1}/${total ?? '*'}` };
  const raw = { type: 'application/octet-stream', content: bytes, headers: { ...headers, ...(await digestOf(bytes)) } };
  for (let times = 1; ; times++) {
    try {
      const response = await connection.open('sendImportFile', { path, raw, signal });
      return (await response.json()) as Import;
    } catch (failure) {
      if (signal?.aborted === true || !(failure instanceof RosterError)) throw failure;
      failure.attempts = times;
      if (times > 1 && failure.code === 'conflict') {
        const found = await connection.call('getImport', { path, signal });
        if (hasFile(found) || (found.status === 'awaiting_file' && !isLast && found.received_bytes === end))
          return found;
      }
      const isPassing = ['network', 'unavailable', 'rate_limited'].includes(failure.code);
      const delay = isPassing ? delayOf(failure, times, connection.retries) : undefined;
      if (delay === undefined) throw failure;
      await wait(delay, signal);
    }
  }
}

/** True for an import that has its file: the last part had arrived, perhaps only its answer was lost. */
const hasFile = ({ status }: Import): boolean => status !== 'awaiting_file' && status !== 'cancelled';

/** The checksum of a part, where the platform has one: pages without TLS do not. */
async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<Record<string, string>> {
  const { subtle } = globalThis.crypto as { readonly subtle?: typeof crypto.subtle };
  if (subtle === undefined) return {};
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes));
  return { 'content-digest': `sha-256=:${btoa(String.fromCharCode(...digest))}:` };
}

/**
 * Divides a content into parts, from a position on. The last one always ends the file. Throws a `conflict` when the content is shorter than the
 * position, or has not `size` bytes.
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
  for await (const piece of piecesOf(content)) {
    let rest = piece.subarray(Math.min(piece.length, from - skipped));
    skipped += piece.length - rest.length;
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
  conflict(`The file does not have ${size} bytes any more. Send it when no program writes to it.`);

const conflict = (text: string): RosterError =>
  new RosterError('conflict', `sendImportFile: ${text}`, { operation: 'sendImportFile' });

async function* piecesOf(content: Exclude<FileContent, string>): AsyncGenerator<Uint8Array> {
  if (content instanceof Uint8Array) yield content;
  else yield* readable(content instanceof Blob ? content.stream() : content);
}

/** The pieces of a stream; not every browser can iterate over one. */
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
