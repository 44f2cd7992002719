import { sql, type RawBuilder, type SqlBool } from 'kysely';
import {
  isSentField,
  maxScore,
  scoreWeights,
  type DerivedField,
  type SentField,
  type WindowDays,
} from '#features/registry/derived/derived-fields.ts';
import { columnMinutes, minuteOf } from '#features/registry/derived/summary-columns.ts';
import { channels } from '@roster/contract';
import type { Condition } from '../checked-filter.ts';
import type { FieldSql } from '../field-sql.ts';
import type { Field } from '../fields.ts';
import type { OperationName } from '../operations.ts';
import type { Clock } from '../time/relative-dates.ts';
import { earliestOf } from '../time/time-conditions.ts';
import { startOfWindow } from '../time/windows.ts';
import { activityCondition, type ActivityAccount } from './activity-sql.ts';
import { sentColumn, sentValues } from './sent-sql.ts';

/**
 * Makes the SQL of a derived attribute, on the tables of {@link derivedJoin}.
 *
 * A window begins at the beginning of a day in the time zone of the account, as with `in_last`. The
 * minutes in a summary are in order, so PostgreSQL counts those in a window by binary search.
 */
export function derivedSql(field: DerivedField, clock: Clock): FieldSql {
  const { value: definition } = field;
  if (definition.kind === 'time' || definition.kind === 'last_sent') {
    const value = sql.ref(definition.kind === 'time' ? `summary.${definition.column}` : `sent.${sentColumn(field)}`);
    return fieldSqlOf(value, sql`timestamptz`, sql`${value} is null`);
  }
  const value = numberSql(field, clock);
  return { ...fieldSqlOf(value, sql`double precision`, sql`false`), notNull: true };
}

function numberSql(field: DerivedField, clock: Clock): RawBuilder<unknown> {
  const { value } = field;
  if (value.kind === 'times_sent') return sql`coalesce(${sql.ref(`sent.${sentColumn(field)}`)}, 0)::double precision`;
  return value.kind === 'count' ? countSql(value.columns, value.days, clock) : scoreSql(clock);
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

/** The alias of a table with values of derived attributes. */
export type DerivedTable = 'summary' | 'sent';

/** Returns the table that has the values of a derived attribute. */
export function tableOf(field: DerivedField): DerivedTable {
  return isSentField(field) ? 'sent' : 'summary';
}

/** Selects the rows of the table of some fields. It has up to one row for each contact key. */
export function derivedRows(
  name: DerivedTable,
  fields: readonly Field[],
  account: ActivityAccount,
): RawBuilder<unknown> {
  return name === 'sent'
    ? sentValues(sentFields(fields), account)
    : sql`select * from activity_summaries s where s.account_id = ${account.accountId}`;
}

function sentFields(fields: readonly Field[]): SentField[] {
  return fields.flatMap(({ derived }) => (derived !== undefined && isSentField(derived) ? [derived] : []));
}

/** The condition that a row of a table is that of the contact. */
export function isOfContact(name: DerivedTable): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(`${name}.contact_key`)} = contacts.contact_key`;
}

/**
 * Joins the tables of derived attributes to `contacts`. A contact without a row has nulls.
 *
 * `each` looks up the activities of each contact, which takes 0.1 to 0.4 ms. `all` reads
 * the activities of all contacts once. The planner cannot choose, because its estimate of the
 * contacts can be far too low, and then it would read all activities for each of them.
 */
export function derivedJoin(
  fields: readonly Field[],
  account: ActivityAccount,
  way: 'each' | 'all',
): RawBuilder<unknown> {
  const sent = sentFields(fields);
  const joins: RawBuilder<unknown>[] = [];
  if (fields.some(({ derived }) => derived !== undefined && tableOf(derived) === 'summary')) {
    joins.push(sql` left join (${derivedRows('summary', fields, account)}) as summary on ${isOfContact('summary')}`);
  }
  if (sent.length > 0 && way === 'each') {
    const own = sentValues(sent, account, sql<SqlBool>`found.contact_key = contacts.contact_key`);
    joins.push(sql` left join lateral (${own}) as sent on true`);
  } else if (sent.length > 0) {
    const all = sql`with counted as materialized (${sentValues(sent, account)}) select * from counted`;
    joins.push(sql` left join (${all}) as sent on ${isOfContact('sent')}`);
  }
  return sql.join(joins, sql``);
}

/**
 * Makes the condition that a contact has a row with the values of a field that meets a condition.
 * PostgreSQL can read the table once and join it, or look up single contacts.
 */
export function hasDerived(field: Field, where: RawBuilder<SqlBool>, account: ActivityAccount): RawBuilder<SqlBool> {
  const name = tableOf(field.derived!);
  return sql`exists (select from (${derivedRows(name, [field], account)}) as ${sql.ref(name)} where ${isOfContact(name)} and ${where})`;
}

/** Makes a condition on contacts from a condition on a table of derived attributes. */
export function derivedCondition(
  condition: Condition,
  onTable: RawBuilder<SqlBool>,
  account: ActivityAccount,
): RawBuilder<SqlBool> {
  const { field, operation, values } = condition;
  const { value } = field.derived!;
  if (value.kind === 'last_sent') {
    const selection = { activity: ['sent'], channel: [value.channel] } as const;
    // Without grouping, which takes three times as long.
    if (operation === 'is_null') return activityCondition('never', [], selection, account);
    if (operation === 'is_not_null') return activityCondition('at_least', [1], selection, account);
  }
  // A last message before the bound cannot meet the condition, and neither can its opposite.
  const earliest = value.kind === 'last_sent' ? earliestOf(positive(operation), values, account.clock) : undefined;
  const bounded =
    earliest === undefined ? account : { ...account, oldestActivity: Math.max(account.oldestActivity, earliest) };
  const found = (where: RawBuilder<SqlBool>) => hasDerived(field, where, bounded);
  return matchesWithout(condition)
    ? sql<SqlBool>`(not ${found(sql`(${onTable}) is not true`)})`
    : sql<SqlBool>`(${found(sql`${onTable}`)})`;
}

/** Returns the operation that is left when a condition is turned around, if it has `not`. */
function positive(operation: OperationName): OperationName {
  return operation.replace(/^not_/, '') as OperationName;
}

/** True when a contact without a row matches: its counts are 0, and its times are missing. */
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
