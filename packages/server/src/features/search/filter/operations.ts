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
  /** `pattern`: the value is a part of a text, not a complete value of the field. */
  readonly operand?: 'pattern';
  /** One line for the OpenAPI description. */
  readonly doc: string;
  /**
   * Makes the condition in SQL. Null counts as false. Operations that a contact without a value
   * matches (`not_equals`, `not_contains`, `is_null`) must never be null.
   */
  readonly sql: (field: FieldSql, values: readonly StoredValue[]) => RawBuilder<SqlBool>;
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
    sql: (field, [bound]) => compare(field, sql`>`, bound!),
  },
  greater_than_or_equal: {
    arity: 'one',
    types: ordered,
    doc: 'The value is greater, later or equal.',
    sql: (field, [bound]) => compare(field, sql`>=`, bound!),
  },
  less_than: {
    arity: 'one',
    types: ordered,
    doc: 'The value is less or earlier.',
    sql: (field, [bound]) => compare(field, sql`<`, bound!),
  },
  less_than_or_equal: {
    arity: 'one',
    types: ordered,
    doc: 'The value is less, earlier or equal.',
    sql: (field, [bound]) => compare(field, sql`<=`, bound!),
  },
  between: {
    arity: 'two',
    types: ordered,
    doc: 'The value is between the two given values, or equal to one of them. Send the smaller value first, otherwise nothing matches.',
    sql(field, [low, high]) {
      const { value, parameter } = comparable(field);
      return sql`${value} between ${parameter(low!)} and ${parameter(high!)}`;
    },
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
    sql: (field) => sql`not (${field.isNull})`,
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

/**
 * Returns the expression of the index, if there is one. Only short types can be compared by order,
 * so the index has their whole values.
 */
function comparable({ value, parameter, indexed }: FieldSql): Pick<FieldSql, 'value' | 'parameter'> {
  return indexed === undefined ? { value, parameter } : { value: indexed.ordered, parameter: indexed.parameter };
}

function compare(field: FieldSql, operator: RawBuilder<unknown>, bound: StoredValue): RawBuilder<SqlBool> {
  const { value, parameter } = comparable(field);
  return sql`${value} ${operator} ${parameter(bound)}`;
}

function startsWith(field: FieldSql, text: string): RawBuilder<SqlBool> {
  const whole = like(field, `${escapeLike(text)}%`);
  const start = field.startsWith?.(text);
  if (start === undefined) return whole;
  return start.exact ? start.condition : sql`(${start.condition} and ${whole})`;
}

/** PostgreSQL converts both sides to lower case, so that the same rules apply to both. */
function like(field: FieldSql, pattern: string): RawBuilder<SqlBool> {
  return sql`lower(${field.text}) like lower(${pattern}::text)`;
}

function escapeLike(text: StoredValue | undefined): string {
  return String(text).replaceAll(/[\\%_]/g, '\\$&');
}
