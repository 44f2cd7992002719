/** Milliseconds after which a delivery is given up, counted from its creation or its last replay. */
export const deliveryWindow = 24 * 3_600_000;

// The pause doubles from the first to the longest one: ten attempts in the first hour and a half, then about one an hour.
const pauses = { least: 1000, first: 10_000, longest: 2 * 3_600_000 } as const;

/** What the pause before the next attempt depends on. */
export interface FailedAttempt {
  /** Number of the attempt since the creation or the last replay, from 1. */
  readonly number: number;
  /** Milliseconds since then. */
  readonly elapsed: number;
  /** Milliseconds that the receiver asked to wait (`Retry-After`). */
  readonly retryAfter?: number | undefined;
}

/**
 * Milliseconds until the next attempt, or undefined when the delivery is given up.
 *
 * Exponential with full jitter: any time up to the bound is as likely, so that the callbacks of a receiver that was down do not all come
 * back at once. A receiver can ask for a longer pause, but not for one beyond the longest. The last attempt is at the end of the window.
 */
export function nextPause(
  { number, elapsed, retryAfter = 0 }: FailedAttempt,
  random: () => number = Math.random,
): number | undefined {
  if (elapsed >= deliveryWindow) return undefined;
  const bound = Math.min(pauses.longest, pauses.first * 2 ** (number - 1));
  const pause = Math.max(pauses.least, random() * bound, Math.min(retryAfter, pauses.longest));
  return Math.ceil(Math.min(pause, deliveryWindow - elapsed));
}

/** Reads `Retry-After` (RFC 9110 §10.2.3), seconds or a date, as milliseconds from now; undefined when it says nothing of use. */
export function readRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  // Date.parse also takes what is no date of HTTP, such as "-5".
  const at = /^[A-Z][a-z]{2}, /.test(header) ? Date.parse(header) : Number.NaN;
  return at > now.getTime() ? at - now.getTime() : undefined;
}
