import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from './api-error.ts';
import { v5Error } from './error-envelopes.ts';
import { commonHeaders } from './response-headers.ts';

/** Answers what is not HTTP, exceeds the limits of its parser or never ends, in the shape of every other error. */
export function malformedAnswerer(newId: () => string) {
  return (error: Error & { readonly code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
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
  };
}

function toApiError(code: string | undefined): ApiError {
  if (code === 'HPE_HEADER_OVERFLOW') return new ApiError('headers_too_large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError('request_timeout');
  return new ApiError('malformed_request', { params: { reason: 'it is not valid HTTP' } });
}
