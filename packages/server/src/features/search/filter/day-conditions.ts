import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { StoredValue } from '#features/registry/registry.ts';
import { endOfDay, startOfDay } from '#platform/time/days.ts';
import type { FieldSql } from './field-sql.ts';
import { operations, type OperationName } from './operations.ts';

/** The moments of a day, as date-times are stored: from the first one on, before the second. */
interface Moments {
  readonly from: string;
  readonly before: string;
}

/** True for a value of a condition on a date-time that is a plain day: `YYYY-MM-DD`. */
export function isDay(value: StoredValue): value is string {
  return typeof value === 'string' && value.length === 10;
}

/**
 * A condition on a date-time field, some of whose values are plain days. A day means all its moments in the time zone of the account.
 *
 * @param sqlType The type of the values in the database, for arrays of them.
 */
export function dayCondition(
  operation: OperationName,
  values: readonly StoredValue[],
  field: FieldSql,
  sqlType: RawBuilder<unknown>,
  timeZone: string,
): RawBuilder<SqlBool> {
  const momentsOf = (day: string): Moments => momentsOfDay(day, timeZone);
  const [low, high] = values as readonly [StoredValue, StoredValue?];
  switch (operation) {
    case 'equals':
      return equalsAny(values, field, sqlType, momentsOf);
    case 'not_equals':
      return sql`(${equalsAny(values, field, sqlType, momentsOf)}) is not true`;
    case 'greater_than':
      if (!isDay(low)) return operations.greater_than.sql(field, [low]);
      return operations.greater_than_or_equal.sql(field, [momentsOf(low).before]);
    case 'greater_than_or_equal':
      return operations.greater_than_or_equal.sql(field, [isDay(low) ? momentsOf(low).from : low]);
    case 'less_than':
      return operations.less_than.sql(field, [isDay(low) ? momentsOf(low).from : low]);
    case 'less_than_or_equal':
      if (!isDay(low)) return operations.less_than_or_equal.sql(field, [low]);
      return operations.less_than.sql(field, [momentsOf(low).before]);
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
  momentsOf: (day: string) => Moments,
): RawBuilder<SqlBool> {
  const moments = values.filter((value) => !isDay(value));
  const inDays = within(joined(values.filter(isDay).map(momentsOf)), field, sqlType);
  return moments.length === 0 ? inDays : sql`(${inDays}) or (${field.equalsAny(moments)})`;
}

/** True when the value lies in one of the periods, which are in order and apart. An index serves the first bound and the last. */
function within(periods: readonly Moments[], field: FieldSql, sqlType: RawBuilder<unknown>): RawBuilder<SqlBool> {
  const [first, last] = [periods[0], periods.at(-1)];
  // A zone that skipped a day has no moments in it.
  if (first === undefined || last === undefined) return sql`false`;
  const all = sql<SqlBool>`${operations.greater_than_or_equal.sql(field, [first.from])} and ${operations.less_than.sql(field, [last.before])}`;
  if (first === last) return all;
  // The number of bounds at or below the value, found by halving: a thousand days cost no more than ten comparisons. It is odd in a period.
  const bounds = periods.flatMap(({ from, before }) => [from, before]);
  return sql`${all} and width_bucket(${field.value}, ${bounds}::${sqlType}[]) % 2 = 1`;
}

/** The periods in order, with those joined that touch; without empty ones. */
function joined(periods: readonly Moments[]): Moments[] {
  const result: Moments[] = [];
  for (const period of periods.toSorted((one, other) => (one.from < other.from ? -1 : 1))) {
    const last = result.at(-1);
    if (period.from >= period.before || (last !== undefined && period.from < last.before)) continue;
    if (last?.before === period.from) result[result.length - 1] = { from: last.from, before: period.before };
    else result.push(period);
  }
  return result;
}

// Date-times are stored with years of four digits. The end of the last day is written so that it is behind every moment, also as a text.
const firstMoment = '0001-01-01T00:00:00.000Z';
const endOfTime = '9999-12-31T24:00:00.000Z';

function momentsOfDay(day: string, timeZone: string): Moments {
  return { from: writtenMoment(startOfDay(day, timeZone)), before: writtenMoment(endOfDay(day, timeZone)) };
}

function writtenMoment(at: number): string {
  if (at <= Date.parse(firstMoment)) return firstMoment;
  return at > Date.parse('9999-12-31T23:59:59.999Z') ? endOfTime : new Date(at).toISOString();
}
