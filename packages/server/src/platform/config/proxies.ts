import { readRange } from './allow-list.ts';
import { commaList } from './values/comma-list.ts';

/**
 * Reads the addresses of trusted proxies: IP addresses and CIDR ranges, separated by commas. Throws
 * an Error with the valid forms.
 */
export function readProxies(text: string): readonly string[] {
  const entries = commaList(text);
  if (entries.length === 0 || !entries.every(isRange)) {
    throw new Error('must be IP addresses (10.0.0.5) or CIDR ranges (10.1.0.0/16) of proxies, separated by commas');
  }
  return entries.map((entry) => entry.replace(/^\[(.*)\]$/, '$1'));
}

function isRange(entry: string): boolean {
  try {
    return readRange(entry) !== undefined;
  } catch {
    return false;
  }
}
