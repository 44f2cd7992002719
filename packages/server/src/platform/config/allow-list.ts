import { parseAddress, type Address } from './address.ts';

/** A range of addresses: its first one, and the number of leading bits that count. */
type AddressRange = readonly [Address, number];

/** What an operator has opened for callbacks (`ROSTER_CALLBACK_ALLOW`). */
export interface AllowList {
  /** Names, with a port when only that one is opened. */
  readonly hosts: readonly { readonly host: string; readonly port: number | undefined }[];
  readonly ranges: readonly AddressRange[];
}

/** Nothing is opened. */
export const nothingAllowed: AllowList = { hosts: [], ranges: [] };

/** A name of a host as it is compared: in lower case, without the dot that may end it, and without the brackets of an IPv6 address. */
export function bareHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^\[(.*)\]$/, '$1');
}

/** Reads `ROSTER_CALLBACK_ALLOW`: hosts, hosts with a port, addresses and CIDR ranges, separated by commas. Throws an Error that names what is allowed. */
export function parseAllowList(text: string): AllowList {
  const hosts: AllowList['hosts'][number][] = [];
  const ranges: AddressRange[] = [];
  for (const entry of text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')) {
    const range = readRange(entry);
    if (range === undefined) hosts.push(readHost(entry));
    else ranges.push(range);
  }
  return { hosts, ranges };
}

/** True when the host of a URL was opened by its name, for the port of the URL. */
export function allowsHost(allow: AllowList, url: URL): boolean {
  const host = bareHost(url.hostname);
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  return allow.hosts.some((entry) => entry.host === host && (entry.port ?? port) === port);
}

/** True when an address lies in a range that was opened. */
export function allowsAddress(allow: AllowList, address: Address): boolean {
  return allow.ranges.some(([first, bits]) => first.kind() === address.kind() && address.match(first, bits));
}

function readRange(entry: string): AddressRange | undefined {
  const [first = '', length, ...rest] = entry.replace(/^\[(.*)\]$/, '$1').split('/');
  const address = parseAddress(first);
  const most = address?.kind() === 'ipv4' ? 32 : 128;
  if (address !== undefined && length === undefined) return [address, most];
  if (length === undefined) return undefined;
  // Half an address is refused too: the parser would take 10.1/16 for 10.0.0.1/16.
  const bits = /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
  if (address === undefined || rest.length > 0 || !(bits <= most)) throw unusable();
  return [address, bits];
}

function readHost(entry: string): AllowList['hosts'][number] {
  // The parser of URLs knows what a host is, and how names in other scripts are written. https has a default port, which it would hide.
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
