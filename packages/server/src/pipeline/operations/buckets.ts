/** Number of lanes of an account with several buckets: one for each bucket. */
export const lanesPerAccount = 16;

/** The number of all lanes of an account together. */
export const allLanes = 0;

/**
 * Returns the lane of a contact key, from 1 to {@link lanesPerAccount}: the lane of its bucket. The
 * bucket is a part of the FNV-1a hash of the key (32 bits, UTF-16 units).
 *
 * Stored requests depend on this function, so it must not change while requests wait.
 */
export function laneOfKey(key: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  // The low bits of the hash of short texts differ too little, so the high bits are mixed in.
  hash ^= hash >>> 15;
  return 1 + ((Math.imul(hash, 0x2c1b3c6d) >>> 22) % lanesPerAccount);
}
