import type { AttributeRecord } from '@roster/contract';
import { mask } from '#features/registry/masking.ts';
import type { AttributeRow } from '#features/registry/attribute-store.ts';
import { registryOf } from '../changes/registry-change.ts';

/** Converts an attribute to its form in the API, without masking. */
function attributeView(row: AttributeRow): AttributeRecord {
  return {
    id: row.attribute_id,
    name: row.name,
    entity_type: row.entity_type,
    category: row.category,
    data_type: row.data_type,
    default_value: row.default_value,
    mapping: row.mapping,
    data_masking: row.data_masking,
    system: row.system,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/**
 * Converts attributes to their form for a caller. Without the right `unmasked`, the default of a
 * masked attribute is masked, because many contacts have it as their value.
 * `all` has all attributes of the account.
 */
export function attributeViews(
  rows: readonly AttributeRow[],
  all: readonly AttributeRow[],
  isUnmasked: boolean,
): AttributeRecord[] {
  if (isUnmasked) return rows.map(attributeView);
  // Masks do not depend on the primary key.
  const masks = registryOf({ primary_key: 'EMAIL' }, all);
  return rows.map((row) => ({
    ...attributeView(row),
    // Another request may have deleted the attribute since its row was read.
    default_value: mask(masks.byId(row.attribute_id)?.dataMasking ?? row.data_masking, row.default_value),
  }));
}
