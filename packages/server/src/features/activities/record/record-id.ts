import { hash } from 'node:crypto';

// 52 bits: a number holds up to 53 bits exactly.
const hexDigits = 13;

/**
 * The number that is stored in place of the `id` of a record: the first 52 bits of its SHA-256.
 *
 * Two ids are compared only when contact, channel and time are the same, so 52 bits are enough. The
 * numbers are in the database: with another function, records that are sent again would be stored
 * twice.
 */
export function recordId(id: string): number {
  return parseInt(hash('sha256', id).slice(0, hexDigits), 16);
}
