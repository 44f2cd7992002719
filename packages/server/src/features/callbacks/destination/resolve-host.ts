import { lookup, Resolver } from 'node:dns/promises';

/** How a name is resolved. */
interface ResolveOptions {
  /** True: as this machine does for every program, its hosts file and search domains included. False: in the DNS alone. */
  readonly asSystem: boolean;
  /** Nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

declare module '#platform/context.ts' {
  interface Context {
    /** Looks up the hosts that callbacks go to. */
    readonly resolveHost: HostResolver;
  }
}

/** Resolves the name of a host to all its addresses; rejects with the error of the DNS when there are none. */
export type HostResolver = (hostname: string, options: ResolveOptions) => Promise<readonly string[]>;

/**
 * Makes the resolver of a process. `servers` are the name servers to ask, as `address` or `address:port`; the default is the system's.
 *
 * DNS queries do not use the thread pool: name servers that do not answer would block its four threads. Only names that an operator
 * has allowed are resolved as the system does, because private names are often known only there.
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
