import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { attributeKey } from '#features/registry/registry.ts';
import { foldedStart, hasCutOff, orderedValue, type IndexableType } from '#features/search/filter/indexed-values.ts';

/** An attribute whose values are to be indexed. */
export interface IndexedAttribute {
  readonly accountId: number;
  readonly attributeId: number;
  readonly dataType: IndexableType;
}

/** Something that the database keeps for the values of an attribute. */
export interface Definition {
  readonly kind: 'index' | 'statistics';
  /** Says what it is: the same name is always the same definition. */
  readonly name: string;
  /** What it is made on: the part of the statement after its name. */
  readonly on: RawBuilder<unknown>;
}

/** What the names of all definitions begin with. */
export const namePrefix = 'contacts_attribute_';

/**
 * What is made for an attribute, statistics first (docs/decisions/0011-attribute-indexes.md).
 *
 * Two indexes for the two directions of a sorting: contacts without a value come last in both, and ties are in ascending order of
 * `contact_id` in both, so neither is the other one read backwards. For texts one more that finds beginnings in any letter case, and one of the
 * contacts whose text is longer than the others hold. The planner uses statistics of expressions only when they are asked for by
 * themselves: those of a partial index are not used.
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
