import type { StoredAction } from '#platform/database/schema/tables/bulk-changes.ts';

// Actions that can be undone may differ by this share. In a busy account, the number changes while
// a person reads it.
const tolerance = 0.01;

/** Returns whether a number of contacts is the one that a person has confirmed. */
export function isExpected({ type }: Pick<StoredAction, 'type'>, expected: number, count: number): boolean {
  const allowed = type === 'delete' || type === 'erase' ? 0 : Math.floor(expected * tolerance);
  return Math.abs(count - expected) <= allowed;
}
