import { lookup, Resolver } from 'node:dns/promises';

/** How a name is resolved. */
export interface ResolveOptions {
  /** True: as this machine does for every program, its hosts file and search domains included. False: in the DNS alone. */
  readonly asSystem: boolean;
  /** Nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** Resolves the name of a host to all its addresses; rejects with the error of the DNS when there are none. */
export type HostResolver = (hostname: string, options: ResolveOptions) => Promise<readonly string[]>;

/**
 * The resolver of a process.
 *
 * The DNS is asked without the thread pool: names whose servers do not answer would keep its four threads from everything else. Only names
 * that an operator has opened are resolved as the system does, because private names are often known to nobody else.
 */
export const resolveHost: HostResolver = async (hostname, { asSystem, signal }) =>
  asSystem ? systemAddresses(hostname) : dnsAddresses(hostname, signal);

async function systemAddresses(hostname: string): Promise<string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}

async function dnsAddresses(hostname: string, signal: AbortSignal): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  signal.addEventListener('abort', () => resolver.cancel(), { once: true });
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const failure = answers.find((answer) => answer.status === 'rejected');
  if (addresses.length === 0 && failure !== undefined) throw failure.reason;
  return addresses;
}
