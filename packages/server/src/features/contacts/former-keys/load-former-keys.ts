import type pg from 'pg';
import { loadFormerHolders } from './former-key-store.ts';
import { FormerKeys } from './former-keys.ts';
import type { Lookups } from '../model/lookups.ts';
import type { BatchAccount } from '../batch/batch-account.ts';
import type { ContactItem } from '../batch/contact-request.ts';

/**
 * Loads the former holders of keys under which late records of a batch may be reported.
 * Adds look-ups for these contacts to `lookups`.
 *
 * Makes a query only if a record is older than the last change of an identity in the account,
 * which is rare.
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
