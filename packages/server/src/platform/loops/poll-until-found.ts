import { pause } from './pause.ts';

/** How often and for how long {@link pollUntilFound} polls. */
export interface PollOptions {
  /** Milliseconds between the first two calls. The pause doubles after each call. */
  readonly first: number;
  /** The longest pause in milliseconds; default `first`. */
  readonly max?: number;
  /** Milliseconds after which polling ends; default: never. */
  readonly timeout?: number;
  /** Ends polling when it is aborted. */
  readonly signal?: AbortSignal;
}

/**
 * Calls `look` again and again until it returns a value, and returns that value.
 *
 * Returns undefined after the timeout. Throws what `look` throws, and the reason of the signal when
 * that is aborted.
 */
export async function pollUntilFound<T>(
  look: () => Promise<T | undefined>,
  { first, max = first, timeout = Infinity, signal }: PollOptions,
): Promise<T | undefined> {
  const until = performance.now() + timeout;
  for (let wait = first; ; wait = Math.min(wait * 2, max)) {
    signal?.throwIfAborted();
    const found = await look();
    if (found !== undefined || performance.now() > until) return found;
    await pause(wait, { signal });
  }
}
