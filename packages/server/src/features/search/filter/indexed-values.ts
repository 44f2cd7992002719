import type { DataType } from '@roster/contract';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { StoredValue } from '#features/registry/registry.ts';

/**
 * The expressions of the indexes on attribute values (docs/decisions/0011-attribute-indexes.md).
 *
 * PostgreSQL uses an index only for exactly the same expression. So the search compiler and the
 * definitions of the indexes both use this file. If you change an expression, change the name of
 * the index, too, so that it is built again.
 *
 * No expression may fail or become too large for an index row, whatever the stored value is.
 * Otherwise contacts could not be written. The type of a stored value can differ from the data type
 * for a short time, after the data type changed and before the index is built again.
 */

/** Data types whose values can be indexed. */
export type IndexableType = Exclude<DataType, 'long_text'>;

/** False for `long_text`, which has no operations that need an index. */
export function isIndexable(dataType: DataType): dataType is IndexableType {
  return dataType !== 'long_text';
}

// An index row has at most 2,704 bytes, a character has up to 4, and a text up to 1,000 characters.
const orderedCharacters = 600;
const foldedCharacters = 128;

const attributes = sql.ref('contacts.attributes');

/**
 * The expression by which values are ordered: a number, a boolean, or the first characters of a
 * text, date or date-time. Null when the contact has no value.
 */
export function orderedValue(key: string, dataType: IndexableType): RawBuilder<unknown> {
  const name = sql.lit(key);
  if (dataType !== 'number' && dataType !== 'boolean') {
    return sql`left(${attributes}->>${name}, ${sql.lit(orderedCharacters)}) collate "C"`;
  }
  // An index on the jsonb values would take twice the time to build, and 50 % more space.
  const type = dataType === 'number' ? sql`numeric` : sql`boolean`;
  return sql`(case when jsonb_typeof(${attributes}->${name}) = ${sql.lit(dataType)} then (${attributes}->${name})::${type} end)`;
}

/** Makes a parameter to compare with {@link orderedValue}. */
export function orderedParameter(dataType: IndexableType, value: StoredValue): RawBuilder<unknown> {
  if (dataType === 'number') return sql`${String(value)}::numeric`;
  if (dataType === 'boolean') return sql`${value}::boolean`;
  return sql`left(${value}::text, ${sql.lit(orderedCharacters)})`;
}

/** True when {@link orderedValue} has only the beginning of a text. */
export function isCutOff(text: string): boolean {
  return text.length > orderedCharacters;
}

/** The condition that {@link orderedValue} has only the beginning of the text of a contact. */
export function hasCutOff(key: string): RawBuilder<SqlBool> {
  return sql`char_length(${attributes}->>${sql.lit(key)}) > ${sql.lit(orderedCharacters)}`;
}

/** The expression for the first characters of a text, in lower case. */
export function foldedStart(key: string): RawBuilder<unknown> {
  return sql`left(lower(${attributes}->>${sql.lit(key)}), ${sql.lit(foldedCharacters)})`;
}

/**
 * True when {@link foldedStart} is long enough to decide whether a value starts with the text.
 * A text can become three times as long in lower case.
 */
export function fitsFoldedStart(text: string): boolean {
  return text.length * 3 <= foldedCharacters;
}

/** Makes a parameter to compare with {@link foldedStart}. */
export function foldedParameter(text: string): RawBuilder<unknown> {
  return sql`left(lower(${text}::text), ${sql.lit(foldedCharacters)})`;
}
