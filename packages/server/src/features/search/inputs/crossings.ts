import { activityKinds, type ActivityKind } from '@roster/contract';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { kindsOfDerived, windowsOfDerived } from '#features/registry/derived/derived-fields.ts';
import { kindNumber } from '#platform/database/values/activity-numbers.ts';
import type { ActivityAccount } from '../filter/activities/activity-sql.ts';
import { hasDerived } from '../filter/activities/derived-sql.ts';
import type { Condition } from '../filter/checked-filter.ts';
import { fieldSql } from '../filter/columns.ts';
import type { Clock } from '../filter/time/relative-dates.ts';
import { boundsAt, onDaysOfYear } from '../filter/time/time-conditions.ts';
import { startOfWindow } from '../filter/time/windows.ts';

/** The contacts for which the result of timed conditions can be different at two moments. */
export interface Crossed {
  readonly condition: RawBuilder<SqlBool>;
  /** True when indexes find them. Otherwise all contacts of the account are read. */
  readonly isIndexed: boolean;
}

/**
 * Makes the condition that finds all contacts for which the result of a timed condition can be
 * different at two moments. It also finds some others. Undefined when there can be none.
 *
 * It has a range for each bound that moved, so an index on the attribute can be used. Days of the
 * year have no index. For conditions on activities and derived attributes, it finds the contacts
 * with activities in the ranges.
 */
export function crossedBetween(
  account: ActivityAccount,
  conditions: readonly Condition[],
  from: Clock,
  to: Clock,
): Crossed | undefined {
  const parts = conditions.flatMap((condition) =>
    condition.selection === undefined && condition.field.derived === undefined
      ? crossingsOf(condition, from, to)
      : activityCrossings(account, condition, from, to),
  );
  if (parts.length === 0) return undefined;
  const condition = sql<SqlBool>`(${sql.join(
    parts.map((part) => part.condition),
    sql` or `,
  )})`;
  return { condition, isIndexed: parts.every(({ isIndexed }) => isIndexed) };
}

function crossingsOf({ field: named, operation, values }: Condition, from: Clock, to: Clock): Crossed[] {
  const field = fieldSql(named);
  const type = named.type as 'date' | 'datetime';
  const sqlType = named.attribute === undefined ? sql`timestamptz` : sql`text`;
  const [before, after] = [from, to].map((clock) => boundsAt(operation, values, { type, clock }));
  const isIndexed = field.indexed !== undefined || named.name === 'created_at';
  const parts: Crossed[] = [];
  for (const [low, high] of rangesBetween(before!.bounds, after!.bounds)) {
    const compare = (operator: '>=' | '<=', value: string): RawBuilder<SqlBool> =>
      field.indexed?.compare(operator, value) ?? sql`${field.value} ${sql.raw(operator)} ${field.parameter(value)}`;
    parts.push({ condition: sql`(${compare('>=', low)} and ${compare('<=', high)})`, isIndexed });
  }
  const days = differing(before!.days, after!.days);
  if (days.length > 0) {
    parts.push({ condition: sql`(${onDaysOfYear(days, { field, type, sqlType, clock: to })})`, isIndexed: false });
  }
  return parts;
}

/** Returns the lowest and highest value of each bound that moved. */
function rangesBetween(before: readonly string[], after: readonly string[]): (readonly [string, string])[] {
  return before.flatMap((bound, at) => {
    const moved = after[at]!;
    if (bound === moved) return [];
    // A bound moves back when the clocks of the zone do.
    return [bound < moved ? ([bound, moved] as const) : ([moved, bound] as const)];
  });
}

function activityCrossings(account: ActivityAccount, condition: Condition, from: Clock, to: Clock): Crossed[] {
  const { field, selection } = condition;
  const { derived } = field;
  const kinds = derived === undefined ? (selection?.activity ?? activityKinds) : kindsOfDerived(derived);
  const active = (ranges: readonly (readonly [string, string])[]): Crossed[] =>
    ranges.map((range) => ({ condition: hasActivityIn(account.accountId, kinds, range), isIndexed: true }));
  if (derived !== undefined && derived.type === 'number') {
    const starts = [from, to].map((clock) =>
      windowsOfDerived(derived).map((days) => new Date(startOfWindow(days, clock)).toISOString()),
    );
    return active(rangesBetween(starts[0]!, starts[1]!));
  }
  // The value of a derived attribute is the time of an activity.
  const { operation, values } =
    selection === undefined ? condition : { operation: selection.when!.operation, values: selection.when!.value };
  const [before, after] = [from, to].map((clock) => boundsAt(operation, values, { type: 'datetime', clock }));
  const days = differing(before!.days, after!.days);
  const parts = active(rangesBetween(before!.bounds, after!.bounds));
  if (days.length > 0) {
    const time = { field: fieldSql(field), type: 'datetime', sqlType: sql`timestamptz`, clock: to } as const;
    parts.push({ condition: hasDerived(field, onDaysOfYear(days, time), account), isIndexed: false });
  }
  return parts;
}

/**
 * Makes the condition that a contact has activities of some kinds in a range of times. The
 * sub-select does not depend on the contact, so PostgreSQL finds the keys once, by the index on
 * kinds and times, and then looks up their contacts.
 */
function hasActivityIn(
  accountId: number,
  kinds: readonly ActivityKind[],
  [low, high]: readonly [string, string],
): RawBuilder<SqlBool> {
  const chosen = sql`a.account_id = ${accountId}
    and a.activity in (${sql.join(kinds.map((kind) => sql.lit(kindNumber(kind))))})
    and a.occurred_at >= ${low}::timestamptz and a.occurred_at <= ${high}::timestamptz`;
  // Activities that are not moved to their new key yet belong to the contact with that key.
  return sql`contacts.contact_key = any(array(
    select a.contact_key from activities a where ${chosen}
    union
    select m.target_key from activity_moves m join activities a on a.contact_key = m.contact_key
    where m.account_id = ${accountId} and m.target_key is not null and ${chosen}))`;
}

/** Returns the days that are in one of two lists. */
function differing(one: readonly string[], other: readonly string[]): string[] {
  const [a, b] = [new Set(one), new Set(other)];
  return [...a.symmetricDifference(b)];
}
