import { RosterError } from './roster-error.ts';

/** How requests are retried; see {@link defaultRetries}. */
export interface Retries {
  /** Maximum number of retries. */
  readonly limit: number;
  /**
   * Milliseconds before the first retry. The delay doubles with each retry. A random part, up to
   * half of it, is then subtracted.
   */
  readonly baseDelay: number;
  /** Maximum delay in milliseconds. */
  readonly maxDelay: number;
  /**
   * Maximum `Retry-After` in milliseconds. If the service asks for more, the request fails at once.
   */
  readonly maxRetryAfter: number;
}

/** Four retries within about five seconds. Waits up to a minute if the service asks for it. */
export const defaultRetries: Retries = { limit: 4, baseDelay: 300, maxDelay: 10_000, maxRetryAfter: 60_000 };

/** Tells whether a transfer of a file that failed with this error can succeed later. */
export function isTemporary({ code }: RosterError): boolean {
  return code === 'network' || code === 'unavailable' || code === 'rate_limited';
}

/**
 * Returns the milliseconds before retry number `repeat` (from 1); undefined after the last retry.
 */
export function delayOf(
  error: RosterError,
  repeat: number,
  retries: Retries,
  random = Math.random,
): number | undefined {
  if (repeat > retries.limit) return undefined;
  // Random between half of the delay and all of it, so that many clients do not retry at the same
  // time.
  const backOff = Math.min(retries.maxDelay, retries.baseDelay * 2 ** (repeat - 1)) * (0.5 + random() / 2);
  if (error.retryAfter === undefined) return backOff;
  return error.retryAfter > retries.maxRetryAfter ? undefined : error.retryAfter + backOff;
}

/** Repeats the opening of a download after each temporary failure, with delays. */
export async function openWithRetries<Opened>(
  open: () => Promise<Opened>,
  retries: Retries,
  signal: AbortSignal | undefined,
): Promise<Opened> {
  for (let times = 1; ; times++) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof RosterError)) throw error;
      error.attempts = times;
      const delay = isTemporary(error) ? delayOf(error, times, retries) : undefined;
      if (delay === undefined) throw error;
      await wait(delay, signal);
    }
  }
}

/**
 * Reads the header `Retry-After` (RFC 9110 §10.2.3), in seconds or as a date. Returns milliseconds
 * from now; undefined if the header is missing or invalid.
 */
export function readRetryAfter(headers: Headers, now = Date.now()): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // All forms of an HTTP date begin with the name of a day. `Date.parse` would read `-1` as a year.
  const at = /^[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/** Waits some milliseconds. Rejects with the reason of the signal if it is aborted before that. */
export function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(reasonOf(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    if (signal?.aborted === true) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

/** Returns the reason of an aborted signal as an error. */
export function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error('aborted', { cause: reason });
}
