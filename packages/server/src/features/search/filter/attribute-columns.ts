import { sql, type SqlBool } from 'kysely';
import { coerce, widenedText } from '#features/registry/coerce.ts';
import type { Attribute, StoredValue } from '#features/registry/registry.ts';
import { textParameter, type FieldSql } from './field-sql.ts';
import { isIndexable } from '#features/registry/slots/slot.ts';
import { slotConditions } from './slot-sql.ts';

const attributes = sql.ref('contacts.attributes');

// With 9 values or more, PostgreSQL evaluates `= any` with a hash table, in constant time. `@> any`
// compares the values one by one (0.07 µs each). For a million contacts and a hundred values, that
// took seconds. So the hash condition is tested before `@> any`.
const hashedValues = 9;
// With more values, testing the matches of the GIN index takes longer than testing all contacts
// with the hash table. So only the hash condition is used.
const indexedValues = 100;

/** Makes the SQL of an attribute. Not for the primary key, which is stored as the identity. */
export function attributeSql(attribute: Attribute): FieldSql {
  const { key, dataType, widenedFrom, slot } = attribute;
  // A literal, so that generic plans can use an index on the expression, too. This is safe, because
  // the key comes from the registry.
  const name = sql.lit(key);
  const isJson = dataType === 'number' || dataType === 'boolean';
  // Numbers and booleans are compared as jsonb: that compares numbers by value and needs no cast.
  const value = isJson ? sql`(${attributes}->${name})` : sql`(${attributes}->>${name}) collate "C"`;
  const unindexed: FieldSql = {
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
  if (slot === null || !isIndexable(dataType)) return unindexed;
  return { ...unindexed, ...slotConditions(slot, dataType, unindexed) };
}

/** Returns the value that may still be stored instead of its text; see `Attribute.widenedFrom`. */
function storedBefore(text: StoredValue, widenedFrom: Attribute['widenedFrom']): StoredValue[] {
  const before = widenedFrom === null ? undefined : coerce(widenedFrom, text);
  return before !== undefined && widenedText(before) === text ? [before] : [];
}
