import type { IndexStatus, OperatorAttribute } from '@roster/contract';
import type { AttributeFills } from './fill-store.ts';
import type { AttributeRow } from '#features/registry/attribute-store.ts';
import { attributeViews } from '#features/attributes/routes/view.ts';

/** What the views of the attributes of an account need. */
export interface ViewScope {
  /** All attributes of the account. */
  readonly all: readonly AttributeRow[];
  readonly fills: AttributeFills;
  /** Whether the caller sees masked values. */
  readonly isUnmasked: boolean;
}

/** Converts attributes to their form in the operator API. */
export function operatorAttributeViews(
  rows: readonly AttributeRow[],
  { all, fills, isUnmasked }: ViewScope,
): OperatorAttribute[] {
  return attributeViews(rows, all, isUnmasked).map((view, index) => {
    const row = rows[index]!;
    const filled = fills.get(row.attribute_id) ?? 0;
    return { ...view, filled, indexed: row.indexed, index_status: statusOf(row) };
  });
}

function statusOf(row: AttributeRow): IndexStatus {
  if (!row.indexed) return 'none';
  if (row.indexed_as === row.data_type) return 'ready';
  return row.index_failed_at === null ? 'building' : 'failed';
}
