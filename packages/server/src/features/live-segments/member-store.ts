import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { compileFilter } from '#features/search/filter/compile.ts';
import type { ResolvedFilter } from '#features/search/filter/checked-filter.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { opaqueAccount } from '#platform/database/statements/opaque-account.ts';
import type { LiveSegmentRow } from './live-segment-store.ts';

/** The contacts of a step: some, or those in a range of contact_ids. */
export type Contacts =
  | { readonly ids: readonly number[] }
  /** From `after` (exclusive) to `upTo` (inclusive); null for no end. */
  | { readonly after: number; readonly upTo: number | null };

/** The contacts that a step adds to the members, and those that it removes, ascending. */
export interface Differences {
  readonly entered: readonly number[];
  readonly departed: readonly number[];
}

function within(column: RawBuilder<unknown>, contacts: Contacts): RawBuilder<SqlBool> {
  if ('ids' in contacts) return sql`${column} = any(${contacts.ids}::bigint[])`;
  const { after, upTo } = contacts;
  return upTo === null ? sql`${column} > ${after}` : sql`${column} > ${after} and ${column} <= ${upTo}`;
}

/**
 * Compares some members with the contacts that match the filter of the segment now. Contacts that
 * do not exist do not match.
 */
export async function findDifferences(
  trx: Database,
  { account_id: accountId, live_id: liveId }: LiveSegmentRow,
  filter: ResolvedFilter,
  contacts: Contacts,
): Promise<Differences> {
  // OFFSET 0: finds the contacts by their numbers first, whatever indexes the filter could use.
  const { rows } = await sql<{ entered: string | null; departed: string | null }>`
    with matching as materialized (
      select contacts.contact_id from (
        select * from contacts
        where account_id = ${opaqueAccount(accountId)} and ${within(sql.ref('contact_id'), contacts)} offset 0
      ) as contacts where ${compileFilter(filter)}
    ), members as materialized (
      select contact_id from live_members
      where account_id = ${accountId} and live_id = ${liveId} and ${within(sql.ref('contact_id'), contacts)}
    )
    select
      (select json_agg(contact_id order by contact_id) from (table matching except all table members) e)::text as entered,
      (select json_agg(contact_id order by contact_id) from (table members except all table matching) d)::text as departed`.execute(
    trx,
  );
  const { entered, departed } = rows[0]!;
  return {
    entered: entered === null ? [] : (JSON.parse(entered) as number[]),
    departed: departed === null ? [] : (JSON.parse(departed) as number[]),
  };
}

/** Adds and removes members. */
export async function writeMembers(
  trx: Database,
  { account_id: accountId, live_id: liveId }: LiveSegmentRow,
  { entered, departed }: Differences,
): Promise<void> {
  if (entered.length > 0) {
    await sql`
      insert into live_members (account_id, live_id, contact_id)
      select ${accountId}, ${liveId}, unnest(${entered}::bigint[])`.execute(trx);
  }
  if (departed.length > 0) {
    await sql`
      delete from live_members
      where account_id = ${accountId} and live_id = ${liveId} and contact_id = any(${departed}::bigint[])`.execute(trx);
  }
}

/** Deletes up to `limit` members of an ended live segment. Returns how many. */
export async function deleteMembers(trx: Database, accountId: number, liveId: number, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with chosen as materialized (
      select contact_id from live_members where account_id = ${accountId} and live_id = ${liveId} limit ${limit})
    delete from live_members m using chosen
    where m.account_id = ${accountId} and m.live_id = ${liveId} and m.contact_id = chosen.contact_id`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/** Returns the last of the next `limit` contacts after a position; null when there are fewer. */
export async function nextPosition(
  trx: Database,
  accountId: number,
  after: number,
  limit: number,
): Promise<number | null> {
  const { rows } = await sql<{ contact_id: number }>`
    select contact_id from contacts where account_id = ${accountId} and contact_id > ${after}
    order by contact_id offset ${limit - 1} limit 1`.execute(trx);
  return rows[0]?.contact_id ?? null;
}

/** Removes a contact from the members of a live segment. Returns false if it was not a member. */
export async function removeMember(
  trx: Database,
  { account_id: accountId, live_id: liveId }: LiveSegmentRow,
  contactId: number,
): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('live_members')
    .where('account_id', '=', accountId)
    .where('live_id', '=', liveId)
    .where('contact_id', '=', contactId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Removes a contact from the history of all live segments of an account. */
export async function removeFromHistory(trx: Database, accountId: number, contactId: number): Promise<void> {
  await sql`
    update live_changes set contact_ids = array_remove(contact_ids, ${contactId}::bigint)
    where account_id = ${accountId} and contact_ids @> array[${contactId}::bigint]`.execute(trx);
}
