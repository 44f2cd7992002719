import type { Database } from '#platform/database/connection/database.ts';

/** Takes the next audience id of an account, and locks the account until the transaction ends; undefined when there is no account. */
export async function takeAudienceId(trx: Database, accountId: number): Promise<number | undefined> {
  const row = await trx
    .updateTable('accounts')
    .where('account_id', '=', accountId)
    .set((eb) => ({ last_audience_id: eb('last_audience_id', '+', 1) }))
    .returning('last_audience_id')
    .executeTakeFirst();
  return row?.last_audience_id;
}

/** The name of a list or segment; undefined when there is none. */
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
