import type { Selectable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';

/** A row of `passkeys`. */
export type PasskeyRow = Selectable<Tables['passkeys']>;

/** Stores a passkey. Returns undefined if it is stored already. */
export async function insertPasskey(
  trx: Database,
  passkey: Omit<PasskeyRow, 'passkey_id' | 'last_used_at'>,
): Promise<PasskeyRow | undefined> {
  return trx
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Finds a passkey by its identifier, and locks it until the transaction ends. */
export async function lockPasskey(trx: Database, credentialId: string): Promise<PasskeyRow | undefined> {
  return trx
    .selectFrom('passkeys')
    .where('credential_id', '=', credentialId)
    .selectAll()
    .forUpdate()
    .executeTakeFirst();
}

/** Notes a use of a passkey, with its number of signatures. */
export async function updatePasskey(trx: Database, passkeyId: number, counter: number, at: Date): Promise<void> {
  await trx.updateTable('passkeys').where('passkey_id', '=', passkeyId).set({ counter, last_used_at: at }).execute();
}

/** Lists the passkeys of a user with numbers greater than `after`. */
export async function listPasskeys(db: Database, userId: number, after: number, limit: number): Promise<PasskeyRow[]> {
  return db
    .selectFrom('passkeys')
    .where('user_id', '=', userId)
    .where('passkey_id', '>', after)
    .selectAll()
    .orderBy('passkey_id')
    .limit(limit)
    .execute();
}

/** Deletes a passkey of a user. Returns false if the user does not have it. */
export async function deletePasskey(db: Database, userId: number, passkeyId: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .where('passkey_id', '=', passkeyId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Deletes all passkeys of a user. */
export async function deletePasskeysOf(trx: Database, userId: number): Promise<void> {
  await trx.deleteFrom('passkeys').where('user_id', '=', userId).execute();
}
