import type { CallOptions } from './connection.ts';
import { wait } from './retry.ts';

/** Options of the `wait` methods. */
export interface WaitOptions<Thing> extends CallOptions {
  /** Milliseconds between two requests; default: 100 at first, growing to 2000. */
  readonly interval?: number | undefined;
  /** Called with the result of each request. */
  readonly onProgress?: ((thing: Thing) => void) | undefined;
}

/**
 * Polls until something has ended, and returns its last state. There is no timeout; you can set one
 * with `signal: AbortSignal.timeout(…)`.
 */
export async function waitUntil<Thing>(
  poll: () => Promise<Thing>,
  hasEnded: (thing: Thing) => boolean,
  { interval, onProgress, signal }: WaitOptions<Thing>,
): Promise<Thing> {
  // Pauses grow by a tenth of the time that has passed. So the end is noticed at most that much later.
  for (let pause = interval ?? 100; ; pause = interval ?? Math.min(2000, pause * 1.1)) {
    const thing = await poll();
    onProgress?.(thing);
    if (hasEnded(thing)) return thing;
    await wait(pause, signal);
  }
}
