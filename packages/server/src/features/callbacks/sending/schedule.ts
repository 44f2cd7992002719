import { hour } from '#platform/time/intervals.ts';

/** Milliseconds from the creation or the last replay of a delivery until it is given up. */
export const deliveryWindow = 24 * hour;

// The maximum pause doubles with each attempt. This makes ten attempts in the first 90 minutes,
// then about one per hour.
const pauses = { least: 1000, first: 10_000, longest: 2 * hour } as const;

/** The facts about a failed attempt that decide the pause before the next one. */
export interface FailedAttempt {
  /** Number of the attempt since the creation or the last replay, from 1. */
  readonly number: number;
  /** Milliseconds since the creation or the last replay. */
  readonly elapsed: number;
  /** Milliseconds that the receiver asked to wait (`Retry-After`). */
  readonly retryAfter?: number | undefined;
}

/**
 * Returns the milliseconds until the next attempt, or undefined when the delivery is given up.
 *
 * The pause is random, up to a bound that grows exponentially ("full jitter"). Without it, a
 * receiver that was down would get all its callbacks at the same time. `Retry-After` can make the
 * pause longer, up to the longest pause. The last attempt is at the end of the window.
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

/**
 * Reads `Retry-After` (RFC 9110 §10.2.3), seconds or a date, as milliseconds from now. Returns
 * undefined for anything else, and for a date in the past.
 */
export function readRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  // Date.parse also accepts other texts, such as "-5".
  const at = /^[A-Z][a-z]{2}, /.test(header) ? Date.parse(header) : Number.NaN;
  return at > now.getTime() ? at - now.getTime() : undefined;
}
