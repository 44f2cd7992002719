import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Condition } from '../filter/checked-filter.ts';
import { fieldSql } from '../filter/columns.ts';
import type { Clock } from '../filter/time/relative-dates.ts';
import { boundsAt, onDaysOfYear } from '../filter/time/time-conditions.ts';

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
 * year have no index.
 */
export function crossedBetween(conditions: readonly Condition[], from: Clock, to: Clock): Crossed | undefined {
  const parts = conditions.flatMap((condition) => crossingsOf(condition, from, to));
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
  for (const [at, bound] of before!.bounds.entries()) {
    const moved = after!.bounds[at]!;
    if (bound === moved) continue;
    // A bound moves back when the clocks of the zone do.
    const [low, high] = bound < moved ? [bound, moved] : [moved, bound];
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

/** Returns the days that are in one of two lists. */
function differing(one: readonly string[], other: readonly string[]): string[] {
  const [a, b] = [new Set(one), new Set(other)];
  return [...a.symmetricDifference(b)];
}
