// The most that a number holds exactly, in halves.
const bitsOfHalf = 26;

/**
 * What is kept of the `id` of a record: 52 bits, two times 26 of MurmurHash3 (x86, 32 bit) over its UTF-16.
 *
 * Ids are compared only within one contact, channel and moment, of one operator, so nobody gains by making two alike, and a cryptographic hash
 * would take ten times as long. The numbers are stored: another function would not recognise repeats of what it has not made.
 */
export function recordId(id: string): number {
  return (murmur3(id, 0) >>> (32 - bitsOfHalf)) * 2 ** bitsOfHalf + (murmur3(id, 1) >>> (32 - bitsOfHalf));
}

/** MurmurHash3_x86_32 of the UTF-16 (little endian) of a text. */
function murmur3(text: string, seed: number): number {
  let hash = seed;
  const even = text.length & ~1;
  for (let at = 0; at < even; at += 2) {
    hash ^= scrambled(text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16));
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
  }
  if (even < text.length) hash ^= scrambled(text.charCodeAt(even));
  hash ^= text.length * 2;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function scrambled(block: number): number {
  const mixed = Math.imul(block, 0xcc9e2d51);
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
}
