import type { FastifyRequest } from 'fastify';
import type { Config } from '#platform/config/config.ts';

/** The web site to which passkeys belong. */
export interface RelyingParty {
  /** The origin of the pages, such as `https://roster.example.com`. */
  readonly origin: string;
  /** The host name without a port. A passkey works only there. */
  readonly id: string;
}

/**
 * Returns the web site to which passkeys belong: the public URL, or the host of the request, which
 * was checked before. Browsers refuse IP addresses, so open `localhost` instead of `127.0.0.1`.
 */
export function relyingPartyOf({ publicUrl }: Pick<Config, 'publicUrl'>, { headers }: FastifyRequest): RelyingParty {
  const { origin, hostname } = new URL(publicUrl ?? `http://${headers.host ?? 'localhost'}`);
  return { origin, id: hostname };
}
