import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { StoredValue } from '#features/registry/registry.ts';
import { millisecondsPerDay } from '#platform/time/intervals.ts';
import { endOfDay, startOfDay, zonedTime } from '#platform/time/days.ts';
import type { FieldSql } from '../field-sql.ts';
import type { OperationName } from '../operations.ts';
import {
  dayFromToday,
  daysOf,
  daysOfYear,
  isLengthOfHours,
  isRelative,
  isRelativeMoment,
  momentFromNow,
  momentOf,
  type Clock,
  type Days,
} from './relative-dates.ts';

/** A period in the stored form of the field. Includes `from`, and excludes `before`. */
interface Period {
  readonly from: string;
  readonly before: string;
}

/** What a condition on a date or date-time field needs. */
export interface TimeField {
  readonly field: FieldSql;
  /** `date`: the values are days, which belong to no time zone. */
  readonly type: 'date' | 'datetime';
  /** The type of the values in the database. */
  readonly sqlType: RawBuilder<unknown>;
  readonly clock: Clock;
}

/** True when a value of a date-time condition is a plain day (`YYYY-MM-DD`). */
export function isDay(value: StoredValue): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);
}

/**
 * Makes a condition on a date or date-time field. A plain day of a date-time, and a relative day or
 * month, means the whole period in the time zone of the account. Relative values are relative to
 * the clock.
 */
export function timeCondition(
  operation: OperationName,
  values: readonly StoredValue[],
  time: TimeField,
): RawBuilder<SqlBool> {
  const { field } = time;
  const [low, high] = values as readonly [StoredValue, StoredValue?];
  const compare = (operator: '<' | '<=' | '>' | '>=', bound: StoredValue): RawBuilder<SqlBool> =>
    field.indexed?.compare(operator, bound) ?? sql`${field.value} ${sql.raw(operator)} ${field.parameter(bound)}`;
  const first = low === undefined ? undefined : valueOf(low, time);
  switch (operation) {
    case 'is_null':
      return field.isNull;
    case 'is_not_null':
      return field.isNotNull ?? sql`not (${field.isNull})`;
    case 'equals':
      return equalsAny(values, time);
    case 'not_equals':
      return sql`(${equalsAny(values, time)}) is not true`;
    case 'greater_than':
      return isPeriod(first!) ? compare('>=', first.before) : compare('>', first!);
    case 'greater_than_or_equal':
      return compare('>=', isPeriod(first!) ? first.from : first!);
    case 'less_than':
      return compare('<', isPeriod(first!) ? first.from : first!);
    case 'less_than_or_equal':
      return isPeriod(first!) ? compare('<', first.before) : compare('<=', first!);
    case 'between':
      return sql`(${timeCondition('greater_than_or_equal', [low], time)} and ${timeCondition('less_than_or_equal', [high!], time)})`;
    case 'in_last':
    case 'in_next':
      return within([spanOf(operation, String(low), time)], time);
    case 'not_in_last':
      return sql`(${within([spanOf('in_last', String(low), time)], time)}) is not true`;
    case 'anniversary':
      return onDaysOfYear(
        values.flatMap((value) => (isRelative(value) ? daysOfYear(daysOf(value, time.clock)) : String(value))),
        time,
      );
    case 'anniversary_in_next':
      return onDaysOfYear(daysOfYear(nextDays(String(low), time.clock)), time);
    default:
      throw new Error(`the operation ${operation} is not for dates`);
  }
}

/** Returns the period that a value means, or the value itself if it is exact. */
function valueOf(value: StoredValue, { type, clock }: Pick<TimeField, 'type' | 'clock'>): Period | StoredValue {
  if (isRelative(value)) {
    return isRelativeMoment(value)
      ? writtenMoment(momentOf(value, clock))
      : periodOf(daysOf(value, clock), type, clock);
  }
  return type === 'datetime' && isDay(value) ? periodOf({ first: value, next: value }, type, clock, endOfDay) : value;
}

function isPeriod(value: Period | StoredValue): value is Period {
  return typeof value === 'object';
}

function periodOf({ first, next }: Days, type: TimeField['type'], { timeZone }: Clock, endOf = startOfDay): Period {
  if (type === 'date') return { from: first, before: next };
  return { from: writtenMoment(startOfDay(first, timeZone)), before: writtenMoment(endOf(next, timeZone)) };
}

/** The days from today to the day that is a length of time after it. */
function nextDays(length: string, clock: Clock): Days {
  const last = dayFromToday(length, 1, clock);
  return { first: daysOf('today', clock).first, next: dayAfter(last) };
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + millisecondsPerDay).toISOString().slice(0, 10);
}

/**
 * Returns the last or next days or hours. Days begin and end at midnight in the time zone of the
 * account, but what is before or after now counts only on one side.
 */
function spanOf(
  operation: 'in_last' | 'in_next',
  length: string,
  { type, clock }: Pick<TimeField, 'type' | 'clock'>,
): Period {
  // A moment is stored in milliseconds. So this bound includes the present one.
  const afterNow = writtenMoment(clock.now + 1);
  if (isLengthOfHours(length)) {
    return operation === 'in_last'
      ? { from: writtenMoment(momentFromNow(length, -1, clock)), before: afterNow }
      : { from: writtenMoment(clock.now), before: writtenMoment(momentFromNow(length, 1, clock) + 1) };
  }
  if (operation === 'in_next') {
    const days = periodOf(nextDays(length, clock), type, clock);
    return type === 'date' ? days : { ...days, from: writtenMoment(clock.now) };
  }
  const first = dayFromToday(length, -1, clock);
  const days = periodOf({ first, next: daysOf('today', clock).next }, type, clock);
  return type === 'date' ? days : { ...days, before: afterNow };
}

