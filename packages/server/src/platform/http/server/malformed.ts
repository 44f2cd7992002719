import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '#platform/errors/api-error.ts';
import { v5Error } from '../errors/error-envelopes.ts';
import { commonHeaders } from './response-headers.ts';

// Milliseconds in which the client may send more. A connection that is closed with unread bytes is
// reset, and then the client can lose the response.
const lingering = 5_000;

/**
 * Makes the handler for requests that are not HTTP, exceed the limits of the parser, or never end.
 * Its responses have the same shape as all other errors.
 */
export function malformedAnswerer(newId: () => string) {
  return (error: Error & { readonly code?: string }, socket: Socket): void => {
    // Ignore further errors of a connection that has ended.
    if (error.code === 'ECONNRESET' || socket.destroyed || socket.writableEnded) return;
    const { status, message: description } = toApiError(error.code);
    const requestId = newId();
    const body = JSON.stringify(v5Error({ requestId, status, description, faults: [] }));
    socket.end(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        'content-type: application/json; charset=utf-8',
        `content-length: ${Buffer.byteLength(body)}`,
        'connection: close',
        ...Object.entries(commonHeaders(requestId)).map(([name, value]) => `${name}: ${value}`),
        '',
        body,
      ].join('\r\n'),
    );
    // The client may keep its side open. After a timeout, the rest of the request must not arrive,
    // and the connection must not stay open.
    if (status === 408) socket.destroySoon();
    else {
      const timer = setTimeout(() => socket.destroy(), lingering).unref();
      socket.once('close', () => clearTimeout(timer));
    }
  };
}

function toApiError(code: string | undefined): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') return new ApiError('headers_too_large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError('request_timeout');
  return new ApiError('malformed_request', { params: { reason: 'it is not valid HTTP' } });
}
