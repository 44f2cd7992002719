import type { Config } from '#platform/config/config.ts';
import { createHostResolver, type HostResolver } from '#features/callbacks/destination/resolve-host.ts';
import { note, ok, warning, type Finding } from './finding.ts';

const lookupTimeout = 6000;

/**
 * Checks that the hosts which ROSTER_CALLBACK_ALLOW names have addresses.
 *
 * It looks up no other name: a service without access to the internet is healthy, and callbacks that fail show in the deliveries.
 */
export async function checkCallbacks(
  { callbackAllow: { hosts, ranges } }: Pick<Config, 'callbackAllow'>,
  resolve: HostResolver = createHostResolver(),
): Promise<readonly Finding[]> {
  if (hosts.length + ranges.length === 0) {
    return [note('Callbacks go to public addresses only. ROSTER_CALLBACK_ALLOW allows others.')];
  }
  const findings: Finding[] = [];
  for (const { host, port } of hosts) {
    const name = port === undefined ? host : `${host}:${port}`;
    findings.push(
      (await hasAddress(host, resolve))
        ? ok(`Callbacks to ${name} are allowed, and it has an address.`)
        : warning(
            `Callbacks to ${name} are allowed, but it has no address.`,
            'Correct ROSTER_CALLBACK_ALLOW, or the hosts file or DNS of this machine.',
          ),
    );
  }
  for (const [first, bits] of ranges) findings.push(ok(`Callbacks to ${first.toString()}/${bits} are allowed.`));
  return findings;
}

async function hasAddress(host: string, resolve: HostResolver): Promise<boolean> {
  const signal = AbortSignal.timeout(lookupTimeout);
  return await resolve(host, { asSystem: true, signal }).then(
    (addresses) => addresses.length > 0,
    () => false,
  );
}
