import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '#platform/errors/api-error.ts';

/** How a body is compressed; `identity`: not at all; `other`: in a way that the service does not read. */
export type ContentEncoding = 'identity' | 'gzip' | 'other';

/** How the body of a request is compressed, by its `Content-Encoding`. */
export function contentEncodingOf({ 'content-encoding': encoding = '' }: IncomingHttpHeaders): ContentEncoding {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return 'identity';
    case 'gzip':
    case 'x-gzip':
      return 'gzip';
    default:
      return 'other';
  }
}

/** Throws `unsupported_content_encoding` when the body of a request is compressed. */
export function refuseCompressed(headers: IncomingHttpHeaders): void {
  if (contentEncodingOf(headers) !== 'identity') throw new ApiError('unsupported_content_encoding');
}

/** True when the body of a request is compressed with gzip. Throws `unsupported_content_encoding` when it is compressed otherwise. */
export function isGzip(headers: IncomingHttpHeaders): boolean {
  const encoding = contentEncodingOf(headers);
  if (encoding === 'other') throw new ApiError('unsupported_content_encoding');
  return encoding === 'gzip';
}
