import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How many times longer than usual everything may take: `ROSTER_TEST_PATIENCE`, 1 by default. A machine whose processors are in use by
 * others needs more.
 */
export const slowness = Number(process.env['ROSTER_TEST_PATIENCE'] ?? 1);

/** Asks again and again until the answer is not undefined or false; throws with `what` after `limitMs` times {@link slowness}. */
export async function until<T>(
  what: string,
  limitMs: number,
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  everyMs = 25,
): Promise<T> {
  for (const end = performance.now() + limitMs * slowness; ; await sleep(everyMs)) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > end) throw new Error(`not within ${limitMs * slowness} ms: ${what}`);
  }
}
