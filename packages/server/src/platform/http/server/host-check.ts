import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import type { Config } from '#platform/config/config.ts';
import { hostNameOf } from '#platform/config/host-name.ts';
import { ApiError } from '#platform/errors/api-error.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Any IP address is allowed as the host. Load balancers and monitoring use IP addresses. */
    takesAnyAddress?: boolean;
  }
}

/** Whether the configuration allows the host of a request. */
interface HostVerdict {
  readonly isAllowed: boolean;
  /** The canonical form of an IP address; undefined for a name. */
  readonly address: string | undefined;
}

// Clients use few hosts, but a hostile one can send any number.
const maxVerdicts = 1000;

/**
 * Refuses requests for other hosts than this service, so that a foreign web page cannot reach it by
 * DNS rebinding.
 *
 * These hosts are allowed: the host of the public URL, the host that the service listens on,
 * loopback, the configured hosts, and the IP address at which the connection arrived, because
 * rebinding needs a name. A request without a host (HTTP/1.0) does not come from a browser.
 */
export function checkHosts(app: FastifyInstance, config: Pick<Config, 'publicUrl' | 'host' | 'allowedHosts'>): void {
  const allowed = new Set(
    [
      config.publicUrl === undefined ? undefined : new URL(config.publicUrl).hostname,
      config.host,
      ...config.allowedHosts,
    ]
      .map((host) => (host === undefined ? undefined : hostNameOf(host)))
      .filter((host) => host !== undefined),
  );
  const verdicts = new LRUCache<string, HostVerdict>({ max: maxVerdicts, memoMethod: judge });

  function judge(authority: string): HostVerdict {
    const name = hostNameOf(authority);
    if (name === undefined) return { isAllowed: false, address: undefined };
    const address = addressOf(name);
    return { isAllowed: config.allowedHosts.includes('*') || allowed.has(name) || isLoopback(name), address };
  }

  function isOurs(authority: string, request: FastifyRequest): boolean {
    const { isAllowed, address } = verdicts.memo(authority);
    if (isAllowed || address === undefined) return isAllowed;
    return (
      request.routeOptions.config.takesAnyAddress === true || address === addressOf(request.socket.localAddress ?? '')
    );
  }

  app.addHook('onRequest', (request, _reply, done) => {
    // A request in the form for proxies also has a host in its first line.
    const { host } = request.headers;
    const target = /^https?:\/\/([^/?#]*)/i.exec(request.url)?.[1];
    const foreign = [host, target].find((authority) => authority !== undefined && !isOurs(authority, request));
    done(foreign === undefined ? undefined : new ApiError('unknown_host', { params: { host: foreign.slice(0, 255) } }));
  });
}

function isLoopback(name: string): boolean {
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  const address = addressOf(name);
  return address !== undefined && ipaddr.parse(address).range() === 'loopback';
}

/** Returns the canonical form of an IP address, with or without brackets; undefined for a name. */
function addressOf(name: string): string | undefined {
  const text = name.replace(/^\[(.*)\]$/, '$1');
  // Node writes IPv4 addresses in IPv6 form when it listens on both.
  return ipaddr.isValid(text) ? ipaddr.process(text).toString() : undefined;
}
