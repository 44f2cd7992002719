import cors from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Headers that pages of other origins may read. */
const exposedHeaders = [
  'X-Request-Id',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'WWW-Authenticate',
  'Content-Disposition',
  'Content-Range',
  'ETag',
  'Preference-Applied',
];

/** Seconds for which a browser may cache the response to a preflight. */
const maxAge = 600;

/**
 * Lets web pages of the configured origins call the service from a browser (CORS). Without origins,
 * it does nothing. Pages of other origins must not use the cookie of a session, so CORS credentials
 * are not allowed.
 *
 * Call it before the routes.
 */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  const allowed = new Set(origins);
  const everyOrigin = allowed.has('*');
  await app.register(cors, {
    delegator(request: FastifyRequest, done) {
      const { origin, 'access-control-request-method': method } = request.headers;
      const isAllowed = origin !== undefined && (everyOrigin || allowed.has(origin));
      // OPTIONS requests that are not preflights get 405, like every method that a path lacks.
      const isOther = request.method === 'OPTIONS' && method === undefined;
      done(null, {
        origin: isAllowed && !isOther ? (everyOrigin ? '*' : origin) : false,
        methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
        exposedHeaders,
        maxAge,
      });
    },
  });
}