function equalsAny(values: readonly StoredValue[], time: TimeField): RawBuilder<SqlBool> {
  const all = values.map((value) => valueOf(value, time));
  const exact = all.filter((value): value is StoredValue => !isPeriod(value));
  const periods = all.filter((value) => isPeriod(value));
  if (periods.length === 0) return time.field.equalsAny(exact);
  const inPeriods = within(joined(periods), time);
  return exact.length === 0 ? inPeriods : sql`(${inPeriods}) or (${time.field.equalsAny(exact)})`;
}

/**
 * Makes the condition that a value is in one of the periods, which are sorted and do not touch.
 * An index can be used for the first and the last bound.
 */
function within(periods: readonly Period[], { field, sqlType }: TimeField): RawBuilder<SqlBool> {
  const [first, last] = [periods[0], periods.at(-1)];
  // There are no periods if the time zone skipped the day.
  if (first === undefined || last === undefined) return sql`false`;
  const from = field.indexed?.compare('>=', first.from) ?? sql`${field.value} >= ${field.parameter(first.from)}`;
  const before = field.indexed?.compare('<', last.before) ?? sql`${field.value} < ${field.parameter(last.before)}`;
  const all = sql<SqlBool>`${from} and ${before}`;
  if (first === last) return all;
  // width_bucket counts the bounds up to the value, and this count is odd inside a period. It uses
  // binary search, so a thousand days cost about ten comparisons.
  const bounds = periods.flatMap(({ from: start, before: end }) => [start, end]);
  return sql`${all} and width_bucket(${field.value}, ${bounds}::${sqlType}[]) % 2 = 1`;
}

/**
 * Returns what decides whether a value meets a condition at the moment of the clock: bounds, and days
 * of the year. A value that lies between no bound and the same bound at a later moment, and whose day
 * of the year is in both or in none, still has the same result.
 */
export function boundsAt(
  operation: OperationName,
  values: readonly StoredValue[],
  time: Pick<TimeField, 'type' | 'clock'>,
): { readonly bounds: readonly string[]; readonly days: readonly string[] } {
  const none = { bounds: [], days: [] };
  switch (operation) {
    case 'in_last':
    case 'not_in_last':
    case 'in_next': {
      const { from, before } = spanOf(operation === 'in_next' ? 'in_next' : 'in_last', String(values[0]), time);
      return { ...none, bounds: [from, before] };
    }
    case 'anniversary':
      return {
        ...none,
        days: values.flatMap((value) => (isRelative(value) ? daysOfYear(daysOf(value, time.clock)) : [])),
      };
    case 'anniversary_in_next':
      return { ...none, days: daysOfYear(nextDays(String(values[0]), time.clock)) };
    default:
      return {
        ...none,
        bounds: values.filter(isRelative).flatMap((value) => {
          const meant = valueOf(value, time);
          return isPeriod(meant) ? [meant.from, meant.before] : [String(meant)];
        }),
      };
  }
}

const lowerBounded: ReadonlySet<OperationName> = new Set([
  'in_last',
  'in_next',
  'equals',
  'greater_than',
  'greater_than_or_equal',
  'between',
]);

/**
 * Returns a moment (milliseconds since 1970) before which no date-time meets a condition, up to two
 * days too early; undefined when there is none.
 */
export function earliestOf(operation: OperationName, values: readonly StoredValue[], clock: Clock): number | undefined {
  if (!lowerBounded.has(operation)) return undefined;
  const { bounds } = boundsAt(operation, values, { type: 'datetime', clock });
  const isSpan = operation === 'in_last' || operation === 'in_next';
  const exact = isSpan ? [] : values.filter((value) => !isRelative(value)).map(String);
  // A plain day begins up to a day before or after the same day in UTC.
  return Math.min(...[...bounds, ...exact].map(Date.parse)) - 2 * millisecondsPerDay;
}

/** Sorts periods, removes empty ones, and joins those that overlap or touch. */
function joined(periods: readonly Period[]): Period[] {
  const result: Period[] = [];
  for (const period of periods.toSorted((one, other) => (one.from < other.from ? -1 : 1))) {
    const last = result.at(-1);
    if (period.from >= period.before) continue;
    if (last === undefined || last.before < period.from) result.push(period);
    else if (last.before < period.before) result[result.length - 1] = { from: last.from, before: period.before };
  }
  return result;
}

export function onDaysOfYear(days: readonly string[], { field, type, clock }: TimeField): RawBuilder<SqlBool> {
  // Stored days are YYYY-MM-DD.
  const day =
    type === 'date'
      ? sql`substr(${field.value}, 6)`
      : sql`to_char((${field.value})::timestamptz at time zone ${zoneOf(clock)}::text, 'MM-DD')`;
  return sql`${day} = any(${[...new Set(days)]}::text[])`;
}

/** A zone that does not exist, which is possible in old rows, counts as UTC. */
function zoneOf({ now, timeZone }: Clock): string {
  return zonedTime(now, timeZone).timeZoneId;
}

// Date-times are stored with four-digit years. `endOfTime` is after every stored date-time, also
// when they are compared as text.
const firstMoment = '0001-01-01T00:00:00.000Z';
const endOfTime = '9999-12-31T24:00:00.000Z';

function writtenMoment(at: number): string {
  if (at <= Date.parse(firstMoment)) return firstMoment;
  return at > Date.parse('9999-12-31T23:59:59.999Z') ? endOfTime : new Date(at).toISOString();
}
