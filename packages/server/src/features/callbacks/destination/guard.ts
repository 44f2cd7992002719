import { isPublic, parseAddress } from '#platform/config/address.ts';
import { allowsAddress, allowsHost, bareHost, type AllowList } from '#platform/config/allow-list.ts';
import { unlessAborted } from '#platform/loops/unless-aborted.ts';
import { refusalOf, type CallbackUrlRules } from './callback-url.ts';
import { DeliveryError } from './delivery-error.ts';
import type { HostResolver } from './resolve-host.ts';

/** An address that a connection may be made to. */
export interface CheckedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

/**
 * Resolves the host of a URL and checks every address. Returns the addresses to connect to.
 *
 * If one address is not public, the host is refused. Otherwise an attacker could use a name with a
 * public and a private address, and the connection could go to the private one.
 *
 * Throws a {@link DeliveryError} (`url_refused`, `address_refused` or `host_not_found`), or the
 * reason of the signal.
 */
export async function resolveTarget(
  url: URL,
  rules: CallbackUrlRules & { readonly resolveHost: HostResolver; readonly signal: AbortSignal },
): Promise<readonly CheckedAddress[]> {
  const { allow, resolveHost, signal } = rules;
  // The operator may have removed the host from the list since the callback was accepted.
  const refusal = refusalOf(url, rules);
  if (refusal !== undefined) throw new DeliveryError(refusal === 'plain_http' ? 'url_refused' : 'address_refused');
  const host = bareHost(url.hostname);
  const opened = allowsHost(allow, url);
  const literal = parseAddress(host);
  const texts = literal === undefined ? await addressesOf(host, opened, resolveHost, signal) : [host];
  return texts.map((text) => checked(text, opened, allow));
}

async function addressesOf(
  host: string,
  asSystem: boolean,
  resolveHost: HostResolver,
  signal: AbortSignal,
): Promise<readonly string[]> {
  let addresses: readonly string[];
  try {
    addresses = await unlessAborted(resolveHost(host, { asSystem, signal }), signal);
  } catch (error) {
    signal.throwIfAborted();
    throw new DeliveryError('host_not_found', codeOf(error), error);
  }
  if (addresses.length === 0) throw new DeliveryError('host_not_found');
  return addresses;
}

function checked(text: string, opened: boolean, allow: AllowList): CheckedAddress {
  const address = parseAddress(text);
  // An address that cannot be parsed may be private.
  if (address === undefined) throw new DeliveryError('address_refused');
  if (!opened && !isPublic(address) && !allowsAddress(allow, address)) throw new DeliveryError('address_refused');
  return { address: address.toString(), family: address.kind() === 'ipv4' ? 4 : 6 };
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
