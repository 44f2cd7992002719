import { randomInt } from 'node:crypto';

// Any number would do; changing it only changes which cases the ordinary run tries.
const ordinary = 1;

/**
 * The seed that everything made up by tests comes from: property tests, fuzz tests, the choices of the crash test. `ROSTER_TEST_SEED` is a
 * whole number from 0 to 2147483647, or `random`; without it the seed is always the same, so that a run fails for what was changed and not by
 * chance. Throws an Error when it is anything else.
 */
export function readTestSeed(
  env: Readonly<Record<string, string | undefined>> = process.env,
  fallback: number | 'random' = ordinary,
): number {
  const text = env['ROSTER_TEST_SEED']?.trim() || String(fallback);
  if (text === 'random') return randomInt(2 ** 31);
  if (/^\d{1,10}$/.test(text) && Number(text) < 2 ** 31) return Number(text);
  throw new Error(`ROSTER_TEST_SEED must be a whole number from 0 to ${2 ** 31 - 1}, or random; it is ${text}`);
}
