import type pg from 'pg';
import { loadFormerHolders } from './former-key-store.ts';
import { FormerKeys } from './former-keys.ts';
import type { Lookups } from '../model/lookups.ts';
import type { BatchAccount } from '../batch/batch-account.ts';
import type { ContactItem } from '../batch/contact-request.ts';

/**
 * Finds the contacts that had the keys before under which records of a batch may have come late, and adds the look-ups of these contacts.
 *
 * One query, and only when a record is from before the last change of an identity in the account: nearly always there is none.
 */
export async function loadFormerKeys(
  client: pg.ClientBase | pg.Pool,
  accountId: number,
  { lastKeyChange, registry: { primaryKey } }: BatchAccount,
  items: readonly ContactItem[],
  lookups: Lookups,
): Promise<FormerKeys> {
  if (lastKeyChange === null) return new FormerKeys([]);
  const keys = new Set<string>();
  for (const { request, index } of items) request.lateKeys?.(index, primaryKey, lastKeyChange, keys);
  const holders = keys.size === 0 ? [] : await loadFormerHolders(client, accountId, keys);
  for (const { key, contactId } of holders) {
    lookups.key.add(key);
    lookups.id.add(contactId);
  }
  return new FormerKeys(holders);
}
