import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';

/** The last numbers that were given within an account. */
export interface AccountNumbers {
  readonly last_audience_id: number;
  readonly last_attribute_id: number;
}

/**
 * Takes the next audience id and attribute ids of an account, as many as given, and returns the last
 * ones. Locks the account for other callers until the transaction ends. The account must exist.
 */
export async function takeNumbers(
  trx: Database,
  accountId: number,
  { audiences = 0, attributes = 0 }: { readonly audiences?: number; readonly attributes?: number },
): Promise<AccountNumbers> {
  const { rows } = await sql<AccountNumbers>`
    insert into account_numbers as n (account_id, last_audience_id, last_attribute_id)
    values (${accountId}, ${audiences}, ${attributes})
    on conflict (account_id) do update set
      last_audience_id = n.last_audience_id + excluded.last_audience_id,
      last_attribute_id = n.last_attribute_id + excluded.last_attribute_id
    returning last_audience_id, last_attribute_id`.execute(trx);
  return rows[0]!;
}

/**
 * Locks an account until the transaction ends. Not by its row of `accounts`, because a cluster has it
 * on every node.
 */
export async function lockNumbers(trx: Database, accountId: number): Promise<void> {
  const lock = trx.selectFrom('account_numbers').where('account_id', '=', accountId).select('account_id');
  // An account without lists and attributes has no row yet.
  if ((await lock.forNoKeyUpdate().executeTakeFirst()) === undefined) await takeNumbers(trx, accountId, {});
}
