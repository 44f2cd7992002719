import { indexedAttributesPerAccount } from '@roster/contract';
import { requireLockedAccount } from '#features/accounts/store/require-account.ts';
import type { AccountRow } from '#features/accounts/store/account-store.ts';
import { countIndexed, findAttributeRow, markIndexed, type AttributeRow } from '#features/registry/attribute-store.ts';
import { changedFields, writeAudit, type Author } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { invalidField, notFound, conflict } from '#platform/errors/api-error.ts';
import { isIndexable } from '#features/registry/slots/slot.ts';

/** Loads an attribute. Throws `not_found`. */
export async function requireAttribute(db: Database, accountId: number, attributeId: number): Promise<AttributeRow> {
  const row = await findAttributeRow(db, accountId, attributeId);
  if (row === undefined) {
    throw notFound(`attribute ${attributeId} in account ${accountId}`);
  }
  return row;
}

/**
 * Stores whether an attribute should have indexes. A worker builds or drops them in the background.
 * If an earlier build failed, asking again starts a new one at once.
 *
 * Throws `not_found`, `invalid_request` for an attribute that cannot have indexes, and `conflict`
 * when there are too many indexed attributes.
 */
export async function changeIndexed(
  context: Context,
  accountId: number,
  attributeId: number,
  indexed: boolean,
  author: Author,
): Promise<AttributeRow> {
  return context.db.transaction().execute(async (trx) => {
    const account = await requireLockedAccount(trx, accountId);
    const before = await requireAttribute(trx, accountId, attributeId);
    if (before.indexed === indexed && before.index_failed_at === null) return before;
    if (indexed && !before.indexed) await refuseIndex(trx, account, before);
    const after = await markIndexed(trx, { accountId, id: attributeId, indexed, at: context.now() });
    if (before.indexed !== indexed) {
      await writeAudit(trx, context, {
        accountId,
        actor: author,
        action: 'attribute.update',
        subject: `attribute:${attributeId}`,
        details: { name: before.name, changes: changedFields({ indexed: before.indexed }, { indexed }) },
      });
    }
    return after;
  });
}

async function refuseIndex(trx: Database, account: AccountRow, { name, data_type }: AttributeRow): Promise<void> {
  if (!isIndexable(data_type)) {
    const message = `cannot be true for ${name}, because values of the type ${data_type} are not indexed`;
    throw invalidField('not_supported', 'indexed', message);
  }
  if (name === account.primary_key) {
    const message = `cannot be true for ${name}, because the primary key is always indexed`;
    throw invalidField('not_allowed', 'indexed', message);
  }
  if ((await countIndexed(trx, account.account_id)) < indexedAttributesPerAccount) return;
  const full = `The account has ${indexedAttributesPerAccount} indexed attributes, which is the maximum`;
  throw conflict(`${full}. Remove the index of another attribute first.`);
}
