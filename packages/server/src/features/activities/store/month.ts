/** A month in UTC as a number: 12 × year + (0 to 11). */
export type Month = number;

/** Returns the month of a time in milliseconds since 1970. */
export function monthOf(at: number): Month {
  const date = new Date(at);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** Returns the start of a month, RFC 3339. */
export function startOfMonth(month: Month): string {
  return `${digits(month)[0]}-${digits(month)[1]}-01T00:00:00.000Z`;
}

/** Returns the name of the partition of a month. */
export function partitionName(month: Month): string {
  return `activities_${digits(month).join('')}`;
}

/** Returns the month of a partition, or undefined if the name is not one of a partition. */
export function monthOfPartition(name: string): Month | undefined {
  const match = /^activities_(\d{4})(\d\d)$/.exec(name);
  return match === null ? undefined : Number(match[1]) * 12 + Number(match[2]) - 1;
}

/**
 * Returns the oldest month whose activities an account keeps, at a time in milliseconds since 1970.
 *
 * Older records are refused, queries do not return them, and the upkeep deletes them.
 */
export function oldestMonth(at: number, retentionMonths: number): Month {
  return monthOf(at) - retentionMonths;
}

function digits(month: Month): [year: string, month: string] {
  return [String(Math.floor(month / 12)).padStart(4, '0'), String((month % 12) + 1).padStart(2, '0')];
}
