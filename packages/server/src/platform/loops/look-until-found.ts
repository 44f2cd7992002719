import { pause } from './pause.ts';

/** How often {@link lookUntilFound} looks, and for how long. */
export interface Looks {
  /** Milliseconds from the first look to the second. The pause doubles after each look. */
  readonly first: number;
  /** The longest pause in milliseconds; default `first`. */
  readonly most?: number;
  /** Milliseconds after which it gives up; default: never. */
  readonly timeout?: number;
  /** Ends the wait when it is aborted. */
  readonly signal?: AbortSignal;
}

/**
 * Looks for something again and again until it is there, and returns it.
 *
 * Returns undefined after the timeout. Throws what `look` throws, and the reason of the signal when that is aborted.
 */
export async function lookUntilFound<T>(
  look: () => Promise<T | undefined>,
  { first, most = first, timeout = Infinity, signal }: Looks,
): Promise<T | undefined> {
  const until = Date.now() + timeout;
  for (let wait = first; ; wait = Math.min(wait * 2, most)) {
    signal?.throwIfAborted();
    const found = await look();
    if (found !== undefined || Date.now() > until) return found;
    await pause(wait, { signal });
  }
}
