import { ApiError } from '#platform/errors/api-error.ts';

/** Maximum numbers of open event streams. */
export const streamLimits = { perProcess: 1000, perAccount: 500, perCaller: 20 } as const;

/** In seconds. */
const retryAfter = 30;

/**
 * Counts the open event streams of a process, so that nobody can take all connections. An account
 * can have any number of API keys, so its streams are counted, too.
 */
export class StreamLimits {
  readonly #open = new Map<string, number>();

  /**
   * Takes a place for a caller in an account, and returns a function that gives it back. Throws
   * `too_many_event_streams`.
   */
  enter(caller: string, accountId: number): () => void {
    const { perProcess, perAccount, perCaller } = streamLimits;
    const places = [
      [caller, perCaller],
      [`account ${accountId}`, perAccount],
      ['process', perProcess],
    ] as const;
    const full = places.find(([key, limit]) => this.#count(key) >= limit);
    if (full !== undefined) {
      const headers = { 'retry-after': String(retryAfter) };
      throw new ApiError('too_many_event_streams', { params: { limit: full[1] }, headers });
    }
    for (const [key] of places) this.#open.set(key, this.#count(key) + 1);
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      for (const [key] of places) {
        const left = this.#count(key) - 1;
        if (left === 0) this.#open.delete(key);
        else this.#open.set(key, left);
      }
    };
  }

  #count(key: string): number {
    return this.#open.get(key) ?? 0;
  }
}
