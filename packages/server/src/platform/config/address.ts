import ipaddr from 'ipaddr.js';

/** A parsed IP address. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6;

// Global unicast is the only part of IPv6 that is assigned (RFC 4291 §2.4). All other ranges, such
// as mapped and compatible IPv4 addresses, NAT64 and unique local addresses, are not public.
const globalUnicast = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];

// Looks like a public address, but is the metadata service of every machine in Azure.
const azureWireServer = ipaddr.parse('168.63.129.16').toString();

/** Parses an IP address; undefined for names and for short forms such as `127.1`. */
export function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  // An address with a zone (fe80::1%eth0) selects an interface of this machine.
  return ipaddr.IPv6.isValid(text) && !text.includes('%') ? ipaddr.IPv6.parse(text) : undefined;
}

/**
 * True for a public address, which callbacks may use.
 *
 * All special ranges are not public: private, loopback, link-local, multicast, unspecified,
 * broadcast, carrier-grade NAT, documentation, benchmark, and unique and site-local addresses. The
 * IPv6 forms that contain an IPv4 address (mapped, compatible, translated, NAT64, 6to4, Teredo,
 * ISATAP) are not public either, because a gateway could lead to the private address inside.
 */
export function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  if (address instanceof ipaddr.IPv6) return address.match(globalUnicast) && !isIsatap(address);
  return address.toString() !== azureWireServer;
}

/** True for ISATAP: `0:5efe` or `200:5efe`, then the IPv4 address of a tunnel (RFC 5214 §6.1). */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x0200);
}
