import type { Refusal } from '#features/registry/refusal.ts';
import type { AttributeUse, DataType } from '@roster/contract';
import type { Database } from '#platform/database/connection/database.ts';
import { filterFaults } from '#features/search/filter/check-filter.ts';
import { fromStoredFilter } from '#features/search/filter/stored-filter.ts';
import { isIndexable } from '#features/search/filter/indexed-values.ts';
import {
  findKeysWithValues,
  forgetWidening,
  markIndexed,
  startWidening,
  type AttributeRow,
} from '#features/registry/attribute-store.ts';
import { attributeKey } from '#features/registry/registry.ts';
import { registryOf } from './registry-change.ts';
import { describeUses, segmentsReading, usesOf, type UsageScope } from '../usage/usage.ts';

/** The changes that lose nothing, whatever is stored: every value has one text, and a long text holds every text. */
const widenings: Partial<Record<DataType, readonly DataType[]>> = {
  text: ['number', 'boolean', 'date', 'datetime'],
  long_text: ['text'],
};

function isWidening(from: DataType, to: DataType): boolean {
  return widenings[to]?.includes(from) ?? false;
}

/**
 * Those of the attributes, as they are, that contacts have values of which their new type would lose.
 *
 * Found for all of them in one pass: no index finds who has some value, and a hundred passes over a million contacts take longer than the call
 * waits.
 */
export async function losingValues(
  trx: Database,
  accountId: number,
  changes: ReadonlyMap<AttributeRow, AttributeRow>,
): Promise<ReadonlySet<AttributeRow>> {
  const losing = [...changes].flatMap(([before, after]) =>
    before.data_type === after.data_type || isWidening(before.data_type, after.data_type) ? [] : before,
  );
  if (losing.length === 0) return new Set();
  const keyOf = (row: AttributeRow) => attributeKey(accountId, row.attribute_id);
  const found = await findKeysWithValues(trx, accountId, losing.map(keyOf));
  return new Set(losing.filter((row) => found.has(keyOf(row))));
}

/**
 * Why an attribute cannot get its new type; undefined when it can.
 *
 * A widening is possible while every use stays valid; any other change while nothing uses the attribute and no contact has a value, see
 * {@link losingValues}. `rows` are the attributes as they shall be.
 */
export function dataTypeRefusal(
  scope: UsageScope,
  rows: readonly AttributeRow[],
  before: AttributeRow,
  after: AttributeRow,
  losesValues: boolean,
): Refusal | undefined {
  if (before.data_type === after.data_type) return undefined;
  const refuse = (why: string): Refusal => ({
    code: 'attribute_data_type',
    field: 'data_type',
    message: `The type of ${before.name} cannot change from ${before.data_type} to ${after.data_type}. ${why}`,
  });
  const widening = isWidening(before.data_type, after.data_type);
  // A mapping that the same request takes away uses nothing any more; the primary key still has the name from before.
  const uses = usesOf({ ...scope, rows }, { ...after, name: before.name });
  const broken = widening ? usesBroken(scope, rows, before, after, uses) : uses;
  if (broken.length > 0)
    return refuse(`The attribute is in use by ${describeUses(broken)}. Change or delete what uses it first.`);
  if (!losesValues) return undefined;
  return refuse('Contacts have values of it. Only a change to text, or from text to long_text, keeps them.');
}

/** Those of the uses of an attribute that a widening would break: mappings, the primary key unless it stays a text, segments that compare otherwise. */
function usesBroken(
  scope: UsageScope,
  rows: readonly AttributeRow[],
  before: AttributeRow,
  after: AttributeRow,
  uses: readonly AttributeUse[],
): AttributeUse[] {
  const registry = registryOf(scope.account, scope.rows);
  const changed = registryOf(scope.account, rows);
  const segments = new Set(
    segmentsReading(scope, before)
      .filter(
        ({ filter }) =>
          filterFaults(fromStoredFilter(filter, registry), registry).length === 0 &&
          filterFaults(fromStoredFilter(filter, changed), changed).length > 0,
      )
      .map(({ audience_id }) => audience_id),
  );
  return uses.filter(({ feature, id }) => {
    if (feature === 'segment') return segments.has(Number(id));
    // The types of a mapping must agree, and identities are texts; what an export has begun with must stay exportable.
    return feature === 'mapping' || after.data_type === 'long_text';
  });
}

/**
 * Has stored numbers and booleans turned into text when the type became text, and ends that when it is no text any more. A type that cannot be
 * indexed ends the wish for an index.
 */
export async function changeDataType(
  trx: Database,
  accountId: number,
  before: AttributeRow,
  after: AttributeRow,
  at: Date,
): Promise<void> {
  if (after.widened_from === null) await forgetWidening(trx, accountId, [before.attribute_id]);
  else if (after.widened_from !== before.widened_from) await startWidening(trx, accountId, before.attribute_id, at);
  if (before.indexed && !isIndexable(after.data_type)) await markIndexed(trx, accountId, before.attribute_id, false);
}
