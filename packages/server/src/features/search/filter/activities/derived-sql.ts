import { sql, type RawBuilder, type SqlBool } from 'kysely';
import {
  maxScore,
  scoreWeights,
  type DerivedField,
  type WindowDays,
} from '#features/registry/derived/derived-fields.ts';
import { columnMinutes, minuteOf } from '#features/registry/derived/summary-columns.ts';
import { addDays, dayAt, startOfDay } from '#platform/time/days.ts';
import { channels } from '@roster/contract';
import type { Condition } from '../checked-filter.ts';
import type { FieldSql } from '../field-sql.ts';
import type { Clock } from '../time/relative-dates.ts';

/**
 * Makes the SQL of a derived attribute, on the table or alias `summary`, which has the row of
 * `activity_summaries` of the contact, or nulls.
 *
 * A window begins at the beginning of a day in the time zone of the account, as with `in_last`. The
 * minutes are in order, so PostgreSQL counts those in a window by binary search.
 */
export function derivedSql({ value: definition }: DerivedField, clock: Clock): FieldSql {
  if (definition.kind === 'time') {
    const value = sql.ref(`summary.${definition.column}`);
    return fieldSqlOf(value, sql`timestamptz`, sql`${value} is null`);
  }
  const value = definition.kind === 'count' ? countSql(definition.columns, definition.days, clock) : scoreSql(clock);
  return { ...fieldSqlOf(value, sql`double precision`, sql`false`), notNull: true };
}

function fieldSqlOf(value: RawBuilder<unknown>, type: RawBuilder<unknown>, isNull: RawBuilder<SqlBool>): FieldSql {
  return {
    value,
    notNull: false,
    parameter: (given) => sql`${given}::${type}`,
    equalsAny: (values) => sql`${value} = any(${values}::${type}[])`,
    isNull,
    text: value,
  };
}

function countSql(columns: readonly string[], days: WindowDays, clock: Clock): RawBuilder<unknown> {
  return sql`(${total(columns, days, clock)})::double precision`;
}

/** Returns the beginning of a window, in milliseconds since 1970. */
export function startOfWindow(days: WindowDays, { now, timeZone }: Clock): number {
  return startOfDay(addDays(dayAt(now, timeZone), -days), timeZone);
}

function total(columns: readonly string[], days: WindowDays, clock: Clock): RawBuilder<unknown> {
  const first = minuteOf(startOfWindow(days, clock));
  const counts = columns.map((name) => {
    const minutes = sql.ref(`summary.${name}`);
    // width_bucket returns how many minutes are before the window.
    return sql`coalesce(cardinality(${minutes}) - width_bucket(${sql.lit(first - 1)}, ${minutes}), 0)`;
  });
  return sql.join(counts, sql` + `);
}

function scoreSql(clock: Clock): RawBuilder<unknown> {
  const points = scoreWeights.map(({ kind, days, points: weight }) => {
    const columns = channels.map((channel) => columnMinutes(channel, kind));
    return sql`${sql.lit(weight)} * (${total(columns, days, clock)})`;
  });
  return sql`least(${sql.lit(maxScore)}, ${sql.join(points, sql` + `)})::double precision`;
}

/** The summary of a contact. A contact without a row has no activities that count. */
export function summaryOf(accountId: number): RawBuilder<SqlBool> {
  return sql<SqlBool>`summary.account_id = ${accountId} and summary.contact_key = contacts.contact_key`;
}

/** Joins the summaries to `contacts`, for values and orders of many contacts. */
export function summaryJoin(accountId: number): RawBuilder<unknown> {
  return sql`left join activity_summaries summary on ${summaryOf(accountId)}`;
}

/**
 * Makes a condition on contacts from a condition on their summaries. PostgreSQL can read the
 * summaries once and join them, or look them up one by one.
 */
export function summaryCondition(
  condition: Condition,
  onSummary: RawBuilder<SqlBool>,
  accountId: number,
): RawBuilder<SqlBool> {
  const found = (where: RawBuilder<SqlBool>) =>
    sql`exists (select from activity_summaries summary where ${summaryOf(accountId)} and ${where})`;
  return matchesWithout(condition)
    ? sql<SqlBool>`(not ${found(sql`(${onSummary}) is not true`)})`
    : sql<SqlBool>`(${found(sql`${onSummary}`)})`;
}

/** True when a contact without a summary matches: its counts are 0, and its times are missing. */
function matchesWithout({ field, operation, values }: Condition): boolean {
  if (field.type === 'datetime') return operation === 'is_null' || operation.startsWith('not_');
  const [low, high] = values;
  switch (operation) {
    case 'equals':
      return values.includes(0);
    case 'not_equals':
      return !values.includes(0);
    case 'greater_than':
      return 0 > Number(low);
    case 'greater_than_or_equal':
      return 0 >= Number(low);
    case 'less_than':
      return 0 < Number(low);
    case 'less_than_or_equal':
      return 0 <= Number(low);
    case 'between':
      return 0 >= Number(low) && 0 <= Number(high);
    default:
      return operation === 'is_not_null';
  }
}
