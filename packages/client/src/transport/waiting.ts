import type { CallOptions } from './connection.ts';
import { wait } from './retry.ts';

/** What a caller says about waiting for something. */
export interface WaitOptions<Thing> extends CallOptions {
  /** Milliseconds between two looks; default: 100 at first, then more and more up to 2000. */
  readonly interval?: number | undefined;
  /** Told what was seen at each look. */
  readonly onProgress?: ((thing: Thing) => void) | undefined;
}

/** Looks until something has ended, and returns it as it is then. There is no limit but the signal: `AbortSignal.timeout(…)` makes one. */
export async function waitUntil<Thing>(
  look: () => Promise<Thing>,
  hasEnded: (thing: Thing) => boolean,
  { interval, onProgress, signal }: WaitOptions<Thing>,
): Promise<Thing> {
  for (let pause = interval ?? 100; ; pause = interval ?? Math.min(2000, pause * 1.5)) {
    const thing = await look();
    onProgress?.(thing);
    if (hasEnded(thing)) return thing;
    await wait(pause, signal);
  }
}
