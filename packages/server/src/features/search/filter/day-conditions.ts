import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { StoredValue } from '#features/registry/registry.ts';
import { endOfDay, startOfDay } from '#platform/time/days.ts';
import type { FieldSql } from './field-sql.ts';
import { operations, type OperationName } from './operations.ts';

/** A period in the stored form of date-times. Includes `from`, and excludes `before`. */
interface Period {
  readonly from: string;
  readonly before: string;
}

/** True when a value of a date-time condition is a plain day (`YYYY-MM-DD`). */
export function isDay(value: StoredValue): value is string {
  return typeof value === 'string' && value.length === 10;
}

/**
 * Makes a condition on a date-time field with plain days among its values. A plain day means the
 * whole day in the time zone of the account.
 *
 * @param sqlType The type of the values in the database.
 */
export function dayCondition(
  operation: OperationName,
  values: readonly StoredValue[],
  field: FieldSql,
  sqlType: RawBuilder<unknown>,
  timeZone: string,
): RawBuilder<SqlBool> {
  const periodOf = (day: string): Period => periodOfDay(day, timeZone);
  const [low, high] = values as readonly [StoredValue, StoredValue?];
  switch (operation) {
    case 'equals':
      return equalsAny(values, field, sqlType, periodOf);
    case 'not_equals':
      return sql`(${equalsAny(values, field, sqlType, periodOf)}) is not true`;
    case 'greater_than':
      if (!isDay(low)) return operations.greater_than.sql(field, [low]);
      return operations.greater_than_or_equal.sql(field, [periodOf(low).before]);
    case 'greater_than_or_equal':
      return operations.greater_than_or_equal.sql(field, [isDay(low) ? periodOf(low).from : low]);
    case 'less_than':
      return operations.less_than.sql(field, [isDay(low) ? periodOf(low).from : low]);
    case 'less_than_or_equal':
      if (!isDay(low)) return operations.less_than_or_equal.sql(field, [low]);
      return operations.less_than.sql(field, [periodOf(low).before]);
    case 'between': {
      const from = dayCondition('greater_than_or_equal', [low], field, sqlType, timeZone);
      return sql`(${from} and ${dayCondition('less_than_or_equal', [high!], field, sqlType, timeZone)})`;
    }
    default:
      throw new Error(`the operation ${operation} is not for date-times`);
  }
}

function equalsAny(
  values: readonly StoredValue[],
  field: FieldSql,
  sqlType: RawBuilder<unknown>,
  periodOf: (day: string) => Period,
): RawBuilder<SqlBool> {
  const moments = values.filter((value) => !isDay(value));
  const inDays = within(joined(values.filter(isDay).map(periodOf)), field, sqlType);
  return moments.length === 0 ? inDays : sql`(${inDays}) or (${field.equalsAny(moments)})`;
}

/**
 * Makes the condition that a value is in one of the periods, which are sorted and do not touch.
 * An index can be used for the first and the last bound.
 */
function within(periods: readonly Period[], field: FieldSql, sqlType: RawBuilder<unknown>): RawBuilder<SqlBool> {
  const [first, last] = [periods[0], periods.at(-1)];
  // There are no periods if the time zone skipped the day.
  if (first === undefined || last === undefined) return sql`false`;
  const all = sql<SqlBool>`${operations.greater_than_or_equal.sql(field, [first.from])} and ${operations.less_than.sql(field, [last.before])}`;
  if (first === last) return all;
  // width_bucket counts the bounds up to the value, and this count is odd inside a period. It uses
  // binary search, so a thousand days cost about ten comparisons.
  const bounds = periods.flatMap(({ from, before }) => [from, before]);
  return sql`${all} and width_bucket(${field.value}, ${bounds}::${sqlType}[]) % 2 = 1`;
}

/** Sorts periods, removes duplicate and empty ones, and joins those that touch. */
function joined(periods: readonly Period[]): Period[] {
  const result: Period[] = [];
  for (const period of periods.toSorted((one, other) => (one.from < other.from ? -1 : 1))) {
    const last = result.at(-1);
    if (period.from >= period.before || (last !== undefined && period.from < last.before)) continue;
    if (last?.before === period.from) result[result.length - 1] = { from: last.from, before: period.before };
    else result.push(period);
  }
  return result;
}

// Date-times are stored with four-digit years. `endOfTime` is after every stored date-time, also
// when they are compared as text.
const firstMoment = '0001-01-01T00:00:00.000Z';
const endOfTime = '9999-12-31T24:00:00.000Z';

function periodOfDay(day: string, timeZone: string): Period {
  return { from: writtenMoment(startOfDay(day, timeZone)), before: writtenMoment(endOfDay(day, timeZone)) };
}

function writtenMoment(at: number): string {
  if (at <= Date.parse(firstMoment)) return firstMoment;
  return at > Date.parse('9999-12-31T23:59:59.999Z') ? endOfTime : new Date(at).toISOString();
}
