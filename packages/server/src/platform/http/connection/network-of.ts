import ipaddr from 'ipaddr.js';

/** Returns an IPv4 address, or the /64 network of an IPv6 address: usually one customer. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toByteArray().slice(0, 8).join('.');
}
