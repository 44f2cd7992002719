import { createHash } from 'node:crypto';

/** SHA-256 of a body as the contract's reader made it; equal for bodies that mean the same, whatever the order of their keys. */
export function bodyHash(body: object): Buffer {
  return createHash('sha256').update(JSON.stringify(body, sortKeys)).digest();
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value);
  // Without a prototype: a key such as __proto__ is a key like any other.
  return Object.assign(Object.create(null), Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))) as object;
}
