/** A month in UTC: twelve times the year, plus 0 to 11. */
export type Month = number;

/** The month of a moment, in milliseconds since 1970. */
export function monthOf(at: number): Month {
  const date = new Date(at);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** The first moment of a month, in RFC 3339. */
export function startOfMonth(month: Month): string {
  return `${digits(month)[0]}-${digits(month)[1]}-01T00:00:00.000Z`;
}

/** Name of the partition of a month. */
export function partitionOf(month: Month): string {
  return `activities_${digits(month).join('')}`;
}

/** The month of a partition; undefined for another name. */
export function monthOfPartition(name: string): Month | undefined {
  const match = /^activities_(\d{4})(\d\d)$/.exec(name);
  return match === null ? undefined : Number(match[1]) * 12 + Number(match[2]) - 1;
}

/**
 * The oldest month whose activities an account keeps at a moment: `retentionMonths` before the current one (`activity_retention_months`).
 *
 * Records before it are refused, no query shows them, and the upkeep deletes them.
 */
export function oldestMonth(at: number, retentionMonths: number): Month {
  return monthOf(at) - retentionMonths;
}

function digits(month: Month): [year: string, month: string] {
  return [String(Math.floor(month / 12)).padStart(4, '0'), String((month % 12) + 1).padStart(2, '0')];
}
