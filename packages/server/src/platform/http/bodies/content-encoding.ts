import type { IncomingHttpHeaders } from 'node:http';

/** How a body is packed; `other`: in a way that nothing here reads. */
export type Packing = 'none' | 'gzip' | 'other';

/** How the body of a request is packed, as its `Content-Encoding` says; without one, not at all. */
export function packingOf({ 'content-encoding': encoding = '' }: IncomingHttpHeaders): Packing {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return 'none';
    case 'gzip':
    case 'x-gzip':
      return 'gzip';
    default:
      return 'other';
  }
}
