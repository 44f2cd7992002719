import type { Config } from './config.ts';

const everyAddress: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };

/**
 * The address under which clients reach the service, for links: `ROSTER_PUBLIC_URL`, or where the HTTP interface listens. A service that
 * listens on every address, or on a port that the system chose, has to be told.
 */
export function publicUrlOf({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  if (publicUrl !== undefined) return publicUrl;
  const name = everyAddress[host] ?? (host.includes(':') ? `[${host}]` : host);
  return `http://${name}:${port}`;
}
