import type { FastifyInstance } from 'fastify';
import type { Config } from '#platform/config/config.ts';
import { requireSameSite } from '#platform/http/authentication/same-site.ts';

/**
 * Refuses changing requests that a page of another web site sends. Otherwise such a page could sign
 * a person in as somebody else, or out.
 *
 * Programs send no `Origin`, so they are allowed unless they send a cookie.
 */
export function checkOrigin(app: FastifyInstance, { publicUrl }: Pick<Config, 'publicUrl'>): void {
  app.addHook('onRequest', async (request) => {
    const { origin, cookie, 'sec-fetch-site': site } = request.headers;
    if (origin !== undefined || site !== undefined || cookie !== undefined) requireSameSite(request, publicUrl);
  });
}
