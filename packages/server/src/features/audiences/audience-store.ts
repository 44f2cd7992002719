import type { Database } from '#platform/database/connection/database.ts';

/**
 * Reserves the next audience id of an account, and locks the account until the transaction ends.
 * Returns undefined when the account does not exist.
 */
export async function takeAudienceId(trx: Database, accountId: number): Promise<number | undefined> {
  const row = await trx
    .updateTable('accounts')
    .where('account_id', '=', accountId)
    .set((eb) => ({ last_audience_id: eb('last_audience_id', '+', 1) }))
    .returning('last_audience_id')
    .executeTakeFirst();
  return row?.last_audience_id;
}

/** Deletes the row of a list or segment. */
export async function deleteAudience(trx: Database, accountId: number, audienceId: number): Promise<void> {
  await trx.deleteFrom('audiences').where('account_id', '=', accountId).where('audience_id', '=', audienceId).execute();
}

/** Loads the name of a list or segment; undefined when it does not exist. */
export async function findAudienceName(
  db: Database,
  accountId: number,
  audienceId: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('audiences')
    .where('account_id', '=', accountId)
    .where('audience_id', '=', audienceId)
    .select('name')
    .executeTakeFirst();
  return row?.name;
}
