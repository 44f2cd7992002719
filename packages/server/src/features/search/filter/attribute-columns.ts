import { sql, type SqlBool } from 'kysely';
import { coerce } from '#features/registry/coerce.ts';
import type { Attribute, StoredValue } from '#features/registry/registry.ts';
import { textParameter, type FieldSql } from './field-sql.ts';
import {
  fitsFoldedStart,
  foldedParameter,
  foldedStart,
  hasCutOff,
  isIndexable,
  orderedParameter,
  orderedValue,
  type IndexableType,
} from './indexed-values.ts';

const attributes = sql.ref('contacts.attributes');

// From 9 values on, the server compares with `= any` by hash, whatever their number. `@> any` compares one by one, 0.07 µs each, so a
// search that walks a million contacts for a hundred values took seconds: the hash goes before it. With more values than the second number
// even the matches that the GIN index finds cost more to compare than all contacts by hash.
const hashedValues = 9;
const indexedValues = 100;

/** The SQL of an attribute whose values are stored as such: the primary key is another field. */
export function attributeSql(attribute: Attribute): FieldSql {
  const { key, dataType, widenedFrom } = attribute;
  // A literal, not a parameter: the identifier comes from the registry, and an index on the expression can serve any kind of plan.
  const name = sql.lit(key);
  const isJson = dataType === 'number' || dataType === 'boolean';
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
    ...(attribute.indexed && isIndexable(dataType) ? indexed(key, dataType) : {}),
  };
}

function indexed(key: string, dataType: IndexableType): Pick<FieldSql, 'isNull' | 'indexed'> {
  const ordered = orderedValue(key, dataType);
  const sqlOfIndex = { ordered, parameter: (value: StoredValue) => orderedParameter(dataType, value) };
  return {
    isNull: sql`${ordered} is null`,
    indexed:
      dataType !== 'text'
        ? sqlOfIndex
        : {
            ...sqlOfIndex,
            cutOff: hasCutOff(key),
            startsWith: (text) => ({
              condition: sql`${foldedStart(key)} ^@ ${foldedParameter(text)}`,
              exact: fitsFoldedStart(text),
            }),
          },
  };
}

/** The number or boolean that is still stored where its text is looked for; see `Attribute.widenedFrom`. */
function storedBefore(text: StoredValue, widenedFrom: Attribute['widenedFrom']): StoredValue[] {
  const before = widenedFrom === null ? undefined : coerce(widenedFrom, text);
  return before !== undefined && coerce('text', before) === text ? [before] : [];
}
