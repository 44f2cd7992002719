/** Number of buckets. Every contact key belongs to one of them. */
const buckets = 1024;

/** Number of lanes that an account with several buckets has. */
export const lanesPerAccount = 16;

/** The number of all lanes of an account together. */
export const allLanes = 0;

/**
 * Returns the lane of a contact key, from 1 to {@link lanesPerAccount}: the range of its bucket.
 *
 * Stored requests depend on this function, so it must not change while requests wait.
 */
export function laneOfKey(key: string): number {
  return 1 + Math.floor((bucketOfKey(key) * lanesPerAccount) / buckets);
}

/** Returns the bucket of a contact key, from 0 to 1023: its FNV-1a hash (32 bits, UTF-16 units). */
function bucketOfKey(key: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  // The low bits of the hash of short texts differ too little, so the high bits are mixed in.
  hash ^= hash >>> 15;
  return (Math.imul(hash, 0x2c1b3c6d) >>> 16) % buckets;
}
