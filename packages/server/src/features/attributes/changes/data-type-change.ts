import type { Refusal } from '#features/registry/refusal.ts';
import type { AttributeUse, DataType } from '@roster/contract';
import type { Database } from '#platform/database/connection/database.ts';
import { filterFaults, losesRelativeDates } from '#features/search/filter/check-filter.ts';
import { fromStoredFilter } from '#features/search/filter/stored-filter.ts';
import {
  findKeysWithValues,
  removeWidening,
  markIndexed,
  startWidening,
  type AttributeRow,
} from '#features/registry/attribute-store.ts';
import { attributeKey } from '#features/registry/registry.ts';
import { isIndexable } from '#features/registry/slots/slot.ts';
import { registryOf } from './registry-change.ts';
import { describeUses, segmentsReading, usesOf, type UsageScope } from '../usage/usage.ts';

/** The changes of data type that keep all values: for each new type, the possible old types. */
const widenings: Partial<Record<DataType, readonly DataType[]>> = {
  text: ['number', 'boolean', 'date', 'datetime'],
  long_text: ['text'],
};

function isWidening(from: DataType, to: DataType): boolean {
  return widenings[to]?.includes(from) ?? false;
}

/**
 * Returns the attributes (before their change) whose stored values would be lost by the new type.
 *
 * Checks all attributes in one pass over the contacts, because no index finds the contacts that
 * have any value. A hundred passes over a million contacts would take longer than the caller waits.
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
 * Returns why an attribute cannot get its new data type, or undefined if it can.
 *
 * A widening is possible if all uses stay valid. Any other change is only possible if nothing uses
 * the attribute and no contact has a value; see {@link losingValues}.
 * `rows` has all attributes after the change.
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
  // Use the mappings after the change, because the same request may remove a mapping. But use the
  // old name, because the account still has it as its primary key.
  const uses = usesOf({ ...scope, rows }, { ...after, name: before.name });
  const broken = widening ? usesBroken(scope, rows, before, after, uses) : uses;
  if (broken.length > 0)
    return refuse(`The attribute is in use by ${describeUses(broken)}. Change or delete what uses it first.`);
  if (!losesValues) return undefined;
  return refuse(
    'Contacts have values of this attribute. Only a change to text, or from text to long_text, keeps them.',
  );
}

/**
 * Returns the uses of an attribute that a widening would break:
 * - mappings
 * - segments whose filter would not be valid anymore
 * - all other uses if the new type is `long_text`
 */
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
          (filterFaults(fromStoredFilter(filter, changed), changed).length > 0 ||
            losesRelativeDates(fromStoredFilter(filter, registry), registry, changed)),
      )
      .map(({ audience_id }) => audience_id),
  );
  return uses.filter(({ feature, id }) => {
    if (feature === 'segment') return segments.has(Number(id));
    // A mapping needs equal types. A `long_text` cannot be the primary key, and cannot be exported.
    return feature === 'mapping' || after.data_type === 'long_text';
  });
}

/**
 * Starts or removes the sweep that converts stored numbers and booleans to text, after a change of
 * the data type. Removes the indexes if the new type cannot be indexed.
 */
export async function changeDataType(
  trx: Database,
  accountId: number,
  before: AttributeRow,
  after: AttributeRow,
  at: Date,
): Promise<void> {
  if (after.widened_from === null) await removeWidening(trx, accountId, [before.attribute_id]);
  else if (after.widened_from !== before.widened_from) await startWidening(trx, accountId, before.attribute_id, at);
  if (before.indexed && !isIndexable(after.data_type))
    await markIndexed(trx, { accountId, id: before.attribute_id, indexed: false, at });
}
