import ipaddr from 'ipaddr.js';

/** An address, parsed. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6;

// Global unicast, the only part of IPv6 that is given out (RFC 4291 §2.4). What lies outside, mapped and compatible IPv4 addresses, NAT64
// and unique local addresses among it, is not reached by name in the public internet.
const globalUnicast = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];

// A public address by its number, and the metadata service of every machine in Azure.
const azureWireServer = ipaddr.parse('168.63.129.16').toString();

/** The address that a text is; undefined for names and for everything that is not written in full, such as `127.1`. */
export function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  // A zone (fe80::1%eth0) chooses an interface of this machine.
  return ipaddr.IPv6.isValid(text) && !text.includes('%') ? ipaddr.IPv6.parse(text) : undefined;
}

/**
 * True for an address that callbacks may go to.
 *
 * What is not known to be public is not: private, loopback, link-local, multicast, unspecified, broadcast, carrier-grade NAT, documentation and
 * benchmark ranges, unique and site-local addresses, and every form in which IPv6 carries an IPv4 address (mapped, compatible, translated,
 * NAT64, 6to4, Teredo, ISATAP), because a gateway can lead from there to the private address inside.
 */
export function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  if (address instanceof ipaddr.IPv6) return address.match(globalUnicast) && !isIsatap(address);
  return address.toString() !== azureWireServer;
}

/** Under a prefix of any network, `0:5efe` or `200:5efe` says that an IPv4 address follows, to which it is a tunnel (RFC 5214 §6.1). */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x0200);
}
