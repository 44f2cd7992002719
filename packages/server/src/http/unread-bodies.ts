import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { bodyLimit } from './json.ts';

// Clients that write their whole body before they look at the answer get to see it; some megabytes too many are not worth a broken connection.
const mostBytes = 2 * bodyLimit;
const mostMilliseconds = 15_000;

/**
 * Reads to its end, and forgets, what is still on its way of a body when its request is refused before it has arrived.
 *
 * A connection that is closed with unread bytes is reset, and the client can lose the answer that it was sent before; one that is kept could
 * be fed without end. So it is kept and read from, until the limits of this file.
 */
export function forgetUnreadBodies(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    // A request that did not come over a connection, as tests inject them, does not say whether it is complete: there is nothing to read.
    // One that is destroyed has no more connection to read from.
    if ('complete' in request.raw && !request.raw.complete && !request.raw.destroyed && hasBody(request.raw)) {
      reply.removeHeader('connection');
      forget(request.raw);
    }
    done(null, payload);
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function forget(request: IncomingMessage): void {
  let bytes = 0;
  const end = (): void => void request.socket.destroy();
  const timer = setTimeout(end, mostMilliseconds);
  request.once('close', () => clearTimeout(timer));
  // Whoever has begun to read it may have stopped in the middle.
  request.unpipe();
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > mostBytes) end();
  });
  request.resume();
}
