import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fresh from 'fresh';
import parseRange from 'range-parser';
import type { ByteRange } from '#platform/files/file-store.ts';

/** A file as it is served. It never changes under its tag. */
export interface ServedFile {
  /** Strong entity tag, in quotes. */
  readonly etag: string;
  readonly lastModified: Date;
  /** Bytes. */
  readonly size: number;
  readonly contentType: string;
  /** Under which browsers save it: letters, digits, `.`, `-` and `_`. */
  readonly name: string;
}

/** How a request for a file is answered: the status, the headers, and which part of the file is the body; undefined: none. */
export interface FileAnswer {
  readonly status: 200 | 206 | 304 | 416;
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes of the body; undefined: there is none. */
  readonly body: ByteRange | 'all' | undefined;
}

/**
 * Decides how to answer a GET or HEAD for a file (RFC 9110 §13, §14): conditions, then the range.
 *
 * One range is answered with 206. Several ranges, and what is no range of bytes, get the whole file, as the standard allows. A range beyond
 * the end is 416. A HEAD has no range: the standard defines ranges for GET alone (§14.2).
 */
export function answerFile(request: Pick<FastifyRequest, 'method' | 'headers'>, file: ServedFile): FileAnswer {
  const headers = {
    etag: file.etag,
    'last-modified': file.lastModified.toUTCString(),
    'accept-ranges': 'bytes',
    // Proxies must not keep what a signed address protects.
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  };
  if (fresh(request.headers, headers)) return { status: 304, headers, body: undefined };
  const range = request.method === 'GET' ? wantedRange(request.headers, file) : undefined;
  if (range === 'beyond the end') {
    return { status: 416, headers: { ...headers, 'content-range': `bytes */${file.size}` }, body: undefined };
  }
  const entity = {
    ...headers,
    'content-type': file.contentType,
    'content-disposition': `attachment; filename="${file.name}"`,
    'content-length': String(range === undefined ? file.size : range.end - range.start + 1),
  };
  const body = request.method === 'HEAD' ? undefined : (range ?? 'all');
  if (range === undefined) return { status: 200, headers: entity, body };
  const part = `bytes ${range.start}-${range.end}/${file.size}`;
  return { status: 206, headers: { ...entity, 'content-range': part }, body };
}

function wantedRange(
  { range, 'if-range': condition }: FastifyRequest['headers'],
  file: ServedFile,
): ByteRange | 'beyond the end' | undefined {
  if (range === undefined || (condition !== undefined && !isUnchanged(String(condition), file))) return undefined;
  const ranges = parseRange(file.size, range);
  if (ranges === -1) return 'beyond the end';
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return undefined;
  return ranges[0];
}

/** `If-Range`: the part is wanted only of the very file that the caller has the rest of. */
function isUnchanged(condition: string, { etag, lastModified }: ServedFile): boolean {
  return condition.includes('"') ? condition === etag : condition === lastModified.toUTCString();
}

/** Sends an answer; `open` gives the bytes of the body. */
export async function sendFile(
  reply: FastifyReply,
  { status, headers, body }: FileAnswer,
  open: (range: ByteRange | undefined) => Promise<Readable>,
): Promise<FastifyReply> {
  const content = body === undefined ? undefined : await open(body === 'all' ? undefined : body);
  return reply.code(status).headers(headers).send(content);
}
