import { randomBytes } from 'node:crypto';
import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';

/** A row of `users`. */
export type UserRow = Selectable<Tables['users']>;

/** The fields of a new user. */
export type NewUser = Pick<Insertable<Tables['users']>, 'name' | 'email' | 'password_hash' | 'is_installation_admin'>;

/** Returns the form of an address in which users are compared: lower case. */
export function emailKey(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

/** Inserts a user. Returns undefined if a user has the address. */
export async function insertUser(trx: Database, user: NewUser, at: Date): Promise<UserRow | undefined> {
  return trx
    .insertInto('users')
    .values({
      ...user,
      email_key: emailKey(user.email),
      passkey_handle: randomBytes(32),
      created_at: at,
      updated_at: at,
    })
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Finds a user by the address. */
export async function findUserByEmail(db: Database, email: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').where('email_key', '=', emailKey(email)).selectAll().executeTakeFirst();
}

/** Finds a user by the number. */
export async function findUser(db: Database, userId: number): Promise<UserRow | undefined> {
  return db.selectFrom('users').where('user_id', '=', userId).selectAll().executeTakeFirst();
}

/** Finds a user, and locks the user until the transaction ends. */
export async function lockUser(trx: Database, userId: number): Promise<UserRow | undefined> {
  return trx.selectFrom('users').where('user_id', '=', userId).selectAll().forUpdate().executeTakeFirst();
}

/** Changes fields of a user. */
export async function updateUser(
  trx: Database,
  userId: number,
  changes: Pick<
    Updateable<Tables['users']>,
    'name' | 'language' | 'password_hash' | 'is_installation_admin' | 'disabled_at'
  >,
  at: Date,
): Promise<UserRow | undefined> {
  return trx
    .updateTable('users')
    .where('user_id', '=', userId)
    .set({ ...changes, updated_at: at })
    .returningAll()
    .executeTakeFirst();
}

/** True when the installation has at least one user. */
export async function hasUsers(db: Database): Promise<boolean> {
  return (await db.selectFrom('users').select('user_id').limit(1).executeTakeFirst()) !== undefined;
}
