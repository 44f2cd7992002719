import type { RosterError } from './roster-error.ts';

/** When a request is sent again; see {@link defaultRetries}. */
export interface Retries {
  /** How often it is sent again after the first time. */
  readonly limit: number;
  /** Milliseconds before the first repeat; they double with each further one, and each wait is a random part of it. */
  readonly baseDelay: number;
  /** Most milliseconds of such a wait. */
  readonly maxDelay: number;
  /** Most milliseconds that `Retry-After` may ask for; when it asks for more, the error is reported at once. */
  readonly maxRetryAfter: number;
}

/** Four repeats within some five seconds, and patience of a minute where the service asks for it. */
export const defaultRetries: Retries = { limit: 4, baseDelay: 300, maxDelay: 10_000, maxRetryAfter: 60_000 };

/** Milliseconds to wait before repeat number `repeat` (from 1); undefined: do not repeat. */
export function delayOf(
  error: RosterError,
  repeat: number,
  retries: Retries,
  random = Math.random,
): number | undefined {
  if (repeat > retries.limit) return undefined;
  // Between half of it and all of it: clients that were turned away together do not come back together.
  const backOff = Math.min(retries.maxDelay, retries.baseDelay * 2 ** (repeat - 1)) * (0.5 + random() / 2);
  if (error.retryAfter === undefined) return backOff;
  return error.retryAfter > retries.maxRetryAfter ? undefined : error.retryAfter + backOff;
}

/** Reads `Retry-After` (RFC 9110 §10.2.3), seconds or a date, as milliseconds from now; undefined when it says nothing of use. */
export function readRetryAfter(headers: Headers, now = Date.now()): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // `Date.parse` reads `-1` as a year; every form of an HTTP date begins with the name of a day.
  const at = /^[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/** Resolves after some milliseconds; rejects with the reason of the signal when that comes first. */
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

/** Why a signal was aborted, as an error. */
export function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error('aborted', { cause: reason });
}
