import type { RequestCounts } from '#platform/database/schema/tables.ts';

/** The counts of a request without any counted item. */
export const noCounts = {
  created: 0,
  updated: 0,
  unchanged: 0,
  deleted: 0,
  failed: 0,
  warnings: 0,
} as const satisfies Omit<RequestCounts, 'total'>;

/** Returns the counts of a request with `total` items that failed as a whole. */
export function failedCounts(total: number): RequestCounts {
  return { total, ...noCounts, failed: total };
}
