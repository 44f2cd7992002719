import { ApiError } from '#platform/errors/api-error.ts';

/** Maximum numbers of open event streams. */
export const streamLimits = { perProcess: 1000, perCaller: 20 } as const;

/** In seconds. */
const retryAfter = 30;

/** Counts the open event streams of a process, so that nobody can take all connections. */
export class StreamLimits {
  readonly #open = new Map<string, number>();
  #total = 0;

  /**
   * Takes a place for a caller, and returns a function that gives it back. Throws
   * `too_many_event_streams`.
   */
  enter(caller: string): () => void {
    const { perProcess, perCaller } = streamLimits;
    const own = this.#open.get(caller) ?? 0;
    if (own >= perCaller || this.#total >= perProcess) {
      const limit = own >= perCaller ? perCaller : perProcess;
      const headers = { 'retry-after': String(retryAfter) };
      throw new ApiError('too_many_event_streams', { params: { limit }, headers });
    }
    this.#open.set(caller, own + 1);
    this.#total++;
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      this.#total--;
      const left = this.#open.get(caller)! - 1;
      if (left === 0) this.#open.delete(caller);
      else this.#open.set(caller, left);
    };
  }
}
