import { setTimeout as sleep } from 'node:timers/promises';

/** Multiplies every time limit: `ROSTER_TEST_PATIENCE`, 1 by default. Busy machines need more. */
export const slowness = Number(process.env['ROSTER_TEST_PATIENCE'] ?? 1);

/**
 * Calls `ask` until it returns neither undefined nor false. Throws an error with `what` after
 * `limitMs` times {@link slowness} milliseconds.
 */
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
