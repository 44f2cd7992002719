import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '#platform/errors/api-error.ts';
import { v5Error } from '../errors/error-envelopes.ts';
import { commonHeaders } from './response-headers.ts';

// For what the client still sends: a connection that is closed with unread bytes is reset, and the client can lose the answer.
const lingering = 5_000;

/** Answers what is not HTTP, exceeds the limits of its parser or never ends, in the shape of every other error. */
export function malformedAnswerer(newId: () => string) {
  return (error: Error & { readonly code?: string }, socket: Socket): void => {
    // What follows on an ended connection is no better.
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
    // The client may keep its side open. A request that took too long must not arrive after all, and keeps no place any more.
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
