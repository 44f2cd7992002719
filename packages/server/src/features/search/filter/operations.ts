import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { StoredValue } from '#features/registry/registry.ts';
import type { FieldSql } from './field-sql.ts';
import type { FieldType } from './field-types.ts';

/** How many values an operation takes. */
export type Arity = 'none' | 'one' | 'two' | 'some';

interface OperationEntry {
  readonly arity: Arity;
  /** The types of fields that have this operation. */
  readonly types: readonly FieldType[];
  /**
   * What the values are, if they are not complete values of the field: parts of a text, a length of
   * time, days of the year, or a number that is not 0.
   */
  readonly operand?: 'pattern' | 'length' | 'dayOfYear' | 'positive';
  /** One line for the OpenAPI description. */
  readonly doc: string;
  /**
   * Makes the condition in SQL. Null counts as false. Operations that a contact without a value
   * matches (`not_equals`, `not_contains`, `is_null`) must never be null. Dates and date-times have
   * conditions of their own, in `time/time-conditions.ts`, and so have activities, in
   * `activities/activity-sql.ts`.
   */
  readonly sql?: (field: FieldSql, values: readonly StoredValue[]) => RawBuilder<SqlBool>;
}

const equality = [
  'id',
  'contact_type',
  'identity',
  'email',
  'mobile',
  'text',
  'number',
  'boolean',
  'date',
  'datetime',
  'list',
  'segment',
] as const satisfies readonly FieldType[];
const texts = ['identity', 'email', 'mobile', 'text'] as const satisfies readonly FieldType[];
const caseless = ['identity', 'text'] as const satisfies readonly FieldType[];
const times = ['date', 'datetime'] as const satisfies readonly FieldType[];
const ordered = ['id', 'number', 'date', 'datetime'] as const satisfies readonly FieldType[];
// Leaves out `segment`: to find contacts in no segment, a search would evaluate all segments.
const nullable = [
  ...equality.filter((type) => type !== 'segment'),
  'long_text',
] as const satisfies readonly FieldType[];

/**
 * All operations of the filter language. Checks, SQL, documentation and tests use this table. Any
 * other operation, or one that does not fit the field, is a fault. No condition is ever dropped.
 */
export const operations = {
  equals: {
    arity: 'some',
    types: equality,
    doc: 'The field has one of the given values. Text is compared exactly, but e-mail addresses ignore letter case.',
    sql: (field, values) => field.equalsAny(values),
  },
  not_equals: {
    arity: 'some',
    types: equality,
    doc: 'The field has none of the given values, or has no value.',
    sql: (field, values) => sql`(${field.equalsAny(values)}) is not true`,
  },
  equals_ignore_case: {
    arity: 'some',
    types: caseless,
    doc: 'The field has one of the given values, in any letter case.',
    sql: equalsIgnoreCase,
  },
  not_equals_ignore_case: {
    arity: 'some',
    types: caseless,
    doc: 'The field has none of the given values in any letter case, or has no value.',
    sql: (field, values) => sql`(${equalsIgnoreCase(field, values)}) is not true`,
  },
  contains: {
    arity: 'one',
    types: texts,
    operand: 'pattern',
    doc: 'The value contains the text, in any letter case. `%` and `_` are ordinary characters.',
    sql: (field, [text]) => like(field, `%${escapeLike(text)}%`),
  },
  not_contains: {
    arity: 'one',
    types: texts,
    operand: 'pattern',
    doc: 'The value does not contain the text, in any letter case, or the field has no value.',
    sql: (field, [text]) => sql`(${like(field, `%${escapeLike(text)}%`)}) is not true`,
  },
  starts_with: {
    arity: 'one',
    types: texts,
    operand: 'pattern',
    doc: 'The value begins with the text, in any letter case.',
    sql: (field, [text]) => startsWith(field, String(text)),
  },
  ends_with: {
    arity: 'one',
    types: texts,
    operand: 'pattern',
    doc: 'The value ends with the text, in any letter case.',
    sql: (field, [text]) => like(field, `%${escapeLike(text)}`),
  },
  greater_than: {
    arity: 'one',
    types: ordered,
    doc: 'The value is greater or later.',
    sql: (field, [bound]) => compare(field, '>', bound!),
  },
  greater_than_or_equal: {
    arity: 'one',
    types: ordered,
    doc: 'The value is greater, later or equal.',
    sql: (field, [bound]) => compare(field, '>=', bound!),
  },
  less_than: {
    arity: 'one',
    types: ordered,
    doc: 'The value is less or earlier.',
    sql: (field, [bound]) => compare(field, '<', bound!),
  },
  less_than_or_equal: {
    arity: 'one',
    types: ordered,
    doc: 'The value is less, earlier or equal.',
    sql: (field, [bound]) => compare(field, '<=', bound!),
  },
  between: {
    arity: 'two',
    types: ordered,
    doc: 'The value is between the two given values, or equal to one of them. Send the smaller value first, otherwise nothing matches.',
    sql({ value, parameter, indexed }, [low, high]) {
      // No slot of a contact without a value is between two values.
      const column = indexed?.slot ?? value;
      const bound = indexed?.parameter ?? parameter;
      return sql`${column} between ${bound(low!)} and ${bound(high!)}`;
    },
  },
  in_last: {
    arity: 'one',
    types: times,
    operand: 'length',
    doc: 'The value is in the last `30 days` (or weeks, months, years): from the beginning of the day that was 30 days ago, until now. Date-times also have `hours` and `minutes`. A number means days.',
  },
  not_in_last: {
    arity: 'one',
    types: times,
    operand: 'length',
    doc: 'The opposite of `in_last`: the value is older or in the future, or the field has no value.',
  },
  in_next: {
    arity: 'one',
    types: times,
    operand: 'length',
    doc: 'The value is in the next `30 days` (or weeks, months, years): from now, or from today for a date, until the end of the day in 30 days. Date-times also have `hours` and `minutes`.',
  },
  anniversary: {
    arity: 'some',
    types: times,
    operand: 'dayOfYear',
    doc: 'Month and day of the value, in any year, are one of the given days (`MM-DD`) or in a relative period, such as `today`, `+7 days` or `this month`. In years without 29 February, that day counts as 28 February in relative periods.',
  },
  anniversary_in_next: {
    arity: 'one',
    types: times,
    operand: 'length',
    doc: 'Month and day of the value, in any year, are in the next `7 days` (or weeks, months), from today.',
  },
  at_least: {
    arity: 'one',
    types: ['activity'],
    operand: 'positive',
    doc: 'The contact has at least so many of the activities.',
  },
  at_most: {
    arity: 'one',
    types: ['activity'],
    doc: 'The contact has at most so many of the activities, or none.',
  },
  exactly: {
    arity: 'one',
    types: ['activity'],
    doc: 'The contact has exactly so many of the activities. 0 means none.',
  },
  never: {
    arity: 'none',
    types: ['activity'],
    doc: 'The contact has none of the activities.',
  },
  is_null: {
    arity: 'none',
    types: nullable,
    doc: 'The contact has no value. For `list_id`: the contact is in no list.',
    sql: (field) => field.isNull,
  },
  is_not_null: {
    arity: 'none',
    types: nullable,
    doc: 'The contact has a value.',
    sql: ({ isNull, isNotNull }) => isNotNull ?? sql`not (${isNull})`,
  },
} as const satisfies Record<string, OperationEntry>;

