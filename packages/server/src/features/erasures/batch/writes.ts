import { writeAudit } from '#platform/audit-log/audit-log.ts';
import type { Context } from '#platform/context.ts';
import type { PlannedErasure } from './batch-part.ts';
import { formerKeys } from '#features/contacts/former-keys/former-key-store.ts';
import { insertForgotten } from '#features/contacts/forgotten/forgotten-store.ts';
import type { Write } from '#pipeline/operations/batch-model.ts';
import { databaseOn, type Database } from '#platform/database/connection/database.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { nextPriority } from '#platform/jobs/next-priority.ts';
import { ownIdentifiers } from '#features/people/identifier-store.ts';
import { keyIdentifier, kindOfKey, valuesOf } from '#features/contacts/model/identifiers.ts';
import { eraseUnderKeys } from '../traces/traces-outside-requests.ts';
import { insertErasure, unfinishedErasures } from '../store/erasure-store.ts';

/** Returns the writes of the erasures of a batch. They must run before the contacts are deleted. */
export function erasureWrites(
  accountId: number,
  primaryKey: string,
  erasures: readonly PlannedErasure[],
  context: Pick<Context, 'now'>,
): Write[] {
  return erasures.map((erasure) => (client) => erase(databaseOn(client), accountId, primaryKey, erasure, context));
}

async function erase(
  trx: Database,
  accountId: number,
  primaryKey: string,
  erasure: PlannedErasure,
  context: Pick<Context, 'now'>,
): Promise<void> {
  const { erasureId, contactId } = erasure;
  const former = (await formerKeys(trx, accountId, contactId)).map((one) => keyIdentifier(primaryKey, one.contact_key));
  const all = [...new Set([...erasure.identifiers, ...former])];
  const identifiers = await ownIdentifiers(trx, { accountId, primaryKey, contactId }, all);
  await insertErasure(trx, accountId, { ...erasure, primaryKey, identifiers }, context.now());
  await insertForgotten(trx, accountId, erasureId, identifiers);
  // Late activities may be stored under former identities. Erase them here. `applyErase` erases the
  // activities under the present identity.
  await eraseUnderKeys(
    trx,
    accountId,
    valuesOf(
      former.filter((one) => identifiers.includes(one)),
      kindOfKey(primaryKey),
    ),
  );
  await writeAudit(trx, context, {
    accountId,
    actor: erasure.author,
    action: 'contact.erase',
    subject: `contact:${contactId}`,
    details: { request_id: erasureId },
  });
  // Each erasure searches the whole log of its account, one after the other.
  const priority = await nextPriority(trx, unfinishedErasures(accountId));
  await addJob(trx, 'erase_traces', { account_id: accountId, request_id: erasureId }, { key: erasureId, priority });
}
