import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { Context } from '#platform/context.ts';
import { findAccounts } from '#platform/database/layout/all-accounts.ts';

/**
 * Locks the live segments of an account until the transaction ends. Waits for the process that
 * follows its changes. Does nothing for an account that never had a live segment.
 */
export async function lockLiveAccount(trx: Database, accountId: number): Promise<void> {
  await sql`select from live_accounts where account_id = ${accountId} for update`.execute(trx);
}

/** The state of the live segments of an account, besides the segments. */
export interface LiveAccount {
  readonly last_step: number;
  readonly ended_live_ids: readonly number[];
}

/** Like {@link lockLiveAccount}, but returns undefined at once when another process has the lock. */
export async function tryLiveAccount(trx: Database, accountId: number): Promise<LiveAccount | undefined> {
  const { rows } = await sql<{ last_step: number; ended: string }>`
    select last_step, array_to_json(ended_live_ids)::text as ended from live_accounts
    where account_id = ${accountId} for update skip locked`.execute(trx);
  const row = rows[0];
  return row === undefined
    ? undefined
    : { last_step: row.last_step, ended_live_ids: JSON.parse(row.ended) as number[] };
}

/** Takes the number of a new live segment. Locks the account like {@link lockLiveAccount}. */
export async function takeLiveId(trx: Database, accountId: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into live_accounts as l (account_id, last_live_id) values (${accountId}, 1)
    on conflict (account_id) do update set last_live_id = l.last_live_id + 1
    returning last_live_id as id`.execute(trx);
  return rows[0]!.id;
}

/** Stores the number of the last step. */
export async function storeStep(trx: Database, accountId: number, step: number): Promise<void> {
  await trx.updateTable('live_accounts').where('account_id', '=', accountId).set({ last_step: step }).execute();
}

/** Notes that the members of an ended live segment are to be deleted. */
export async function addEnded(trx: Database, accountId: number, liveId: number): Promise<void> {
  await sql`
    update live_accounts set ended_live_ids = ended_live_ids || ${liveId}::bigint
    where account_id = ${accountId}`.execute(trx);
}

/** Notes that all members of an ended live segment are deleted. */
export async function removeEnded(trx: Database, accountId: number, liveId: number): Promise<void> {
  await sql`
    update live_accounts set ended_live_ids = array_remove(ended_live_ids, ${liveId}::bigint)
    where account_id = ${accountId}`.execute(trx);
}

/**
 * Lists accounts with live segments to follow. Without `all`, only those with something that is
 * known to be due.
 */
export async function accountsToFollow(context: Pick<Context, 'servers' | 'log'>, all: boolean): Promise<number[]> {
  const rows = await findAccounts(
    context,
    ['live_accounts', 'accounts', 'live_pending', 'live_segments'],
    (t) => sql<{ account_id: number }>`
    select l.account_id from ${t.live_accounts} l join ${t.accounts} a on a.account_id = l.account_id and a.deleted_at is null
    where exists (select 1 from ${t.live_pending} p where p.account_id = l.account_id)
      or l.ended_live_ids <> '{}'
      or exists (
        select 1 from ${t.live_segments} s
        where s.account_id = l.account_id and (${all}::boolean or s.state not in ('following', 'broken')))
    order by l.account_id`,
  );
  return rows.map(({ account_id: accountId }) => accountId);
}
