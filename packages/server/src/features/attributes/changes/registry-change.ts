import type { Refusal } from '#features/registry/refusal.ts';
import type { WholeResult } from '#pipeline/operations/operation.ts';
import { unknownName, type AttributeReference } from '@roster/contract';
import { lockAccount, type AccountRow } from '#features/accounts/store/account-store.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { loadAttributeRows, toAttribute, type AttributeRow } from '#features/registry/attribute-store.ts';
import { loadFormerMasks, type FormerMasks } from '#features/registry/former-masks.ts';
import { createRegistry, type Registry } from '#features/registry/registry.ts';

/** The registry of an account as it is while it is changed. */
export interface OpenRegistry {
  readonly account: AccountRow;
  readonly rows: readonly AttributeRow[];
  readonly formerMasks: FormerMasks;
}

/**
 * Locks the account, so that no segment begins to use an attribute meanwhile, and reads its attributes.
 *
 * The caller holds the lane of the account (or the account has no contacts yet), so no contact gets a value meanwhile either.
 */
export async function openRegistry(trx: Database, accountId: number): Promise<OpenRegistry> {
  const account = await lockAccount(trx, accountId);
  if (account === undefined) throw new Error('the account of a waiting request does not exist');
  const rows = await loadAttributeRows(trx, accountId);
  return { account, rows, formerMasks: await loadFormerMasks(trx, accountId) };
}

/** The registry that rows make up. */
export function registryOf(account: Pick<AccountRow, 'primary_key'>, rows: readonly AttributeRow[]): Registry {
  return createRegistry(account.primary_key, rows.map(toAttribute));
}

/** {@link registryOf} for a caller who needs only the masks, which do not depend on the primary key. */
export function maskRegistry(rows: readonly AttributeRow[]): Registry {
  return registryOf({ primary_key: 'EMAIL' }, rows);
}

/** The attribute that a reference means; names are in upper case and mean the attribute itself, mappings are not followed. */
export function findRow(rows: readonly AttributeRow[], reference: AttributeReference): AttributeRow | undefined {
  return 'id' in reference
    ? rows.find((row) => row.attribute_id === reference.id)
    : rows.find((row) => row.name === reference.name);
}

/** The result of an item that cannot be applied. */
export function refused(refusals: readonly Refusal[]): WholeResult {
  return {
    outcome: 'failed',
    failures: refusals.map(({ code, field, message }) => ({ code, ...(field === '' ? {} : { field }), message })),
  };
}

/** The refusal of a reference that means no attribute. */
export function unknownAttribute(rows: readonly AttributeRow[], reference: AttributeReference): Refusal {
  return { code: 'attribute_not_found', field: '', message: unknownReference(rows, reference) };
}

/** Says that a reference means no attribute, and which one was probably meant. */
export function unknownReference(rows: readonly AttributeRow[], reference: AttributeReference): string {
  if ('id' in reference) return 'The account has no attribute with this number.';
  const names = rows.map(({ name }) => name);
  return unknownName(reference.name, 'an attribute of the account', names);
}
