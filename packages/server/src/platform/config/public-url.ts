import type { Config } from './config.ts';

const everyAddress: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };

/**
 * Returns the address under which clients reach the service, for links: `ROSTER_PUBLIC_URL`, or the
 * address that the HTTP interface listens on. Set the variable when the service listens on every
 * address, or on a port that the system chooses.
 */
export function publicUrlOf({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  if (publicUrl !== undefined) return publicUrl;
  const name = everyAddress[host] ?? (host.includes(':') ? `[${host}]` : host);
  return `http://${name}:${port}`;
}
