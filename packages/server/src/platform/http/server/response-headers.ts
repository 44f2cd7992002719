import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * The headers of every response. Operations with public responses replace `cache-control`.
 *
 * `x-request-id` is the `request_id` of the log. It never comes from the client, because request
 * ids must be unique.
 */
export function commonHeaders(requestId: string): Record<string, string> {
  return {
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    // Nearly all responses have personal data or secrets, so they must not be stored.
    'cache-control': 'no-store',
  };
}

/** Sets {@link commonHeaders} on the response to a request that reaches no hook. */
export function setCommonHeaders({ id }: FastifyRequest, reply: FastifyReply): void {
  reply.headers(commonHeaders(id));
}

/**
 * Sets {@link commonHeaders} on every response. Call it before other hooks, so that their errors
 * have the headers, too.
 */
export function useCommonHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(request, reply);
    done();
  });
}
