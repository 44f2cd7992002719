import { randomFillSync } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

/**
 * The clock may be set back by up to this many milliseconds while ids go on growing. Time services
 * usually correct less than that at once.
 */
const toleratedStep = 10_000;

const sequenceBits = 32;

/**
 * Makes a source of UUIDs of version 7 that grow in the order in which they are made.
 *
 * When the clock is set back by more than ten seconds, the ids follow the clock. Otherwise their
 * times would be in the future until the clock has caught up.
 *
 * Ids of the same millisecond grow by random steps. So a caller cannot count the requests of other
 * callers between two of its own.
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
      // The upper half of the range is left for later ids of the same millisecond.
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

/** Returns the least id that {@link createIds} can make at a time. All earlier ids are less. */
export function firstIdAt(time: Date): string {
  const digits = Math.max(0, time.getTime()).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-7000-8000-000000000000`;
}

/** Returns the time at which {@link createIds} made an id, in milliseconds since 1970. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
