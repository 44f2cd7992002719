import type { Erasure, RememberBody } from '@roster/contract';
import { requireAccount } from '#features/accounts/store/require-account.ts';
import { writeAudit, type Author } from '#platform/audit-log/audit-log.ts';
import { findContactType } from '#features/contacts/routes/contact-type-store.ts';
import {
  deleteForgotten,
  erasuresWith,
  forgottenKey,
  hashIdentifier,
} from '#features/contacts/forgotten/forgotten-store.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { invalidField, notFound } from '#platform/errors/api-error.ts';
import type { Service } from '#platform/http/server/service.ts';
import { identifiersOf } from '#features/contacts/model/identifiers.ts';
import { awaitResult } from '#pipeline/accept/await-result.ts';
import { clockTolerance, findErasure, type ErasureKey, type ErasureRow } from './store/erasure-store.ts';
import { erasureView } from './store/erasure-view.ts';
import { filesStartedBefore } from './store/export-file-store.ts';
import { contactNotFound } from '#features/contacts/model/contact-not-found.ts';

/**
 * Erases a contact in the order of acceptance, after all earlier requests (docs/privacy.md).
 * Returns when the contact is deleted; its traces are erased in the background. Throws `not_found`
 * and `pipeline_busy`.
 */
export async function eraseContact(
  { context, acceptor }: Service,
  accountId: number,
  contactId: number,
  { requestId, author }: { readonly requestId: string; readonly author: Author },
  signal: AbortSignal,
): Promise<Erasure> {
  await requireAccount(context.db, accountId);
  // Return 404 early. A caller knows the id only after the contact was created, so no request in
  // the queue can still create it.
  if ((await findContactType(context.db, accountId, contactId)) === undefined)
    throw contactNotFound(accountId, contactId);
  const payload = { contact_id: contactId, erasure_id: requestId, author };
  await acceptor.accept({
    accountId,
    requestId,
    operation: 'contact.erase',
    payload,
    total: 1,
    idempotency: undefined,
  });
  const { failures } = await awaitResult(context, { accountId, requestId }, { signal });
  if (failures[0]?.code === 'contact_not_found') throw contactNotFound(accountId, contactId);
  const row = await findErasure(context.db, { accountId, requestId });
  if (row === undefined) throw new Error('an applied contact.erase request has no erasure');
  return viewOf(context.db, row);
}

/** Returns the erasure of a request. Throws `not_found`. */
export async function getErasure({ db }: Pick<Context, 'db'>, key: ErasureKey): Promise<Erasure> {
  const row = await findErasure(db, key);
  if (row === undefined) {
    throw notFound(`erasure ${key.requestId} in account ${key.accountId}`);
  }
  return viewOf(db, row);
}

/** Returns an erasure with the export files that still exist. */
export async function viewOf(db: Database, row: ErasureRow): Promise<Erasure> {
  // Most erasures have no files. Skip the query for them.
  if (row.export_ids.length === 0) return erasureView(row, []);
  const begunBefore = new Date(row.erased_at.getTime() + clockTolerance);
  return erasureView(row, await filesStartedBefore(db, row.account_id, row.export_ids, begunBefore));
}

/**
 * Allows forgotten people with an identity, address or number to be stored again. Returns how many.
 * Throws `not_found` if there are none, and `invalid_request` if the identity does not have the
 * form of the primary key.
 */
export async function undoForgotten(
  context: Context,
  accountId: number,
  names: RememberBody,
  author: Author,
): Promise<number> {
  return context.db.transaction().execute(async (trx) => {
    const account = await requireAccount(trx, accountId);
    const identifiers = identifiersOf(names, account.primary_key);
    if (names.identity !== undefined && identifiersOf({ identity: names.identity }, account.primary_key).length === 0) {
      throw invalidField('invalid_format', 'identity', `does not have the form of ${account.primary_key}`);
    }
    const { forgotten_salt: salt } = account;
    const key = salt === null ? undefined : forgottenKey(salt);
    const hashes = key === undefined ? [] : identifiers.map((identifier) => hashIdentifier(key, identifier));
    const erasures = await erasuresWith(trx, accountId, hashes);
    if (erasures.length === 0) {
      throw notFound(`forgotten person of this description in account ${accountId}`);
    }
    await deleteForgotten(trx, accountId, erasures);
    for (const erasureId of erasures) {
      await writeAudit(trx, context, {
        accountId,
        actor: author,
        action: 'forgotten.undo',
        subject: `erasure:${erasureId}`,
      });
    }
    return erasures.length;
  });
}
