import { contactsPerRequest } from '@roster/contract';
import type { Registry } from '#features/registry/registry.ts';
import type { Context } from '#platform/context.ts';
import type { StoredAction } from '#platform/database/schema/tables/bulk-changes.ts';
import type { Author } from '#platform/audit-log/audit-log.ts';
import type { BulkChangeRow } from '../store/bulk-change-store.ts';
import type { NewAcceptance } from '#pipeline/accept/acceptor.ts';
import type { Payloads } from '#pipeline/operations/payload.ts';

// Each erasure is a request of its own, so a chunk of a thousand would delay other requests.
const erasuresPerChunk = 50;

/** Returns how many contacts a chunk of a bulk change has. */
export function chunkSizeOf({ type }: Pick<StoredAction, 'type'>): number {
  return type === 'erase' ? erasuresPerChunk : contactsPerRequest;
}

/** Makes the requests that apply an action to the contacts of a chunk. */
export function requestsOf(
  { newId }: Pick<Context, 'newId'>,
  { account_id: accountId, action, author }: Pick<BulkChangeRow, 'account_id' | 'action' | 'author'>,
  registry: Registry,
  contactIds: readonly number[],
): NewAcceptance[] {
  const total = contactIds.length;
  const one = { accountId, requestId: newId(), total };
  switch (action.type) {
    case 'erase':
      return contactIds.map((contactId) => {
        const requestId = newId();
        const payload = { contact_id: contactId, erasure_id: requestId, author: author as Author };
        return { accountId, requestId, operation: 'contact.erase', payload, total: 1 };
      });
    case 'delete':
      return [
        { ...one, operation: 'contact.delete', payload: { contacts: contactIds.map((id) => ({ contact_id: id })) } },
      ];
    default: {
      const change = changeOf(action, registry);
      const contacts = contactIds.map((id) => ({ contact_id: id, ...change }));
      return [{ ...one, operation: 'contact.update', payload: { contacts } }];
    }
  }
}

type Change = Omit<Payloads['contact.update']['contacts'][number], 'contact_id'>;

function changeOf(action: Exclude<StoredAction, { type: 'delete' | 'erase' }>, registry: Registry): Change {
  switch (action.type) {
    case 'add_to_list':
    case 'remove_from_list': {
      const direction = action.type === 'add_to_list' ? 'add' : 'remove';
      return { audience_details: [{ audience_id: [action.audience_id], action: direction }] };
    }
    case 'set_attribute': {
      // An attribute in use cannot be deleted or renamed. See `bulkChangesUsingAttributes`.
      const { name } = registry.byId(action.attribute_id)!;
      return { attributes: { [name]: action.value } };
    }
    case 'opt_out':
    case 'opt_in': {
      const isIn = action.type === 'opt_in';
      return { subscriptions: Object.fromEntries(action.channels.map((channel) => [channel, isIn])) };
    }
  }
}
