import { setTimeout as sleep } from 'node:timers/promises';

/** Asks again and again until the answer is not undefined or false; throws with `what` after `limitMs`. */
export async function until<T>(
  what: string,
  limitMs: number,
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  everyMs = 25,
): Promise<T> {
  for (const end = performance.now() + limitMs; ; await sleep(everyMs)) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > end) throw new Error(`not within ${limitMs} ms: ${what}`);
  }
}
