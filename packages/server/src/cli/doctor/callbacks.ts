import type { Config } from '../../config/config.ts';
import { resolveHost, type HostResolver } from '../../delivery/resolve-host.ts';
import { note, ok, warning, type Finding } from './finding.ts';

/** A name that every resolver of the DNS knows. */
const knownHost = 'example.com';
const patience = 6000;

/** Whether the DNS answers, and whether the hosts that were opened for callbacks have addresses. */
export async function checkCallbacks(
  { callbackAllow: { hosts, ranges } }: Pick<Config, 'callbackAllow'>,
  resolve: HostResolver = resolveHost,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  if (await resolves(knownHost, false, resolve))
    findings.push(ok('The DNS answers: callbacks to public hosts can be sent.'));
  else {
    findings.push(
      warning(
        `The DNS does not know ${knownHost}: callbacks to public hosts will fail with host_not_found.`,
        'Check the name servers of this machine (/etc/resolv.conf) and that port 53 is open. Without access to the internet this is as it must be.',
      ),
    );
  }
  if (hosts.length + ranges.length === 0) {
    findings.push(note('Callbacks go to public addresses alone; ROSTER_CALLBACK_ALLOW opens others.'));
  }
  for (const { host, port } of hosts) {
    const name = port === undefined ? host : `${host}:${port}`;
    findings.push(
      (await resolves(host, true, resolve))
        ? ok(`${name} is open for callbacks and has an address.`)
        : warning(
            `${name} is open for callbacks, and has no address.`,
            'Correct ROSTER_CALLBACK_ALLOW, or the hosts file or DNS of this machine.',
          ),
    );
  }
  for (const [first, bits] of ranges) findings.push(ok(`${first.toString()}/${bits} is open for callbacks.`));
  return findings;
}

async function resolves(host: string, asSystem: boolean, resolve: HostResolver): Promise<boolean> {
  const signal = AbortSignal.timeout(patience);
  return await resolve(host, { asSystem, signal }).then(
    (addresses) => addresses.length > 0,
    () => false,
  );
}
