import type { RequestCounts } from '#platform/database/schema/tables.ts';

/** The counts of a request before its first item is counted. */
export const noCounts = {
  created: 0,
  updated: 0,
  unchanged: 0,
  deleted: 0,
  failed: 0,
  warnings: 0,
} as const satisfies Omit<RequestCounts, 'total'>;

/** The counts of a request that failed as a whole, with `total` items. */
export function failedCounts(total: number): RequestCounts {
  return { total, ...noCounts, failed: total };
}
