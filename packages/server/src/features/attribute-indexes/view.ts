import type { IndexStatus, OperatorAttribute } from '@roster/contract';
import type { AttributeFills } from './fill-store.ts';
import type { AttributeRow } from '#features/registry/attribute-store.ts';
import { attributeView } from '#features/attributes/routes/view.ts';

/** Converts an attribute to its form in the operator API. */
export function operatorAttributeView(row: AttributeRow, fills: AttributeFills): OperatorAttribute {
  const filled = fills.get(row.attribute_id) ?? 0;
  return { ...attributeView(row), filled, indexed: row.indexed, index_status: statusOf(row) };
}

function statusOf(row: AttributeRow): IndexStatus {
  if (!row.indexed) return 'none';
  if (row.indexed_as === row.data_type) return 'ready';
  return row.index_failed_at === null ? 'building' : 'failed';
}
