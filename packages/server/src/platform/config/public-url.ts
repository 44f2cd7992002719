import type { Config } from './config.ts';

const everyAddress: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };

/**
 * Returns the URL of an address that the HTTP interface listens on. If it listens on every address,
 * the URL has the loopback address, because clients cannot open `0.0.0.0` or `::`.
 */
export function urlOfAddress(address: string, port: number): string {
  const name = everyAddress[address] ?? (address.includes(':') ? `[${address}]` : address);
  return `http://${name}:${port}`;
}

/**
 * Returns the address under which clients reach the service, for links: `ROSTER_PUBLIC_URL`, or the
 * address that the HTTP interface listens on. Set the variable when the service listens on every
 * address, or on a port that the system chooses.
 */
export function publicUrlOf({ publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>): string {
  return publicUrl ?? urlOfAddress(host, port);
}
