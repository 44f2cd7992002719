import { anonymousPrefix } from '@roster/contract';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { coerce } from '../attributes/coerce.ts';
import type { Attribute, StoredValue } from '../attributes/registry.ts';
import type { Field } from './fields.ts';

/**
 * A field in SQL, on the table or alias `contacts`.
 *
 * The expressions of one field agree with each other: `value` is SQL null exactly when `isNull` holds, and every value that a caller
 * sent is a parameter. No expression can fail on a value that is stored, whatever its type: a search never ends with a cast error.
 */
export interface FieldSql {
  /** What ranges and sorting compare; texts in code point order (collation "C"), which is the same on every server. */
  readonly value: RawBuilder<unknown>;
  /** True when the value is never null, so that an index in plain order can serve the sorting. */
  readonly notNull: boolean;
  /** A stored value as a parameter of the type of {@link value}. */
  readonly parameter: (value: StoredValue) => RawBuilder<unknown>;
  /** True when the contact has one of the values; served by an index wherever the field has one. */
  readonly equalsAny: (values: readonly StoredValue[]) => RawBuilder<SqlBool>;
  /** True or false, never null. */
  readonly isNull: RawBuilder<SqlBool>;
  /** What `contains` and its like look into, in the default collation: "C" would fold the case of ASCII letters only. */
  readonly text: RawBuilder<unknown>;
}

/** The SQL of a field; `removedLists` are lists that are deleted but not yet taken out of the contacts. */
export function fieldSql(field: Field, removedLists: readonly number[] = []): FieldSql {
  if (field.type === 'identity') return identity;
  if (field.type === 'email') return email;
  if (field.type === 'contact_type') return contactType;
  if (field.type === 'list') return lists(removedLists);
  if (field.type === 'segment') throw new Error('a segment is a filter, not a column');
  return field.attribute === undefined ? column(field) : attribute(field.attribute, field.type);
}

const never = sql<SqlBool>`false`;

const columnTypes = {
  id: { sqlType: sql`bigint`, notNull: true },
  mobile: { sqlType: sql`text`, notNull: false },
  datetime: { sqlType: sql`timestamptz`, notNull: true },
  boolean: { sqlType: sql`boolean`, notNull: true },
} as const;

function column(field: Field): FieldSql {
  const { sqlType, notNull } = columnTypes[field.type as keyof typeof columnTypes];
  const value = sql.ref(`contacts.${field.name}`);
  return {
    value,
    notNull,
    parameter: (given) => sql`${given}::${sqlType}`,
    equalsAny: (values) => anyOf(value, values, sqlType),
    isNull: notNull ? never : sql`${value} is null`,
    text: sql`${value} collate "default"`,
  };
}

/** One value is compared with `=`, so that the planner knows that the index gives the rows in order. */
function anyOf(
  value: RawBuilder<unknown>,
  values: readonly StoredValue[],
  sqlType: RawBuilder<unknown>,
): RawBuilder<SqlBool> {
  return values.length === 1 ? sql`${value} = ${values[0]}::${sqlType}` : sql`${value} = any(${values}::${sqlType}[])`;
}

const contactTypeColumn = sql.ref('contacts.contact_type');

const contactType: FieldSql = {
  // By name: the order of the enumeration says nothing to a reader of the answer.
  value: sql`${contactTypeColumn}::text collate "C"`,
  notNull: true,
  parameter: textParameter,
  equalsAny: (values) => anyOf(contactTypeColumn, values, sql`contact_type`),
  isNull: never,
  text: sql`${contactTypeColumn}::text`,
};

const emailColumn = sql.ref('contacts.email');

const email: FieldSql = {
  value: emailColumn,
  notNull: false,
  parameter: textParameter,
  // The index contacts_email holds lower(email).
  equalsAny: (values) => anyOf(sql`lower(${emailColumn})`, values, sql`text`),
  isNull: sql`${emailColumn} is null`,
  text: sql`${emailColumn} collate "default"`,
};

const key = sql.ref('contacts.contact_key');
// A range instead of LIKE: the primary key serves it. '0' is the character after '/'.
const isAnonymous = sql<SqlBool>`(${key} >= ${sql.lit(anonymousPrefix)} and ${key} < 'anonymous0')`;

const identity: FieldSql = {
  value: sql`case when ${isAnonymous} then null else ${key} end`,
  notNull: false,
  parameter: textParameter,
  equalsAny(values) {
    // The keys of anonymous contacts are not identities, and nobody may find contacts by them.
    const identities = values.filter((value) => !String(value).startsWith(anonymousPrefix));
    return identities.length === 0 ? never : anyOf(key, identities, sql`text`);
  },
  isNull: isAnonymous,
  text: sql`case when ${isAnonymous} then null else ${key} end collate "default"`,
};

const listIds = sql.ref('contacts.list_ids');

function lists(removed: readonly number[]): FieldSql {
  return {
    value: listIds,
    notNull: false,
    parameter: (given) => sql`${[given]}::int[]`,
    equalsAny: (values) => sql`${listIds} && ${values}::int[]`,
    isNull: removed.length === 0 ? sql`${listIds} = '{}'` : sql`${listIds} <@ ${removed}::int[]`,
    text: listIds,
  };
}

const attributes = sql.ref('contacts.attributes');

// From 9 values on, the server compares with `= any` by hash, whatever their number. `@> any` compares one by one, 0.07 µs each, so a
// search that walks a million contacts for a hundred values took seconds: the hash goes before it. With more values than the second number
// even the matches that the GIN index finds cost more to compare than all contacts by hash.
const hashedValues = 9;
const indexedValues = 100;

function attribute({ key, widenedFrom }: Attribute, type: Field['type']): FieldSql {
  // A literal, not a parameter: the identifier comes from the registry, and an index on the expression can serve any kind of plan.
  const name = sql.lit(key);
  const isJson = type === 'number' || type === 'boolean';
  // JSON values are compared as they are: numbers by value, without a cast.
  const value = isJson ? sql`(${attributes}->${name})` : sql`(${attributes}->>${name}) collate "C"`;
  return {
    value,
    notNull: false,
    parameter: isJson ? (given) => sql`${JSON.stringify(given)}::jsonb` : textParameter,
    equalsAny(values) {
      const documents = values
        .flatMap((given) => [given, ...storedBefore(given, widenedFrom)])
        .map((given) => JSON.stringify({ [key]: given }));
      if (documents.length === 1) return sql`${attributes} @> ${documents[0]}::jsonb`;
      const contained = sql<SqlBool>`${attributes} @> any(${documents}::jsonb[])`;
      if (values.length < hashedValues) return contained;
      const hashed = isJson
        ? sql<SqlBool>`${value} = any(${values.map((given) => JSON.stringify(given))}::jsonb[])`
        : sql<SqlBool>`${value} = any(${values}::text[])`;
      return values.length > indexedValues ? hashed : sql`(${hashed} and ${contained})`;
    },
    isNull: sql`not (${attributes} ? ${name})`,
    text: sql`(${attributes}->>${name})`,
  };
}

/** The number or boolean that is still stored where its text is looked for; see `Attribute.widenedFrom`. */
function storedBefore(text: StoredValue, widenedFrom: Attribute['widenedFrom']): StoredValue[] {
  const before = widenedFrom === null ? undefined : coerce(widenedFrom, text);
  return before !== undefined && coerce('text', before) === text ? [before] : [];
}

function textParameter(value: StoredValue): RawBuilder<unknown> {
  return sql`${value}::text`;
}
