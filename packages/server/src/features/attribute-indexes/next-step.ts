import { isIndexable } from '#features/search/filter/indexed-values.ts';
import { definitionsOf, type Definition, type IndexedAttribute } from './definitions.ts';
import type { Built, IndexRow } from './index-store.ts';

/** The next step towards the indexes that are wanted. */
export type Step =
  /** Stop searches from using the indexes, because they are not wanted, or some are missing. */
  | { readonly kind: 'withdraw'; readonly row: IndexRow }
  /** Drop something that is not wanted, or whose build was interrupted. */
  | { readonly kind: 'drop'; readonly built: Built }
  /** Build a missing definition. `isLast`: it is the last missing one of its attribute. */
  | {
      readonly kind: 'build';
      readonly attribute: IndexedAttribute;
      readonly definition: Definition;
      readonly isLast: boolean;
    }
  /** Let searches use the indexes, because all of them exist. */
  | { readonly kind: 'publish'; readonly attribute: IndexedAttribute };

// Milliseconds until a failed build, for example because of a full disk, is tried again.
const retryAfter = 60_000;

/**
 * Compares the wanted definitions with the existing ones. Returns undefined if there is nothing to
 * do.
 *
 * Indexes are withdrawn from searches before they are dropped, and invalid ones are dropped before
 * they are built again.
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
