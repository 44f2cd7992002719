import { noteMoves } from '#features/activities/moves/move-store.ts';
import { insertForgotten } from '#features/contacts/forgotten/forgotten-store.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { ownIdentifiers } from '#features/people/identifier-store.ts';
import { kindOfKey, valuesOf, type Identifier } from '#features/contacts/model/identifiers.ts';
import type { Person } from '#features/people/person.ts';
import { lockLane } from '#pipeline/log/lane.ts';
import {
  deleteAwaitedOptOuts,
  deleteKeysWith,
  deleteMailsTo,
  deleteSignUpsOf,
  forgetNotified,
  isForgotten,
  type Names,
} from './traces-outside-requests-store.ts';
import { noteErased, type ErasureKey, type ErasureRow } from '../store/erasure-store.ts';

/**
 * Erases the traces of a person that are not in requests: mails, sign-ups, the address as that of an exporter, idempotency keys that were made
 * of an identifier, and what is kept under identities that the person had before. What came after the erasure stays: it is new.
 */
export async function eraseBesideRequests(
  { db }: Context,
  key: ErasureKey,
  row: ErasureRow,
  person: Person,
): Promise<void> {
  const { accountId } = key;
  await db.transaction().execute(async (trx) => {
    const names = namesOf(person, row.erased_at);
    const mails = await deleteMailsTo(trx, accountId, names);
    const signUps = await deleteSignUpsOf(trx, accountId, names, person.primaryKey);
    await forgetNotified(trx, accountId, names);
    await deleteKeysWith(trx, accountId, names);
    await noteErased(trx, key, { mails, signUps });
  });
  await db.transaction().execute(async (trx) => {
    await lockLane(trx, accountId);
    await eraseLearned(trx, key, row, person.primaryKey);
  });
}

function namesOf(person: Person, before: Date): Names {
  const of = (kind: 'identity' | 'email' | 'mobile') => valuesOf(person.identifiers, kind);
  return { identities: of('identity'), emails: of('email'), mobiles: of('mobile'), before };
}

/**
 * What the person was known by before: activities that were reported late under an old identity, opt-outs that await it, and hashes. Unless a
 * contact has it now, which is somebody else. The lane of the account must be held.
 */
async function eraseLearned(trx: Database, key: ErasureKey, row: ErasureRow, primaryKey: string): Promise<void> {
  const { accountId, requestId } = key;
  const owner = { accountId, primaryKey, contactId: row.contact_id };
  const learned = await ownIdentifiers(trx, owner, row.learned as Identifier[]);
  const keys = valuesOf(learned, kindOfKey(primaryKey));
  await eraseUnderKeys(trx, accountId, keys);
  // Somebody who has come back, or whom an operator let come back, is not forgotten anew.
  if (await isForgotten(trx, accountId, requestId)) await insertForgotten(trx, accountId, requestId, learned);
}

/** Erases what is kept under identities that no contact has. The lane of the account must be held. */
export async function eraseUnderKeys(trx: Database, accountId: number, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await noteMoves(trx, accountId, new Map(keys.map((one) => [one, null])));
  await deleteAwaitedOptOuts(trx, accountId, keys);
}
