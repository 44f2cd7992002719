/** A reproducible source of random choices. The same seed makes the same choices. */
export interface Random {
  /** An integer from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  /** True with a probability from 0 to 1. */
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Up to `count` different items. */
  sample<T>(items: readonly T[], count: number): T[];
  /** A separate source, for a part that runs at the same time as the others. */
  fork(): Random;
}

/**
 * Creates a source from a seed (mulberry32). Its 32 bits of state are enough for choosing what to
 * send.
 */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    integer,
    chance: (probability) => next() < probability,
    pick<T>(items: readonly T[]): T {
      if (items.length === 0) throw new Error('nothing to pick from');
      return items[integer(0, items.length - 1)] as T;
    },
    sample<T>(items: readonly T[], count: number): T[] {
      const pool = [...items];
      const size = Math.min(count, pool.length);
      for (let at = 0; at < size; at++) {
        const other = integer(at, pool.length - 1);
        [pool[at], pool[other]] = [pool[other]!, pool[at]!];
      }
      return pool.slice(0, size);
    },
    fork: () => createRandom(integer(0, 2 ** 32 - 1)),
  };
}
