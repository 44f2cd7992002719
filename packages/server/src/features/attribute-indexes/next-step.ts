import { isIndexable } from '#features/search/filter/indexed-values.ts';
import { definitionsOf, type Definition, type IndexedAttribute } from './definitions.ts';
import type { Built, IndexRow } from './index-store.ts';

/** What has to be done next, so that the database has the indexes that are wanted. */
export type Step =
  /** Searches must not count on the indexes any more: they are not wanted, or not all there. */
  | { readonly kind: 'withdraw'; readonly row: IndexRow }
  /** Nobody wants it, or its build was interrupted. */
  | { readonly kind: 'drop'; readonly built: Built }
  /** A definition of an attribute is missing, maybe the last one. */
  | {
      readonly kind: 'build';
      readonly attribute: IndexedAttribute;
      readonly definition: Definition;
      readonly isLast: boolean;
    }
  /** All are there, and searches do not know. */
  | { readonly kind: 'publish'; readonly attribute: IndexedAttribute };

// What failed (a full disk, say) is tried again after this time.
const retryAfter = 60_000;

/**
 * Compares what is wanted with what there is; undefined when they agree, or nothing can be done now.
 *
 * Searches stop using indexes before these go, and invalid ones go before they are built again.
 */
export function nextStep(rows: readonly IndexRow[], built: readonly Built[], now: Date): Step | undefined {
  const valid = new Set(built.filter((one) => one.valid).map(({ name }) => name));
  const states = rows.map((row) => {
    const attribute = row.wanted && isIndexable(row.data_type) ? toAttribute(row, row.data_type) : undefined;
    const definitions = attribute === undefined ? [] : definitionsOf(attribute);
    return { row, attribute, definitions, missing: definitions.filter(({ name }) => !valid.has(name)) };
  });

  const lost = states.find(
    ({ row, attribute, missing }) =>
      row.indexed_as !== null && (attribute?.dataType !== row.indexed_as || missing.length > 0),
  );
  if (lost !== undefined) return { kind: 'withdraw', row: lost.row };

  const wanted = new Set(states.flatMap(({ definitions }) => definitions.map(({ name }) => name)));
  const useless = built.find(({ name, valid: usable }) => !usable || !wanted.has(name));
  if (useless !== undefined) return { kind: 'drop', built: useless };

  for (const { row, attribute, missing } of states) {
    if (attribute === undefined) continue;
    if (missing.length === 0) {
      if (row.indexed_as === null) return { kind: 'publish', attribute };
    } else if (row.index_failed_at === null || now.getTime() - row.index_failed_at.getTime() >= retryAfter) {
      return { kind: 'build', attribute, definition: missing[0]!, isLast: missing.length === 1 };
    }
  }
  return undefined;
}

function toAttribute({ account_id, attribute_id }: IndexRow, dataType: IndexedAttribute['dataType']): IndexedAttribute {
  return { accountId: account_id, attributeId: attribute_id, dataType };
}
