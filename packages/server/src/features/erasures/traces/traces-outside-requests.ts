import { addMoves } from '#features/activities/moves/move-store.ts';
import { insertForgotten } from '#features/contacts/forgotten/forgotten-store.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { ownIdentifiers } from '#features/people/identifier-store.ts';
import { kindOfKey, valuesOf, type Identifier } from '#features/contacts/model/identifiers.ts';
import type { Person } from '#features/people/person.ts';
import { lockLane } from '#pipeline/queue/lane.ts';
import {
  clearNotifyEmails,
  deleteAwaitedOptOuts,
  deleteIdempotencyKeysWith,
  deleteMailsTo,
  deleteSignUpsOf,
  isForgotten,
  type TraceFilter,
} from './traces-outside-requests-store.ts';
import { addErasedCounts, type ErasureKey, type ErasureRow } from '../store/erasure-store.ts';

/**
 * Erases the traces of a person that are not in requests:
 *
 * - mails and sign-ups
 * - the e-mail addresses that exports notify
 * - idempotency keys that contain an identifier
 * - activities and awaited opt-outs under former identities
 *
 * Rows that are newer than the erasure stay.
 */
export async function eraseOutsideRequests(
  { db }: Context,
  key: ErasureKey,
  row: ErasureRow,
  person: Person,
): Promise<void> {
  const { accountId } = key;
  await db.transaction().execute(async (trx) => {
    const filter = traceFilterOf(person, row.erased_at);
    const mails = await deleteMailsTo(trx, accountId, filter);
    const signUps = await deleteSignUpsOf(trx, accountId, filter, person.primaryKey);
    await clearNotifyEmails(trx, accountId, filter);
    await deleteIdempotencyKeysWith(trx, accountId, filter);
    await addErasedCounts(trx, key, { mails, signUps });
  });
  await db.transaction().execute(async (trx) => {
    await lockLane(trx, accountId);
    await eraseFormerIdentifiers(trx, key, row, person.primaryKey);
  });
}

function traceFilterOf(person: Person, before: Date): TraceFilter {
  const of = (kind: 'identity' | 'email' | 'mobile') => valuesOf(person.identifiers, kind);
  return { identities: of('identity'), emails: of('email'), mobiles: of('mobile'), before };
}

/**
 * Erases activities and awaited opt-outs under former identities, and adds the former identifiers
 * to the hashes of forgotten people. Skips identifiers that another contact has now. The caller
 * must hold the lane of the account.
 */
async function eraseFormerIdentifiers(
  trx: Database,
  key: ErasureKey,
  row: ErasureRow,
  primaryKey: string,
): Promise<void> {
  const { accountId, requestId } = key;
  const owner = { accountId, primaryKey, contactId: row.contact_id };
  const learned = await ownIdentifiers(trx, owner, row.learned as Identifier[]);
  const keys = valuesOf(learned, kindOfKey(primaryKey));
  await eraseUnderKeys(trx, accountId, keys);
  // If the hashes were deleted, the person may be stored again, because of a new sign-up or by an
  // operator. In that case add none.
  if (await isForgotten(trx, accountId, requestId)) await insertForgotten(trx, accountId, requestId, learned);
}

/**
 * Erases the activities and awaited opt-outs under keys that no contact has. The caller must hold
 * the lane of the account.
 */
export async function eraseUnderKeys(trx: Database, accountId: number, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await addMoves(trx, accountId, new Map(keys.map((one) => [one, null])));
  await deleteAwaitedOptOuts(trx, accountId, keys);
}
