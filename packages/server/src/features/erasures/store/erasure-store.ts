import { sql, type Selectable } from 'kysely';
import type { PlannedErasure } from '../batch/batch-part.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';
import type { Identifier } from '#features/contacts/model/identifiers.ts';
import { exportsWith } from './export-file-store.ts';

/** A row of `erasures`. */
export type ErasureRow = Selectable<Tables['erasures']>;

/** The clocks of the processes that write down when a file began and when a contact was erased differ by less, in milliseconds. */
export const clockTolerance = 10_000;

/** Which erasure. */
export interface ErasureKey {
  readonly accountId: number;
  readonly requestId: string;
}

/** Stores an erasure, in the transaction that deletes its contact and before it does. */
export async function insertErasure(
  trx: Database,
  accountId: number,
  erasure: PlannedErasure & { readonly primaryKey: string },
  at: Date,
): Promise<void> {
  const { erasureId, contactId } = erasure;
  const exportFiles = await exportsWith(trx, accountId, contactId);
  await trx
    .insertInto('erasures')
    .values({
      account_id: accountId,
      request_id: erasureId,
      contact_id: contactId,
      contact_created_at: erasure.contactCreatedAt,
      accepted_at: erasure.acceptedAt,
      erased_at: at,
      primary_key: erasure.primaryKey,
      identifiers: [...erasure.identifiers],
      position: sql<number>`(select seq from requests where account_id = ${accountId} and request_id = ${erasureId})`,
      export_ids: sql<string[]>`${exportFiles.map(({ request_id: id }) => id)}::uuid[]`,
    })
    .execute();
}

/** The erasure of a request. */
export async function findErasure(db: Database, { accountId, requestId }: ErasureKey): Promise<ErasureRow | undefined> {
  return db
    .selectFrom('erasures')
    .where('account_id', '=', accountId)
    .where('request_id', '=', requestId)
    .selectAll()
    .executeTakeFirst();
}

/** Erasures of an account, newest first, from before the request `before` on. */
export async function listErasures(
  db: Database,
  accountId: number,
  before: string | undefined,
  limit: number,
): Promise<ErasureRow[]> {
  return db
    .selectFrom('erasures')
    .where('account_id', '=', accountId)
    .$if(before !== undefined, (query) => query.where('request_id', '<', before!))
    .selectAll()
    .orderBy('request_id', 'desc')
    .limit(limit)
    .execute();
}

/** How far the search for traces in requests is. */
export interface SearchProgress {
  /** The requests before this place are left; null: none is. */
  readonly position: number | null;
  readonly isAgain: boolean;
  /** What was found out on the way. */
  readonly learned: readonly Identifier[];
  /** Items that were erased since the last note. */
  readonly items: number;
}

/** Writes down how far the search for traces is. */
export async function noteProgress(
  trx: Database,
  { accountId, requestId }: ErasureKey,
  { position, isAgain, learned, items }: SearchProgress,
): Promise<void> {
  await trx
    .updateTable('erasures')
    .where('account_id', '=', accountId)
    .where('request_id', '=', requestId)
    .where('finished_at', 'is', null)
    .set((eb) => ({
      position,
      is_again: isAgain,
      learned: [...learned],
      erased_items: eb('erased_items', '+', items),
    }))
    .execute();
}

/** Begins the search for traces anew, at the request of the erasure. */
export async function searchAgain(db: Database, { accountId, requestId }: ErasureKey): Promise<void> {
  await db
    .updateTable('erasures')
    .where('account_id', '=', accountId)
    .where('request_id', '=', requestId)
    .set({
      is_again: false,
      position: sql<
        number | null
      >`(select seq from requests where account_id = ${accountId} and request_id = ${requestId})`,
    })
    .execute();
}

/** Counts what was erased beside requests. */
export async function noteErased(
  trx: Database,
  { accountId, requestId }: ErasureKey,
  { mails, signUps }: { readonly mails: number; readonly signUps: number },
): Promise<void> {
  await trx
    .updateTable('erasures')
    .where('account_id', '=', accountId)
    .where('request_id', '=', requestId)
    .set((eb) => ({
      erased_mails: eb('erased_mails', '+', mails),
      erased_sign_ups: eb('erased_sign_ups', '+', signUps),
    }))
    .execute();
}

/** Ends an erasure: what the person was known by is not needed any more. */
export async function finishErasure(db: Database, { accountId, requestId }: ErasureKey, at: Date): Promise<void> {
  await db
    .updateTable('erasures')
    .where('account_id', '=', accountId)
    .where('request_id', '=', requestId)
    .where('finished_at', 'is', null)
    .set({ finished_at: at, identifiers: null, learned: [], position: null })
    .execute();
}

/** Erasures of all accounts that began before a moment and are not finished, the oldest first. */
export async function listUnfinishedErasures(
  db: Database,
  before: Date,
  limit: number,
): Promise<Pick<ErasureRow, 'account_id' | 'request_id'>[]> {
  return db
    .selectFrom('erasures')
    .where('finished_at', 'is', null)
    .where('erased_at', '<', before)
    .select(['account_id', 'request_id'])
    .orderBy('erased_at')
    .limit(limit)
    .execute();
}
