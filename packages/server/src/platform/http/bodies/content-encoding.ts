import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '#platform/errors/api-error.ts';

/** How a body is compressed; `other` is not supported. */
export type ContentEncoding = 'identity' | 'gzip' | 'other';

/** Reads the `Content-Encoding` of a request. */
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

/** Throws `unsupported_content_encoding` if the body is compressed. */
export function refuseCompressed(headers: IncomingHttpHeaders): void {
  if (contentEncodingOf(headers) !== 'identity') throw new ApiError('unsupported_content_encoding');
}

/** True for gzip, false for none. Throws `unsupported_content_encoding` for other encodings. */
export function isGzip(headers: IncomingHttpHeaders): boolean {
  const encoding = contentEncodingOf(headers);
  if (encoding === 'other') throw new ApiError('unsupported_content_encoding');
  return encoding === 'gzip';
}
