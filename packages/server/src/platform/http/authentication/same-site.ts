import type { FastifyRequest } from 'fastify';
import { ApiError } from '#platform/errors/api-error.ts';

const harmless = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a request that could change something and was not sent by a page of the service. Only
 * requests with a cookie need this check, because a browser adds the cookie by itself.
 *
 * Every browser sends `Origin` or `Sec-Fetch-Site` with such a request. So a request without both
 * is refused. `publicUrl` is the address of the service behind a proxy. Throws
 * `cross_site_request`.
 */
export function requireSameSite({ method, headers }: FastifyRequest, publicUrl: string | undefined): void {
  if (harmless.has(method)) return;
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin') throw new ApiError('cross_site_request');
  if (origin === undefined) {
    if (site === undefined) throw new ApiError('cross_site_request');
    return;
  }
  const own = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  // A proxy with TLS changes the scheme, so only the host is compared. The host was checked before.
  const isOwn = origin === own || (URL.canParse(origin) && new URL(origin).host === host);
  if (!isOwn) throw new ApiError('cross_site_request');
}
