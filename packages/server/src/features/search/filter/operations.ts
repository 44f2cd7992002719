import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { StoredValue } from '#features/registry/registry.ts';
import type { FieldSql } from './field-sql.ts';
import type { FieldType } from './field-types.ts';

/** How many values an operation takes. */
export type Arity = 'none' | 'one' | 'two' | 'some';

interface OperationEntry {
  readonly arity: Arity;
  /** Types of fields that it fits. */
  readonly types: readonly FieldType[];
  /** `pattern`: the value is a piece of text to look for, not a value that the field could have. */
  readonly operand?: 'pattern';
  /** One line for the OpenAPI description. */
  readonly doc: string;
  /**
   * The condition in SQL. Null counts as false, except that operations that a contact without a value matches (`not_equals`,
   * `not_contains`, `is_null`) are never null.
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
// Whether a contact falls into no segment at all would mean to evaluate every segment.
const nullable = [
  ...equality.filter((type) => type !== 'segment'),
  'long_text',
] as const satisfies readonly FieldType[];

/**
 * Every operation of the filter language: the one table from which checks, SQL, documentation and tests are derived.
 * An operation that is not here, or does not fit the field, is a fault: no condition is ever dropped.
 */
export const operations = {
  equals: {
    arity: 'some',
    types: equality,
    doc: 'The value is one of the given ones. Text is compared exactly, except e-mail addresses, which ignore letter case.',
    sql: (field, values) => field.equalsAny(values),
  },
  not_equals: {
    arity: 'some',
    types: equality,
    doc: 'The value is none of the given ones, or there is none.',
    sql: (field, values) => sql`(${field.equalsAny(values)}) is not true`,
  },
  contains: {
    arity: 'one',
    types: texts,
    operand: 'pattern',
    doc: 'The text occurs in the value, in any letter case. `%` and `_` mean themselves.',
    sql: (field, [text]) => like(field, `%${escapeLike(text)}%`),
  },
  not_contains: {
    arity: 'one',
    types: texts,
    operand: 'pattern',
    doc: 'The text does not occur in the value, in any letter case, or there is no value.',
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
    doc: 'The value is greater, or later.',
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
    doc: 'The value is less, or earlier.',
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
    doc: 'The value lies between the two given ones or equals one of them. Nothing lies between a greater and a lesser one.',
    sql(field, [low, high]) {
      const { value, parameter } = comparable(field);
      return sql`${value} between ${parameter(low!)} and ${parameter(high!)}`;
    },
  },
  is_null: {
    arity: 'none',
    types: nullable,
    doc: 'The contact has no value. `list_id`: it is a member of no list.',
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

const byName = new Map(Object.entries(operations) as [OperationName, OperationEntry][]);

/** Every operation with its entry, in the order of the documentation. */
export const operationEntries: ReadonlyMap<OperationName, OperationEntry> = byName;

/** The entry of an operation. */
export function operationEntry(name: OperationName): OperationEntry {
  return operations[name];
}

/** The operations of a type of field, in the order of the documentation; all operations without a type. */
export function operationsOf(type: FieldType | undefined): readonly OperationName[] {
  const entries = type === undefined ? [...byName] : [...byName].filter(([, { types }]) => types.includes(type));
  return entries.map(([name]) => name);
}

/** Finds an operation by its name in any letter case. */
export function findOperation(name: string): OperationName | undefined {
  const word = name.trim().toLowerCase() as OperationName;
  return byName.has(word) ? word : undefined;
}

/** Where the values have an index, what it holds: of the types with an order, that is the whole value. */
function comparable({ value, parameter, indexed }: FieldSql): Pick<FieldSql, 'value' | 'parameter'> {
  return indexed === undefined ? { value, parameter } : { value: indexed.ordered, parameter: indexed.parameter };
}

function compare(field: FieldSql, operator: RawBuilder<unknown>, bound: StoredValue): RawBuilder<SqlBool> {
  const { value, parameter } = comparable(field);
  return sql`${value} ${operator} ${parameter(bound)}`;
}

function startsWith(field: FieldSql, text: string): RawBuilder<SqlBool> {
  const whole = like(field, `${escapeLike(text)}%`);
  const start = field.indexed?.startsWith?.(text);
  if (start === undefined) return whole;
  return start.exact ? start.condition : sql`(${start.condition} and ${whole})`;
}

/** Both sides are folded by the server, so that they agree on every letter, and the pattern only once. */
function like(field: FieldSql, pattern: string): RawBuilder<SqlBool> {
  return sql`lower(${field.text}) like lower(${pattern}::text)`;
}

function escapeLike(text: StoredValue | undefined): string {
  return String(text).replaceAll(/[\\%_]/g, '\\$&');
}
