import type { AttributeRecord } from '@roster/contract';
import type { AttributeRow } from './attribute-store.ts';

/** An attribute as the interface shows it (decisions §4). */
export function attributeView(row: AttributeRow): AttributeRecord {
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
