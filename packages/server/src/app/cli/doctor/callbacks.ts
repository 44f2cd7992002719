import type { Config } from '#platform/config/config.ts';
import { createHostResolver, type HostResolver } from '#features/callbacks/destination/resolve-host.ts';
import { note, ok, warning, type Finding } from './findings/finding.ts';

const lookupTimeout = 6000;

/**
 * Checks that the hosts in ROSTER_CALLBACK_ALLOW have addresses.
 *
 * Other host names are not looked up: a service without internet access is healthy.
 */
export async function checkCallbacks(
  { callbackAllow: { hosts, ranges } }: Pick<Config, 'callbackAllow'>,
  resolve: HostResolver = createHostResolver(),
): Promise<readonly Finding[]> {
  if (hosts.length + ranges.length === 0) {
    return [note('Callbacks go only to public addresses. ROSTER_CALLBACK_ALLOW can allow private ones.')];
  }
  const findings: Finding[] = [];
  for (const { host, port } of hosts) {
    const name = port === undefined ? host : `${host}:${port}`;
    findings.push(
      (await hasAddress(host, resolve))
        ? ok(`Callbacks to ${name} are allowed, and the host has an address.`)
        : warning(
            `Callbacks to ${name} are allowed, but the host has no address.`,
            'Fix ROSTER_CALLBACK_ALLOW, or the hosts file or DNS of this machine.',
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
