import { inexactNumber, type BulkAction, type BulkActionType, type Faults, type PartlyRead } from '@roster/contract';
import { findList } from '#features/audiences/list-store.ts';
import { coerce, isInexactText } from '#features/registry/coerce.ts';
import type { Registry } from '#features/registry/registry.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { StoredAction } from '#platform/database/schema/tables/bulk-changes.ts';

type Field = Exclude<keyof BulkAction, 'type'>;

/** The fields that each action needs. Other fields are refused. */
const fieldsOf: Record<BulkActionType, readonly Field[]> = {
  add_to_list: ['audience_id'],
  remove_from_list: ['audience_id'],
  set_attribute: ['attribute', 'value'],
  opt_out: ['channels'],
  opt_in: ['channels'],
  delete: [],
  erase: [],
};

/**
 * Checks an action against the account, and returns its stored form. Adds all faults; use the
 * result only if there are none.
 */
export async function checkAction(
  db: Database,
  accountId: number,
  registry: Registry,
  action: PartlyRead<BulkAction>,
  faults: Faults,
): Promise<StoredAction> {
  const { type, audience_id: audienceId = 0, attribute: name, value, channels = [] } = action;
  if (type === undefined) return { type: 'delete' };
  checkFields(type, action, faults);
  switch (type) {
    case 'add_to_list':
    case 'remove_from_list':
      if (audienceId > 0 && (await findList(db, accountId, audienceId)) === undefined) {
        faults.add('not_found', 'is not the audience_id of a list of the account', 'action.audience_id');
      }
      return { type, audience_id: audienceId };
    case 'set_attribute':
      return { type, attribute_id: checkAttribute(registry, name, value, faults), value: value ?? null };
    case 'opt_out':
    case 'opt_in':
      return { type, channels: [...new Set(channels.filter((channel) => channel !== undefined))] };
    case 'delete':
    case 'erase':
      return { type };
  }
}

function checkFields(type: BulkActionType, action: PartlyRead<BulkAction>, faults: Faults): void {
  const needed = fieldsOf[type];
  for (const field of ['audience_id', 'attribute', 'value', 'channels'] as const) {
    // A field that the reader could not read is present, but undefined.
    if (field in action) {
      if (!needed.includes(field)) faults.add('not_allowed', `does not belong to ${type}`, `action.${field}`);
    } else if (needed.includes(field)) {
      faults.add('required', `is required for ${type}`, `action.${field}`);
    }
  }
}

/** Returns the number of the attribute; 0 if there are faults. */
function checkAttribute(
  registry: Registry,
  name: string | undefined,
  value: string | number | boolean | null | undefined,
  faults: Faults,
): number {
  if (name === undefined) return 0;
  const attribute = registry.find(name);
  if (attribute === undefined) {
    faults.add('not_found', 'is not the name of an attribute of the account', 'action.attribute');
    return 0;
  }
  if (['EMAIL', 'MOBILE', registry.primaryKey].includes(attribute.name)) {
    faults.add('not_allowed', 'must not be EMAIL, MOBILE or the primary key', 'action.attribute');
    return 0;
  }
  if (value !== undefined && value !== null && coerce(attribute.dataType, value) === undefined) {
    faults.add(
      'invalid_type',
      isInexactText(attribute.dataType, value)
        ? inexactNumber
        : `does not fit the data type of ${attribute.name}, ${attribute.dataType}`,
      'action.value',
    );
  }
  return attribute.id;
}
