import { anonymousPrefix } from '@roster/contract';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { StoredValue } from '#features/registry/registry.ts';
import { addressMatches, addressSql, type AddressColumn } from '#features/registry/stored-addresses.ts';
import { derivedSql } from './activities/derived-sql.ts';
import type { Clock } from './time/relative-dates.ts';
import { attributeSql } from './attribute-columns.ts';
import { textParameter, type FieldSql } from './field-sql.ts';
import type { Field } from './fields.ts';

/** Makes the SQL of a field. `removedLists`: deleted lists that are still in some contacts. */
export function fieldSql(field: Field, removedLists: readonly number[] = []): FieldSql {
  if (field.derived !== undefined) return derivedSql(field.derived, requireClock(field));
  if (field.type === 'identity') return identity;
  if (field.type === 'email') return email;
  if (field.type === 'mobile') return mobile;
  if (field.type === 'contact_type') return contactType;
  if (field.type === 'list') return lists(removedLists);
  if (field.type === 'segment' || field.type === 'activity') throw new Error(`a ${field.type} is not a column`);
  return field.attribute === undefined ? column(field) : attributeSql(field.attribute);
}

function requireClock({ name, derived }: Field): Clock {
  if (derived?.clock === undefined) throw new Error(`${name} was found without the moment of a search`);
  return derived.clock;
}

const never = sql<SqlBool>`false`;

const columnTypes = {
  id: { sqlType: sql`bigint`, notNull: true },
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

/**
 * Compares a single value with `=`: the planner then knows that the index returns rows in order.
 */
function anyOf(
  value: RawBuilder<unknown>,
  values: readonly StoredValue[],
  sqlType: RawBuilder<unknown>,
): RawBuilder<SqlBool> {
  return values.length === 1 ? sql`${value} = ${values[0]}::${sqlType}` : sql`${value} = any(${values}::${sqlType}[])`;
}

const contactTypeColumn = sql.ref('contacts.contact_type');

const contactType: FieldSql = {
  // Sorted by name, because callers do not know the order of the enumeration.
  value: sql`${contactTypeColumn}::text collate "C"`,
  notNull: true,
  parameter: textParameter,
  equalsAny: (values) => anyOf(contactTypeColumn, values, sql`contact_type`),
  isNull: never,
  text: sql`${contactTypeColumn}::text`,
};

const mobile = addressField('mobile');

const email: FieldSql = {
  ...addressField('email'),
  // Addresses are ASCII, so the collation of the index folds all their letters.
  startsWith: (text) => addressMatches('email', (value) => sql`${value} ^@ (lower(${text}::text) collate "C")`),
};

function addressField(name: AddressColumn): FieldSql {
  const value = addressSql(name);
  return {
    value,
    notNull: false,
    parameter: textParameter,
    equalsAny: (values) => addressMatches(name, (comparable) => anyOf(comparable, values, sql`text`)),
    isNull: sql`${sql.ref(`contacts.${name}`)} is null`,
    text: sql`(${value}) collate "default"`,
  };
}

const key = sql.ref('contacts.contact_key');
// A range instead of LIKE, so that the primary key index can be used. '0' comes after '/'.
const isAnonymous = sql<SqlBool>`(${key} >= ${sql.lit(anonymousPrefix)} and ${key} < 'anonymous0')`;

const identity: FieldSql = {
  value: sql`case when ${isAnonymous} then null else ${key} end`,
  notNull: false,
  parameter: textParameter,
  equalsAny(values) {
    // The keys of anonymous contacts are not identities. Callers must not find contacts by them.
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
