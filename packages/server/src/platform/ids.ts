import { randomFillSync } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

/** Milliseconds by which the clock may be set back while ids go on growing: as much as a time service usually corrects at once. */
const toleratedStep = 10_000;

const sequenceBits = 32;

/**
 * Makes a source of UUIDs of version 7 that grow in the order in which they are made.
 *
 * After a clock was set back further than ten seconds, they follow it again; they would otherwise lie in the future until the clock has caught up.
 * Those of one millisecond grow by random steps: a caller cannot count the requests of others between two of his own.
 */
export function createIds(clock: () => number = Date.now): () => string {
  const random = new Uint8Array(16);
  const words = new DataView(random.buffer);
  let msecs = Number.NEGATIVE_INFINITY;
  let seq = 0;
  return () => {
    randomFillSync(random);
    const now = clock();
    if (now > msecs || now < msecs - toleratedStep) {
      msecs = now;
      // Half of the space is left for those that follow in the same millisecond.
      seq = words.getUint32(0) >>> 1;
    } else {
      seq += 1 + (words.getUint32(0) >>> 12);
      if (seq >= 2 ** sequenceBits) {
        msecs += 1;
        seq = words.getUint32(0) >>> 1;
      }
    }
    return uuidv7({ random, msecs, seq });
  };
}
