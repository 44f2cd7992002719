import { createHash } from 'node:crypto';

/**
 * Returns the SHA-256 of a body that the contract's reader made. Bodies that differ only in the
 * order of their keys have the same hash.
 */
export function bodyHash(body: object): Buffer {
  return createHash('sha256').update(JSON.stringify(body, sortKeys)).digest();
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  // An object without a prototype stores a key such as __proto__ like any other key.
  return Object.assign(Object.create(null), Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))) as object;
}
