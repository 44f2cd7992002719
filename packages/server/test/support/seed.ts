import { randomInt } from 'node:crypto';

// Any number is possible. Another number makes the usual run try other cases.
const usualSeed = 1;

/**
 * Returns the seed of all random choices in tests: property tests, fuzz tests and the crash test.
 *
 * `ROSTER_TEST_SEED` is a whole number from 0 to 2147483647, or `random`. Throws an Error for any
 * other value. Without it the seed is always the same, so that a run fails because of a change and
 * not by chance.
 */
export function readTestSeed(
  env: Readonly<Record<string, string | undefined>> = process.env,
  fallback: number | 'random' = usualSeed,
): number {
  const text = env['ROSTER_TEST_SEED']?.trim() || String(fallback);
  if (text === 'random') return randomInt(2 ** 31);
  if (/^\d{1,10}$/.test(text) && Number(text) < 2 ** 31) return Number(text);
  throw new Error(`ROSTER_TEST_SEED must be a whole number from 0 to ${2 ** 31 - 1}, or random; it is ${text}`);
}
