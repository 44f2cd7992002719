import type { Selectable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';

/** A row of `authenticator_apps`. */
export type AuthenticatorRow = Selectable<Tables['authenticator_apps']>;

/** Stores the secret of an app that is not confirmed yet. It replaces another unconfirmed secret. */
export async function putAuthenticator(trx: Database, userId: number, secret: string, at: Date): Promise<void> {
  await trx
    .insertInto('authenticator_apps')
    .values({ user_id: userId, secret, created_at: at })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ secret, confirmed_at: null, last_step: 0, created_at: at }),
    )
    .execute();
}

/** Finds the authenticator app of a user, confirmed or not. `lock`: until the transaction ends. */
export async function findAuthenticator(
  db: Database,
  userId: number,
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<AuthenticatorRow | undefined> {
  return db
    .selectFrom('authenticator_apps')
    .where('user_id', '=', userId)
    .$if(lock, (query) => query.forUpdate())
    .selectAll()
    .executeTakeFirst();
}

/** Returns whether the sign-in of a user needs a code. */
export async function hasAuthenticatorApp(db: Database, userId: number): Promise<boolean> {
  return (await findAuthenticator(db, userId))?.confirmed_at != null;
}

/** Confirms the authenticator app of a user. */
export async function confirmAuthenticator(trx: Database, userId: number, at: Date): Promise<void> {
  await trx.updateTable('authenticator_apps').where('user_id', '=', userId).set({ confirmed_at: at }).execute();
}

/**
 * Uses up the code of a time step. Returns false if a code of this step or of a later step was
 * already used. Two requests at the same time cannot both get true.
 */
export async function useTimeStep(trx: Database, userId: number, step: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('authenticator_apps')
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .set({ last_step: step })
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Removes the authenticator app and the recovery codes of a user. */
export async function deleteSecondFactor(trx: Database, userId: number): Promise<void> {
  await trx.deleteFrom('authenticator_apps').where('user_id', '=', userId).execute();
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
}

/** Replaces the recovery codes of a user. */
export async function putRecoveryCodes(trx: Database, userId: number, hashes: readonly Buffer[]): Promise<void> {
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await trx
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ user_id: userId, code_hash: hash })))
    .execute();
}

/** Uses up a recovery code. Returns false if the user does not have it. */
export async function useRecoveryCode(trx: Database, userId: number, hash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
