import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body may take any time to arrive, as long as it keeps coming. */
    arrivesSlowly?: boolean;
  }
}

/** Milliseconds within which a body has to arrive, or between two parts of one that may take any time. */
const patience = 120_000;

/**
 * Gives bodies two minutes to arrive: one of 16 MiB from a slow client may take its time, but not for ever. Files may take longer, but must
 * not stop for so long.
 *
 * Node has one such limit for all requests of a server, which would end the uploads of large files.
 */
export function limitArrival(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { raw } = request;
    // A request that tests inject did not come over a connection.
    if ('complete' in raw && !raw.complete && hasBody(request)) watch(app, request);
    done();
  });
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function watch(app: FastifyInstance, { raw, routeOptions }: FastifyRequest): void {
  const giveUp = (): void => {
    // As Node itself does: what answers malformed requests says why the connection ends.
    const error = Object.assign(new Error('the request took too long to arrive'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    app.server.emit('clientError', error, raw.socket);
  };
  if (routeOptions.config.arrivesSlowly === true) {
    raw.setTimeout(patience, giveUp);
    return;
  }
  const timer = setTimeout(giveUp, patience).unref();
  const stop = (): void => clearTimeout(timer);
  raw.once('end', stop);
  raw.once('close', stop);
}
