import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { PlannedErasure } from '../batch/batch-part.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';
import type { Identifier } from '#features/contacts/model/identifiers.ts';
import { exportsContaining } from './export-file-store.ts';

/** A row of `erasures`. */
export type ErasureRow = Selectable<Tables['erasures']>;

/**
 * Largest expected difference in milliseconds between the clocks of two processes: the one that
 * starts an export file, and the one that erases a contact.
 */
export const clockTolerance = 10_000;

// Erasures are finished in order, so the newest show how many wait.
const newestRead = 200;

/** Returns the query of the unfinished erasures of an account, among its newest 200. */
export function unfinishedErasures(accountId: number): RawBuilder<unknown> {
  return sql`
    select from (
      select finished_at from erasures where account_id = ${accountId} order by request_id desc limit ${newestRead}
    ) as newest where finished_at is null`;
}

/** The key of an erasure. */
export interface ErasureKey {
  readonly accountId: number;
  readonly requestId: string;
}

/** Stores an erasure. Call it in the transaction that deletes the contact, before the deletion. */
export async function insertErasure(
  trx: Database,
  accountId: number,
  erasure: PlannedErasure & { readonly primaryKey: string },
  at: Date,
): Promise<void> {
  const { erasureId, contactId } = erasure;
  const exportFiles = await exportsContaining(trx, accountId, contactId);
  const request = await trx
    .selectFrom('requests')
    .where('account_id', '=', accountId)
    .where('request_id', '=', erasureId)
    .select('seq')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('erasures')
    .values({
      account_id: accountId,
      request_id: erasureId,
      contact_id: contactId,
      accepted_at: erasure.acceptedAt,
      erased_at: at,
      primary_key: erasure.primaryKey,
      identifiers: [...erasure.identifiers],
      position: request.seq,
      export_ids: sql<string[]>`${exportFiles.map(({ request_id: id }) => id)}::uuid[]`,
    })
    .execute();
}

/** Returns the erasure of a request. */
export async function findErasure(db: Database, { accountId, requestId }: ErasureKey): Promise<ErasureRow | undefined> {
  return db
    .selectFrom('erasures')
    .where('account_id', '=', accountId)
    .where('request_id', '=', requestId)
    .selectAll()
    .executeTakeFirst();
}

/** Returns erasures of an account, newest first, that are older than the request `before`. */
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

/**
 * Returns the erasures of an account that run or ended after `since`, newest first. Looks only at
 * the newest hundred.
 */
export async function listRecentErasures(db: Database, accountId: number, since: Date): Promise<ErasureRow[]> {
  const rows = await listErasures(db, accountId, undefined, 100);
  return rows.filter(({ finished_at: at }) => at === null || at > since);
}

/** The progress of the search for traces in requests. */
export interface SearchProgress {
  /** The search continues before this `seq`; null at the end. */
  readonly position: number | null;
  /** True if a second search is needed, because former identifiers were found. */
  readonly needsSecondSearch: boolean;
  /** Former identifiers that were found. */
  readonly learned: readonly Identifier[];
  /** Number of items that were erased since the last call. */
  readonly items: number;
}

/** Stores the progress of the search for traces. */
export async function saveProgress(
  trx: Database,
  { accountId, requestId }: ErasureKey,
  { position, needsSecondSearch, learned, items }: SearchProgress,
): Promise<void> {
  await trx
    .updateTable('erasures')
    .where('account_id', '=', accountId)
    .where('request_id', '=', requestId)
    .where('finished_at', 'is', null)
    .set((eb) => ({
      position,
      is_again: needsSecondSearch,
      learned: [...learned],
      erased_items: eb('erased_items', '+', items),
    }))
    .execute();
}

/** Restarts the search for traces at the request of the erasure. */
export async function restartSearch(db: Database, { accountId, requestId }: ErasureKey): Promise<void> {
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

/** Adds to the counts of erased mails and sign-ups. */
export async function addErasedCounts(
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

/** Marks an erasure as finished and deletes the identifiers of the person from it. */
export async function finishErasure(db: Database, { accountId, requestId }: ErasureKey, at: Date): Promise<void> {
  await db
    .updateTable('erasures')
    .where('account_id', '=', accountId)
    .where('request_id', '=', requestId)
    .where('finished_at', 'is', null)
    .set({ finished_at: at, identifiers: null, learned: [], position: null })
    .execute();
}

/** Returns unfinished erasures of all accounts that started before a moment, oldest first. */
export async function listUnfinishedErasures(
  db: Database,
  before: Date,
  limit: number,
  after: string | undefined,
): Promise<Pick<ErasureRow, 'account_id' | 'request_id'>[]> {
  return db
    .selectFrom('erasures')
    .where('finished_at', 'is', null)
    .where('erased_at', '<', before)
    .$if(after !== undefined, (query) => query.where('request_id', '>', after!))
    .select(['account_id', 'request_id'])
    .orderBy('request_id')
    .limit(limit)
    .execute();
}
