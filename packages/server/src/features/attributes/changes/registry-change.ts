import type { Refusal } from '#features/registry/refusal.ts';
import type { WholeResult } from '#pipeline/operations/operation.ts';
import { unknownName, type AttributeReference } from '@roster/contract';
import { lockAccount, type AccountRow } from '#features/accounts/store/account-store.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { loadAttributeRows, toAttribute, type AttributeRow } from '#features/registry/attribute-store.ts';
import { loadFormerMasks, type FormerMasks } from '#features/registry/former-masks.ts';
import { createRegistry, type Registry } from '#features/registry/registry.ts';

/** The registry of a locked account, while it is changed. */
export interface OpenRegistry {
  readonly account: AccountRow;
  readonly rows: readonly AttributeRow[];
  readonly formerMasks: FormerMasks;
}

/**
 * Locks the account and loads its attributes. While the account is locked, no segment can start to
 * use an attribute.
 *
 * If the account has contacts, the caller must hold the lane, so that no contact gets a new value.
 */
export async function openRegistry(trx: Database, accountId: number): Promise<OpenRegistry> {
  const account = await lockAccount(trx, accountId);
  if (account === undefined) throw new Error('the account of a waiting request does not exist');
  const rows = await loadAttributeRows(trx, accountId);
  return { account, rows, formerMasks: await loadFormerMasks(trx, accountId) };
}

/** Makes a registry of rows. */
export function registryOf(account: Pick<AccountRow, 'primary_key'>, rows: readonly AttributeRow[]): Registry {
  return createRegistry(account.primary_key, rows.map(toAttribute));
}

/** Finds the attribute of a reference. Names are in upper case. Does not follow mappings. */
export function findRow(rows: readonly AttributeRow[], reference: AttributeReference): AttributeRow | undefined {
  return 'id' in reference
    ? rows.find((row) => row.attribute_id === reference.id)
    : rows.find((row) => row.name === reference.name);
}

/** Makes the result of an item that cannot be applied. */
export function refused(refusals: readonly Refusal[]): WholeResult {
  return {
    outcome: 'failed',
    failures: refusals.map(({ code, field, message }) => ({ code, ...(field === '' ? {} : { field }), message })),
  };
}

/** Makes the refusal of a reference to an unknown attribute. */
export function unknownAttribute(rows: readonly AttributeRow[], reference: AttributeReference): Refusal {
  return { code: 'attribute_not_found', field: '', message: unknownReference(rows, reference) };
}

/** Makes the message for an unknown attribute, with the name that was probably meant. */
export function unknownReference(rows: readonly AttributeRow[], reference: AttributeReference): string {
  if ('id' in reference) return 'The account has no attribute with this id.';
  const names = rows.map(({ name }) => name);
  return unknownName(reference.name, 'an attribute of the account', names);
}
