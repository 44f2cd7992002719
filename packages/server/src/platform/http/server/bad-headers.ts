import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '#platform/errors/api-error.ts';
import { v5Error } from '../errors/error-envelopes.ts';
import { commonHeaders } from './response-headers.ts';

/** Answers, in the shape of every other error, what Node answers with an empty body: no Host header, and an expectation that it does not know. */
export function answerBadHeaders(app: FastifyInstance, newId: () => string): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const lacksHost = request.headers.host === undefined && request.raw.httpVersion === '1.1';
    done(lacksHost ? new ApiError('malformed_request', { params: { reason: 'it has no Host header' } }) : undefined);
  });
  // Node sees to `Expect: 100-continue`; everything else comes here, past the routes.
  app.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const { status, message: description } = new ApiError('expectation_failed');
    const requestId = newId();
    const body = JSON.stringify(v5Error({ requestId, status, description, faults: [] }));
    response.writeHead(status, {
      ...commonHeaders(requestId),
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      // A body that the client holds back until it has our consent never comes.
      connection: 'close',
    });
    response.end(body);
  });
}
