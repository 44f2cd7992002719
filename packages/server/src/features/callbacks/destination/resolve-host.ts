import { lookup, Resolver } from 'node:dns/promises';

/** Options of a {@link HostResolver}. */
interface ResolveOptions {
  /**
   * True: uses the resolver of the system, with its hosts file and search domains. False: only DNS.
   */
  readonly asSystem: boolean;
  /** Aborted when the result is no longer needed. */
  readonly signal: AbortSignal;
}

declare module '#platform/context.ts' {
  interface Context {
    /** Looks up the hosts that callbacks go to. */
    readonly resolveHost: HostResolver;
  }
}

/** Resolves a host name to all its addresses; rejects with the error of DNS when there are none. */
export type HostResolver = (hostname: string, options: ResolveOptions) => Promise<readonly string[]>;

/**
 * Creates the resolver of a process. `servers` are name servers as `address` or `address:port`;
 * default: those of the system.
 *
 * DNS queries do not use the thread pool of Node: name servers that do not respond would block its
 * four threads. Only names that an operator allows use the resolver of the system, because private
 * names are often only in its hosts file.
 */
export function createHostResolver(servers?: readonly string[]): HostResolver {
  return async (hostname, { asSystem, signal }) =>
    asSystem ? systemAddresses(hostname) : dnsAddresses(hostname, signal, servers);
}

async function systemAddresses(hostname: string): Promise<string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}

async function dnsAddresses(hostname: string, signal: AbortSignal, servers?: readonly string[]): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  signal.addEventListener('abort', () => resolver.cancel(), { once: true });
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const failure = answers.find((answer) => answer.status === 'rejected');
  if (addresses.length === 0 && failure !== undefined) throw failure.reason;
  return addresses;
}
