import type { FastifyInstance, FastifyRequest } from 'fastify';
import { hasBody } from '../bodies/unread-bodies.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body may take any time to arrive, as long as it does not stop. */
    arrivesSlowly?: boolean;
  }
}

/** Milliseconds in which a body must arrive, or the maximum pause in a slow upload. */
const arrivalTimeout = 120_000;

/**
 * Limits the time in which bodies must arrive to two minutes. That is enough for 16 MiB from a slow
 * client. Uploads of files may take longer, but must not pause for so long.
 *
 * The limit of Node itself applies to all requests of a server, so it would end large uploads.
 */
export function limitArrival(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request;
    // Requests that tests inject have no connection.
    if ('complete' in raw && !raw.complete && hasBody(request)) watch(app, request);
    done();
  });
}

function watch(app: FastifyInstance, { raw, routeOptions }: FastifyRequest): void {
  const giveUp = (): void => {
    // Emit the same error as Node does. The handler of malformed requests then responds.
    const error = Object.assign(new Error('the request took too long to arrive'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    app.server.emit('clientError', error, raw.socket);
  };
  if (routeOptions.config.arrivesSlowly === true) {
    raw.setTimeout(arrivalTimeout, giveUp);
    return;
  }
  const timer = setTimeout(giveUp, arrivalTimeout).unref();
  const stop = (): void => clearTimeout(timer);
  raw.once('end', stop);
  raw.once('close', stop);
}
