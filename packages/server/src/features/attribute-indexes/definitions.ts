import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { attributeKey } from '#features/registry/registry.ts';
import { foldedStart, hasCutOff, orderedValue, type IndexableType } from '#features/search/filter/indexed-values.ts';

/** An attribute whose values are to be indexed. */
export interface IndexedAttribute {
  readonly accountId: number;
  readonly attributeId: number;
  readonly dataType: IndexableType;
}

/** An index or extended statistics on the values of an attribute. */
export interface Definition {
  readonly kind: 'index' | 'statistics';
  /** The name in the database. Definitions that differ must have different names. */
  readonly name: string;
  /** The part of the CREATE statement after the name. */
  readonly on: RawBuilder<unknown>;
}

/** The prefix of the names of all definitions. */
export const namePrefix = 'contacts_attribute_';

/**
 * Returns the definitions of an attribute, statistics first
 * (docs/decisions/0011-attribute-indexes.md):
 *
 * - Extended statistics, because the planner ignores the statistics of the expression in a partial
 *   index.
 * - One index for each sort direction. Reading one index backwards would put contacts without a
 *   value first, and reverse the order of ties.
 * - Only for texts: an index for `starts_with` in any letter case, and an index of the contacts
 *   whose text is too long for the other indexes.
 */
export function definitionsOf({ accountId, attributeId, dataType }: IndexedAttribute): Definition[] {
  const key = attributeKey(accountId, attributeId);
  const isJson = dataType === 'number' || dataType === 'boolean';
  const name = (kind: string): string =>
    `${namePrefix}${accountId}_${attributeId}_${isJson ? dataType : 'text'}_${kind}`;
  const account = sql<SqlBool>`account_id = ${sql.lit(accountId)}`;
  const value = orderedValue(key, dataType);
  const statistics = (kind: string, expression: RawBuilder<unknown>): Definition => ({
    kind: 'statistics',
    name: name(kind),
    on: sql`on (${expression}) from contacts`,
  });
  const index = (kind: string, columns: RawBuilder<unknown>, where = account): Definition => ({
    kind: 'index',
    name: name(kind),
    on: sql`on contacts (${columns}) where ${where}`,
  });
  return [
    ...(dataType === 'boolean' || dataType === 'text' ? [] : [statistics('value', value)]),
    ...(dataType === 'text' ? [statistics('start_value', foldedStart(key))] : []),
    index('asc', sql`(${value}), contact_id`),
    index('desc', sql`(${value}) desc nulls last, contact_id`),
    ...(dataType === 'text'
      ? [
          index('start', sql`(${foldedStart(key)}) text_pattern_ops`),
          index('cut', sql`contact_id`, sql`${account} and ${hasCutOff(key)}`),
        ]
      : []),
  ];
}
