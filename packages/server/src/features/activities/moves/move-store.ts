import { sql } from 'kysely';
import { groupActivities, type ActivityGroup } from '../counts/activity-count-store.ts';
import type { Partition } from '../store/partition-store.ts';
import type { Context } from '#platform/context.ts';
import { findAccounts } from '#platform/database/layout/all-accounts.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { opaqueAccount } from '#platform/database/statements/opaque-account.ts';

/**
 * Adds moves of activities from one contact key to another, or to null to delete the activities.
 * Queries use the new keys immediately. The rows are moved later, see `moves.ts`.
 *
 * Adds nothing for an account without activities. The caller must hold the lane of the account.
 */
export async function addMoves(
  trx: Database,
  accountId: number,
  moves: ReadonlyMap<string, string | null>,
): Promise<void> {
  const keys = [...moves.keys()];
  const change = sql`unnest(${keys}::text[], ${[...moves.values()]}::text[]) as change (contact_key, target_key)`;
  // A pending move to a key that changes again gets the new key as its target.
  await sql`
    update activity_moves m set target_key = change.target_key from ${change}
    where m.account_id = ${opaqueAccount(accountId)} and m.target_key = change.contact_key`.execute(trx);
  // A key with a pending move keeps its row. No other activities are stored under such a key,
  // because writers finish its moves first (finishMovesInTransaction).
  await sql`
    insert into activity_moves (account_id, contact_key, target_key)
    select ${accountId}, change.contact_key, change.target_key from ${change}
    where change.contact_key is distinct from change.target_key
      and exists (select 1 from activities where account_id = ${accountId})
    on conflict (account_id, contact_key) do nothing`.execute(trx);
  // A key that has changed back needs no move.
  await sql`delete from activity_moves where account_id = ${accountId} and contact_key = target_key`.execute(trx);
}

/** Returns up to 1,000 accounts with pending moves. */
export async function accountsWithMoves(context: Pick<Context, 'servers' | 'log'>): Promise<number[]> {
  const rows = await findAccounts(
    context,
    ['activity_moves'],
    ({ activity_moves: moves }) => sql<{ account_id: number }>`
    with recursive found as (
      (select account_id from ${moves} order by account_id limit 1)
      union all
      select (select m.account_id from ${moves} m where m.account_id > found.account_id order by m.account_id limit 1)
      from found where found.account_id is not null
    )
    select account_id from found where account_id is not null limit 1000`,
  );
  return rows.map((row) => row.account_id);
}

/** Returns up to `limit` keys of an account that have a pending move. */
export async function nextMoves(trx: Database, accountId: number, limit: number): Promise<string[]> {
  const rows = await trx
    .selectFrom('activity_moves')
    .where('account_id', '=', accountId)
    .select('contact_key')
    .orderBy('contact_key')
    .limit(limit)
    .execute();
  return rows.map((row) => row.contact_key);
}

/** Returns the keys with a pending move from or to one of the given keys. */
export async function movesOf(trx: Database, accountId: number, keys: Iterable<string>): Promise<string[]> {
  const { rows } = await sql<{ contact_key: string }>`
    with wanted as materialized (select unnest(${[...keys]}::text[]) as key)
    select m.contact_key from wanted join activity_moves m on m.account_id = ${opaqueAccount(accountId)} and m.contact_key = wanted.key
    union
    select m.contact_key from wanted join activity_moves m on m.account_id = ${opaqueAccount(accountId)} and m.target_key = wanted.key`.execute(
    trx,
  );
  return rows.map((row) => row.contact_key);
}

/**
 * Moves or deletes at most `limit` activities of some keys in one partition. Returns how many, and
 * the groups of the deleted ones.
 *
 * Rows are deleted by `ctid`, because DELETE has no LIMIT. Moved rows are inserted again, not
 * updated: in a distributed table, the key may be the distribution column, which cannot change.
 */
export async function moveRows(
  trx: Database,
  accountId: number,
  keys: readonly string[],
  { name, month }: Partition,
  timeZone: string,
  limit: number,
): Promise<MovedRows> {
  const table = sql.id(name);
  const { rows } = await sql<MovedRows>`
    with gone as (
      delete from ${table} where account_id = ${opaqueAccount(accountId)} and ctid = any (array(
        select a.ctid from unnest(${[...keys]}::text[]) as moved (contact_key)
        cross join lateral (select ctid from ${table} a where a.account_id = ${opaqueAccount(accountId)} and a.contact_key = moved.contact_key) a
        limit ${limit}
      )) returning *
    ), moved as (
      insert into activities (account_id, channel, activity, occurred_at, message_id, record_id, contact_key, msg_name, hard_bounce,
        ip, device, os, browser, link)
      select gone.account_id, channel, activity, occurred_at, message_id, record_id, m.target_key, msg_name, hard_bounce,
        ip, device, os, browser, link
      from gone join activity_moves m on m.account_id = ${opaqueAccount(accountId)} and m.contact_key = gone.contact_key
      where m.target_key is not null
    ), lost as (
      ${groupActivities(
        month,
        timeZone,
        sql`gone join activity_moves m using (account_id, contact_key)
          where m.account_id = ${opaqueAccount(accountId)} and m.target_key is null`,
      )}
    )
    select count(*) as rows, (select coalesce(json_agg(lost), '[]') from lost) as deleted from gone`.execute(trx);
  return rows[0]!;
}

/** The result of {@link moveRows}. */
export interface MovedRows {
  /** The number of rows that were moved or deleted. */
  readonly rows: number;
  /** The deleted activities. */
  readonly deleted: readonly ActivityGroup[];
}

/** Deletes moves that are done. */
export async function endMoves(trx: Database, accountId: number, keys: readonly string[]): Promise<void> {
  await sql`delete from activity_moves where account_id = ${opaqueAccount(accountId)} and contact_key = any (${[...keys]}::text[])`.execute(
    trx,
  );
}
