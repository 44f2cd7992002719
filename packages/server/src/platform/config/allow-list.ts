import { parseAddress, type Address } from './address.ts';
import { commaList } from './values/comma-list.ts';

/** A range of addresses: the first address, and the number of its leading bits that must match. */
type AddressRange = readonly [Address, number];

/** The destinations that an operator allows for callbacks (`ROSTER_CALLBACK_ALLOW`). */
export interface AllowList {
  /** Host names; with a port, only that port is allowed. */
  readonly hosts: readonly { readonly host: string; readonly port: number | undefined }[];
  readonly ranges: readonly AddressRange[];
}

/** The empty list. */
export const nothingAllowed: AllowList = { hosts: [], ranges: [] };

/**
 * Normalizes a host name for comparison: lower case, without a final dot, and without the brackets
 * of an IPv6 address.
 */
export function bareHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^\[(.*)\]$/, '$1');
}

/**
 * Reads `ROSTER_CALLBACK_ALLOW`: hosts, hosts with a port, addresses and CIDR ranges, separated by
 * commas. Throws an Error that says what is allowed.
 */
export function parseAllowList(text: string): AllowList {
  const hosts: AllowList['hosts'][number][] = [];
  const ranges: AddressRange[] = [];
  for (const entry of commaList(text)) {
    const range = readRange(entry);
    if (range === undefined) hosts.push(readHost(entry));
    else ranges.push(range);
  }
  return { hosts, ranges };
}

/** True when the list has the host of a URL, for the port of the URL. */
export function allowsHost(allow: AllowList, url: URL): boolean {
  const host = bareHost(url.hostname);
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  return allow.hosts.some((entry) => entry.host === host && (entry.port ?? port) === port);
}

/** True when an address is in a range of the list. */
export function allowsAddress(allow: AllowList, address: Address): boolean {
  return allow.ranges.some(([first, bits]) => first.kind() === address.kind() && address.match(first, bits));
}

/**
 * Reads an address or a CIDR range. Returns undefined for other text, and throws if the part before
 * or after a slash is wrong.
 */
export function readRange(entry: string): AddressRange | undefined {
  const [first = '', length, ...rest] = entry.replace(/^\[(.*)\]$/, '$1').split('/');
  const address = parseAddress(first);
  const maxBits = address?.kind() === 'ipv4' ? 32 : 128;
  if (address !== undefined && length === undefined) return [address, maxBits];
  if (length === undefined) return undefined;
  // The parser would read the incomplete 10.1/16 as 10.0.0.1/16.
  const bits = /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
  if (address === undefined || rest.length > 0 || !(bits <= maxBits)) throw unusable();
  return [address, bits];
}

function readHost(entry: string): AllowList['hosts'][number] {
  // The URL parser knows which hosts are valid and how to encode other scripts. With https, it
  // would drop the default port.
  const url = URL.canParse(`ftp://${entry}`) ? new URL(`ftp://${entry}`) : undefined;
  if (
    url === undefined ||
    url.host === '' ||
    `${url.pathname}${url.search}${url.hash}${url.username}${url.password}` !== '/'
  ) {
    throw unusable();
  }
  const port = /:(\d+)$/.exec(entry)?.[1];
  return { host: bareHost(url.hostname), port: port === undefined ? undefined : Number(port) };
}

function unusable(): Error {
  return new Error(
    'must be hosts (crm.internal), hosts with a port (crm.internal:8080) or CIDR ranges (10.1.0.0/16), separated by commas',
  );
}
