import { sql, type Insertable } from 'kysely';
import type { SignUpContact } from './apply-sign-up.ts';
import { advisoryLocks } from '#platform/database/statements/advisory-locks.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';

/** Stores a sign-up that waits to be confirmed. */
export async function insertSignUp(trx: Database, signUp: Insertable<Tables['sign_ups']>): Promise<void> {
  await trx.insertInto('sign_ups').values(signUp).execute();
}

/**
 * Returns the times of the sign-ups of an address since a time, the newest first. Locks the address
 * until the transaction ends.
 */
export async function recentSignUps(
  trx: Database,
  accountId: number,
  addressHash: Buffer,
  since: Date,
): Promise<Date[]> {
  await sql`select pg_advisory_xact_lock(${advisoryLocks.signUpAddress}, ${addressHash.readInt32BE()})`.execute(trx);
  const rows = await trx
    .selectFrom('sign_ups')
    .where('account_id', '=', accountId)
    .where('address_hash', '=', addressHash)
    .where('created_at', '>', since)
    .select('created_at')
    .orderBy('created_at', 'desc')
    .execute();
  return rows.map((row) => row.created_at);
}

/** A sign-up whose link was not used. */
export interface WaitingSignUpRow {
  readonly sign_up_id: string;
  readonly email: string | null;
  readonly created_at: Date;
  readonly expires_at: Date;
}

/** Lists sign-ups that wait at a time, newest first, that are older than `before`. */
export async function listWaitingSignUps(
  db: Database,
  accountId: number,
  at: Date,
  before: string | undefined,
  limit: number,
): Promise<WaitingSignUpRow[]> {
  return db
    .selectFrom('sign_ups')
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .$if(before !== undefined, (query) => query.where('sign_up_id', '<', before!))
    .select(['sign_up_id', 'created_at', 'expires_at', sql<string | null>`contact->>'email'`.as('email')])
    .orderBy('sign_up_id', 'desc')
    .limit(limit)
    .execute();
}

/** The sign-up of a link. */
export interface SignUpLink {
  readonly accountId: number;
  readonly accountName: string;
  readonly signUpId: string;
  /** Null after the link was used. */
  readonly contact: SignUpContact | null;
}

/** Finds the sign-up of a token; undefined if it has expired. `lock` locks its row. */
export async function findSignUp(
  db: Database,
  tokenHash: Buffer,
  at: Date,
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<SignUpLink | undefined> {
  const row = await db
    .selectFrom('sign_ups')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', at)
    .select(['account_id as accountId', 'sign_up_id as signUpId', 'contact'])
    .select((query) =>
      query
        .selectFrom('accounts')
        .whereRef('accounts.account_id', '=', 'sign_ups.account_id')
        .select('name')
        .as('accountName'),
    )
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();
  return row as SignUpLink | undefined;
}

/** Stores that a link was used, and deletes the contact of its sign-up. */
export async function useSignUp(trx: Database, { accountId, signUpId }: SignUpLink, at: Date): Promise<void> {
  await trx
    .updateTable('sign_ups')
    .where('account_id', '=', accountId)
    .where('sign_up_id', '=', signUpId)
    .set({ used_at: at, contact: null })
    .execute();
}

/** Deletes sign-ups whose links expired before a time. */
export async function deleteSignUpsBefore(db: Database, moment: Date): Promise<void> {
  await db.deleteFrom('sign_ups').where('expires_at', '<', moment).execute();
}
