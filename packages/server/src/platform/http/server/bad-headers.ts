import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '#platform/errors/api-error.ts';
import { v5Error } from '../errors/error-envelopes.ts';
import { commonHeaders } from './response-headers.ts';

/**
 * Gives two errors their usual body, for which Node would send an empty one: a missing Host header,
 * and an unknown expectation.
 */
export function answerBadHeaders(app: FastifyInstance, newId: () => string): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const lacksHost = request.headers.host === undefined && request.raw.httpVersion === '1.1';
    done(lacksHost ? new ApiError('malformed_request', { params: { reason: 'it has no Host header' } }) : undefined);
  });
  // Node handles `Expect: 100-continue`. All other expectations come here and reach no route.
  app.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const { status, message: description } = new ApiError('expectation_failed');
    const requestId = newId();
    const body = JSON.stringify(v5Error({ requestId, status, description, faults: [] }));
    response.writeHead(status, {
      ...commonHeaders(requestId),
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      // The client may wait for our consent before it sends the body. Then the body never comes.
      connection: 'close',
    });
    response.end(body);
  });
}
