import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/**
 * The headers of every response. An operation whose response is public replaces `cache-control`.
 *
 * `x-request-id` is the `request_id` of the log. An id that the client sends is not used: request ids are unique.
 */
export function commonHeaders(requestId: string): Record<string, string> {
  return {
    'x-request-id': requestId,
    'x-content-type-options': 'nosniff',
    // Nearly every response has personal data or secrets. No browser or proxy may keep them.
    'cache-control': 'no-store',
  };
}

/** Sets {@link commonHeaders} on the response of a request that reaches no hook. */
export function setCommonHeaders({ id }: FastifyRequest, reply: FastifyReply): void {
  reply.headers(commonHeaders(id));
}

/** Sets {@link commonHeaders} on every response. Call it before other hooks, so that their errors have the headers too. */
export function useCommonHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(request, reply);
    done();
  });
}
