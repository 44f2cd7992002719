import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fresh from 'fresh';
import parseRange from 'range-parser';
import type { ByteRange } from '#platform/files/file-store.ts';

/** A file to serve. */
export interface ServedFile {
  /** Strong entity tag in quotes. A file with the same tag always has the same content. */
  readonly etag: string;
  readonly lastModified: Date;
  /** Size in bytes. */
  readonly size: number;
  readonly contentType: string;
  /** The name under which browsers save the file: letters, digits, `.`, `-` and `_`. */
  readonly name: string;
}

/** The response to a request for a file. */
export interface FileAnswer {
  readonly status: 200 | 206 | 304 | 416;
  readonly headers: Readonly<Record<string, string>>;
  /** The part of the file that is the body; undefined when the response has no body. */
  readonly body: ByteRange | 'all' | undefined;
}

/**
 * Decides the response to a GET or HEAD for a file (RFC 9110 §13, §14). Checks the conditions
 * first, then the range:
 * - one range: 206
 * - a range beyond the end: 416
 * - several ranges, or another unit than bytes: the whole file, as the standard allows
 * - HEAD: the range is ignored, because the standard defines ranges only for GET (§14.2)
 */
export function answerFile(request: Pick<FastifyRequest, 'method' | 'headers'>, file: ServedFile): FileAnswer {
  const headers = {
    etag: file.etag,
    'last-modified': file.lastModified.toUTCString(),
    'accept-ranges': 'bytes',
    // The signature protects the file, so proxies must not store it.
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

/** Checks `If-Range`: the client wants the range only of the same version of the file. */
function isUnchanged(condition: string, { etag, lastModified }: ServedFile): boolean {
  return condition.includes('"') ? condition === etag : condition === lastModified.toUTCString();
}

/** Sends a response. `open` reads the body. */
export async function sendFile(
  reply: FastifyReply,
  { status, headers, body }: FileAnswer,
  open: (range: ByteRange | undefined) => Promise<Readable>,
): Promise<FastifyReply> {
  const content = body === undefined ? undefined : await open(body === 'all' ? undefined : body);
  return reply.code(status).headers(headers).send(content);
}
