import type { DataType } from '@roster/contract';
import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { StoredValue } from '#features/registry/registry.ts';

/**
 * The expressions that indexes on the values of an attribute are made on (docs/decisions/0011-attribute-indexes.md).
 *
 * The server uses an index only for the very expression that it was made on, so the search compiler and the definitions of the indexes
 * both take it from here. An index whose expression changes needs another name, so that it is built again.
 *
 * None of them can be too large for a row of an index or fail, whatever is stored: contacts can always be written, also in the moments
 * between a change of the data type and that of the index.
 */

/** Data types whose values can be indexed. */
export type IndexableType = Exclude<DataType, 'long_text'>;

/** True when values of the type can be indexed: a `long_text` has neither order nor operations that an index could serve. */
export function isIndexable(dataType: DataType): dataType is IndexableType {
  return dataType !== 'long_text';
}

// A row of an index has at most 2,704 bytes, a character at most 4; a text has up to 1,000 characters.
const orderedCharacters = 600;
const foldedCharacters = 128;

const attributes = sql.ref('contacts.attributes');

/** The value as it is ordered: numbers and booleans as such, texts, dates and date-times by their first characters; null for none. */
export function orderedValue(key: string, dataType: IndexableType): RawBuilder<unknown> {
  const name = sql.lit(key);
  if (dataType !== 'number' && dataType !== 'boolean') {
    return sql`left(${attributes}->>${name}, ${sql.lit(orderedCharacters)}) collate "C"`;
  }
  // An index on the JSON values would take twice the time to build, and half as much space again.
  const type = dataType === 'number' ? sql`numeric` : sql`boolean`;
  return sql`(case when jsonb_typeof(${attributes}->${name}) = ${sql.lit(dataType)} then (${attributes}->${name})::${type} end)`;
}

/** A stored value as a parameter to compare {@link orderedValue} with. */
export function orderedParameter(dataType: IndexableType, value: StoredValue): RawBuilder<unknown> {
  if (dataType === 'number') return sql`${String(value)}::numeric`;
  if (dataType === 'boolean') return sql`${value}::boolean`;
  return sql`left(${value}::text, ${sql.lit(orderedCharacters)})`;
}

/** True for a text that {@link orderedValue} has only the beginning of. */
export function isCutOff(text: string): boolean {
  return text.length > orderedCharacters;
}

/** True for contacts whose text {@link orderedValue} has only the beginning of. */
export function hasCutOff(key: string): RawBuilder<SqlBool> {
  return sql`char_length(${attributes}->>${sql.lit(key)}) > ${sql.lit(orderedCharacters)}`;
}

/** The first characters of a text in lower case. */
export function foldedStart(key: string): RawBuilder<unknown> {
  return sql`left(lower(${attributes}->>${sql.lit(key)}), ${sql.lit(foldedCharacters)})`;
}

/** True when {@link foldedStart} has enough of a value to tell whether it begins with the text; in lower case a text can grow to thrice its length. */
export function fitsFoldedStart(text: string): boolean {
  return text.length * 3 <= foldedCharacters;
}

/** The first characters of a parameter in lower case, as {@link foldedStart} has them of values. */
export function foldedParameter(text: string): RawBuilder<unknown> {
  return sql`left(lower(${text}::text), ${sql.lit(foldedCharacters)})`;
}
