/** A month in UTC as a number: 12 × year + (0 to 11). */
export type Month = number;

/** Returns the month of a time in milliseconds since 1970. */
export function monthOf(at: number): Month {
  const date = new Date(at);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** Returns the start of a month, RFC 3339. */
export function startOfMonth(month: Month): string {
  const [year, number] = [Math.floor(month / 12), (month % 12) + 1];
  return `${String(year).padStart(4, '0')}-${String(number).padStart(2, '0')}-01T00:00:00.000Z`;
}

/**
 * Returns the oldest month whose activities an account keeps, at a time in milliseconds since 1970.
 *
 * Older records are refused, queries do not return them, and the upkeep deletes them.
 */
export function oldestMonth(at: number, retentionMonths: number): Month {
  return monthOf(at) - retentionMonths;
}
