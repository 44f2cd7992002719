import type { Database } from '#platform/database/connection/database.ts';

/** Deletes all links that set a new password of a user. */
export async function deleteResetsOf(trx: Database, userId: number): Promise<void> {
  await trx.deleteFrom('password_resets').where('user_id', '=', userId).execute();
}
