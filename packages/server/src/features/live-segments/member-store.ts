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

/** A live segment whose contacts are evaluated. */
interface Evaluated {
  readonly row: LiveSegmentRow;
  readonly filter: ResolvedFilter;
}

/**
 * Compares some members of live segments of one account with the contacts that match their filters
 * now. Contacts that do not exist do not match. Returns the differences of each segment that has any,
 * by `live_id`.
 *
 * All filters are evaluated in one pass over the contacts, because finding and reading a contact
 * takes longer than most conditions.
 */
export async function findDifferences(
  trx: Database,
  segments: readonly Evaluated[],
  contacts: Contacts,
): Promise<Map<number, Differences>> {
  const accountId = segments[0]!.row.account_id;
  const liveIds = segments.map(({ row }) => row.live_id);
  const matched = segments.map(
    ({ row, filter }) => sql`case when ${compileFilter(filter)} then ${row.live_id}::bigint end`,
  );
  // OFFSET 0: finds the contacts by their numbers first, whatever indexes the filters could use.
  const { rows } = await sql<{ live_id: number; entered: string | null; departed: string | null }>`
    with evaluated as materialized (
      select contacts.contact_id, array[${sql.join(matched)}] as live_ids from (
        select * from contacts
        where account_id = ${opaqueAccount(accountId)} and ${within(sql.ref('contact_id'), contacts)} offset 0
      ) as contacts
    ), matching as materialized (
      select contact_id, live_id from evaluated, unnest(live_ids) as live_id where live_id is not null
    ), members as materialized (
      select contact_id, live_id from live_members
      where account_id = ${accountId} and live_id = any(${liveIds}::bigint[]) and ${within(sql.ref('contact_id'), contacts)}
    )
    select live_id,
      (json_agg(contact_id order by contact_id) filter (where entered))::text as entered,
      (json_agg(contact_id order by contact_id) filter (where not entered))::text as departed
    from (
      select contact_id, live_id, true as entered from (table matching except all table members) e
      union all
      select contact_id, live_id, false from (table members except all table matching) d
    ) differences group by live_id`.execute(trx);
  const read = (ids: string | null): number[] => (ids === null ? [] : (JSON.parse(ids) as number[]));
  return new Map(
    rows.map(({ live_id: id, entered, departed }) => [id, { entered: read(entered), departed: read(departed) }]),
  );
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
