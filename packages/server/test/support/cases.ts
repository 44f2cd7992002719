/**
 * How many times as many cases property and fuzz tests try, and how many times as long they may
 * take: `ROSTER_TEST_CASES`, a number above 0 (default: 1). Throws an Error for any other value.
 */
export const caseFactor = readCaseFactor(process.env['ROSTER_TEST_CASES']);

/** Returns the number of cases that a property test tries: `usual`, times {@link caseFactor}. */
export const cases = (usual: number): number => Math.ceil(usual * caseFactor);

/** The limit of a property test in milliseconds: ten minutes for the usual number of cases. */
export const caseTimeout = 600_000 * Math.max(1, caseFactor);

export function readCaseFactor(text = ''): number {
  const factor = Number(text.trim() || '1');
  if (factor > 0 && factor < Infinity) return factor;
  throw new Error(`ROSTER_TEST_CASES must be a number above 0, such as 40; it is ${text}`);
}