/** Name of an operation. */
export type OperationName = keyof typeof operations;

/** All operations with their entries, in the order of the documentation. */
export const operationEntries: ReadonlyMap<OperationName, OperationEntry> = new Map(
  Object.entries(operations) as [OperationName, OperationEntry][],
);

/** Returns the table entry of an operation. */
export function operationEntry(name: OperationName): OperationEntry {
  return operations[name];
}

/** Returns the operations of a field type, or all operations, in the order of the documentation. */
export function operationsOf(type: FieldType | undefined): readonly OperationName[] {
  return [...operationEntries].flatMap(([name, { types }]) => (type === undefined || types.includes(type) ? name : []));
}

/** Finds an operation by its name in any letter case. */
export function findOperation(name: string): OperationName | undefined {
  const word = name.trim().toLowerCase() as OperationName;
  return operationEntries.has(word) ? word : undefined;
}

function compare(
  { value, parameter, indexed }: FieldSql,
  operator: '<' | '<=' | '>' | '>=',
  bound: StoredValue,
): RawBuilder<SqlBool> {
  return indexed?.compare(operator, bound) ?? sql`${value} ${sql.raw(operator)} ${parameter(bound)}`;
}

// Up to this number, the index for parts of texts finds each value.
const indexedTexts = 8;

function equalsIgnoreCase(field: FieldSql, values: readonly StoredValue[]): RawBuilder<SqlBool> {
  const { like: indexedLike } = field;
  if (indexedLike !== undefined && values.length <= indexedTexts) {
    return sql`(${sql.join(
      values.map((value) => like(field, escapeLike(value))),
      sql` or `,
    )})`;
  }
  const fold = values.some((value) => hasSigma(String(value))) ? foldSigma : foldCase;
  // The planner computes the array once. PostgreSQL looks up values in a long array by a hash.
  const folded = sql.join(values.map((value) => fold(sql`${value}::text`)));
  return sql`${fold(field.text)} = any(array[${folded}])`;
}

function startsWith(field: FieldSql, text: string): RawBuilder<SqlBool> {
  const indexed = hasSigma(text) ? undefined : field.startsWith?.(text);
  return indexed ?? like(field, `${escapeLike(text)}%`);
}

/** PostgreSQL converts both sides to lower case, so that the same rules apply to both. */
function like(field: FieldSql, pattern: string): RawBuilder<SqlBool> {
  const plain = (text: string): RawBuilder<SqlBool> =>
    field.like?.(text) ?? sql`${foldCase(field.text)} like ${foldCase(sql`${text}::text`)}`;
  if (!hasSigma(pattern)) return plain(pattern);
  // The first condition can use an index. For it, each sigma can be any character.
  return sql`(${plain(pattern.replaceAll(sigmas, '_'))} and ${foldSigma(field.text)} like ${foldSigma(sql`${pattern}::text`)})`;
}

// The capital sigma has two small ones: `ς` at the end of a word, and `σ`. `lower` returns the second.
const sigmas = /[Σσς]/g;

function hasSigma(text: string): boolean {
  return text.search(sigmas) !== -1;
}

function foldCase(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`lower(${text})`;
}

/** Folds the letter case like {@link foldCase}, and makes the two small sigmas equal. */
function foldSigma(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`translate(lower(${text}), 'ς', 'σ')`;
}

function escapeLike(text: StoredValue | undefined): string {
  return String(text).replaceAll(/[\\%_]/g, '\\$&');
}
