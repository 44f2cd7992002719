import type { SummaryStateRow } from '#features/accounts/store/summary-state-store.ts';
import { isSentField } from '#features/registry/derived/derived-fields.ts';
import { minutesKeptDays } from '#features/registry/derived/summary-columns.ts';
import type { StoredValue } from '#features/registry/registry.ts';
import { millisecondsPerDay } from '#platform/time/intervals.ts';
import { startOfMonth } from '#platform/time/month.ts';
import { conditionsOf, type Condition, type ResolvedFilter } from '../filter/checked-filter.ts';
import type { OperationName } from '../filter/operations.ts';
import type { Clock } from '../filter/time/relative-dates.ts';
import { earliestOf } from '../filter/time/time-conditions.ts';

/** What of the state of the summaries of an account says which activities they have. */
export type SummariesKept = Pick<SummaryStateRow, 'kept_from' | 'position' | 'requested_at'>;

/**
 * Returns what the result of a filter depends on because activities are not kept forever: the
 * oldest activity that counts, and the state of the summaries. Without conditions whose result the
 * retention can change, an array without elements. A filter with `in_last 30 days` does not depend
 * on it when activities are kept for longer.
 */
export function retentionOf(filter: ResolvedFilter, summaries: SummariesKept | undefined): unknown[] {
  const { filters, segments, clock, oldestActivity } = filter;
  const conditions = [...filters, ...segments.values()].flatMap(conditionsOf);
  const kept: unknown[] = [];
  if (conditions.some((condition) => countsBefore(condition, oldestActivity, clock))) kept.push(oldestActivity);
  const inSummaries = conditions.filter(readsSummaries);
  if (summaries === undefined || inSummaries.length === 0) return kept;
  const { kept_from: month, position, requested_at: requestedAt } = summaries;
  // A rebuild can change every summary, until its end.
  kept.push([requestedAt.getTime(), position === null]);
  const oldest = month === null ? 0 : Date.parse(startOfMonth(month));
  if (inSummaries.some((condition) => derivedHasBefore(condition, oldest, clock))) kept.push(month);
  return kept;
}

/** True when a condition is on a derived attribute that is in the summaries. */
function readsSummaries({ field: { derived } }: Condition): boolean {
  return derived !== undefined && !isSentField(derived);
}

/** True when a condition that reads activities can count those from before a moment. */
function countsBefore(condition: Condition, moment: number, clock: Clock): boolean {
  const { field, selection } = condition;
  if (field.derived !== undefined && isSentField(field.derived)) return derivedHasBefore(condition, moment, clock);
  if (selection === undefined) return false;
  const { when } = selection;
  return when === undefined || !isAfter(when.operation, when.value, moment, clock);
}

/** True when a condition on a derived attribute can depend on activities from before a moment. */
function derivedHasBefore({ field: { derived }, operation, values }: Condition, moment: number, clock: Clock): boolean {
  if (derived === undefined) return false;
  if (derived.type === 'number') return moment > clock.now - (minutesKeptDays + 1) * millisecondsPerDay;
  // When the first activity is deleted, a later one becomes the first.
  const isFirst = derived.value.kind === 'time' && derived.value.column === 'first_seen';
  return isFirst || !isAfter(operation, values, moment, clock);
}

/** True when a condition on a time only matches times that are surely after a moment. */
function isAfter(operation: OperationName, values: readonly StoredValue[], moment: number, clock: Clock): boolean {
  const earliest = earliestOf(operation, values, clock);
  return earliest !== undefined && earliest > moment;
}
