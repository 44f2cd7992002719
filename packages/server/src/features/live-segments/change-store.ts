import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { LiveChangeCause } from '#platform/database/schema/tables/live.ts';
import type { LiveSegmentRow } from './live-segment-store.ts';
import type { Differences } from './member-store.ts';

/** A contact that entered or left a live segment. */
export interface LiveChange {
  readonly step: number;
  readonly entered: boolean;
  readonly changed_at: Date;
  readonly cause: LiveChangeCause;
  readonly contact_id: number;
}

/** A step that changed members. */
export interface LiveStep {
  readonly step: number;
  readonly at: Date;
  /** Today in the time zone of the account, `YYYY-MM-DD`. */
  readonly day: string;
  readonly cause: LiveChangeCause;
}

/** Adds what a step changed to the history of a live segment, and to the counts of the day. */
export async function writeChanges(
  trx: Database,
  { account_id: accountId, live_id: liveId }: LiveSegmentRow,
  { entered, departed }: Differences,
  { step, at, day, cause }: LiveStep,
): Promise<void> {
  for (const [isEntry, ids] of [
    [true, entered],
    [false, departed],
  ] as const) {
    if (ids.length === 0) continue;
    await sql`
      insert into live_changes (account_id, live_id, step, entered, changed_at, cause, contact_ids)
      values (${accountId}, ${liveId}, ${step}, ${isEntry}, ${at}, ${cause}, ${ids}::bigint[])`.execute(trx);
  }
  await addDay(trx, { accountId, liveId, day, entered: entered.length, departed: departed.length });
}

/** Adds to the counts of a day. */
export async function addDay(
  trx: Database,
  one: { accountId: number; liveId: number; day: string; entered: number; departed: number },
): Promise<void> {
  await sql`
    insert into live_days as d (account_id, live_id, day, entered, departed)
    values (${one.accountId}, ${one.liveId}, ${one.day}::date, ${one.entered}, ${one.departed})
    on conflict (account_id, live_id, day)
    do update set entered = d.entered + excluded.entered, departed = d.departed + excluded.departed`.execute(trx);
}

/** A place in the history of a live segment: the step, 1 for entries or 0, and the contact. */
export type ChangePosition = readonly [step: number, entered: number, contactId: number];

/**
 * Loads changes of a live segment after a position, newest first. Each row that is read has a contact,
 * because those without one are of erased people.
 */
export async function listChanges(
  db: Database,
  { account_id: accountId, live_id: liveId }: LiveSegmentRow,
  [step, entered, contactId]: ChangePosition,
  limit: number,
): Promise<LiveChange[]> {
  const { rows } = await sql<LiveChange>`
    select c.step, c.entered, c.changed_at, c.cause, i.contact_id from (
      select * from live_changes
      where account_id = ${accountId} and live_id = ${liveId} and step <= ${step} and contact_ids <> '{}'
      order by step desc limit ${limit + 2}
    ) c cross join unnest(c.contact_ids) as i (contact_id)
    where (c.step, c.entered::int, i.contact_id) < (${step}::bigint, ${entered}::int, ${contactId}::bigint)
    order by c.step desc, c.entered desc, i.contact_id desc limit ${limit}`.execute(db);
  return rows;
}

/** Loads when a contact entered and left live segments, oldest first. Reads the whole history of the account. */
export async function changesOfContact(
  db: Database,
  accountId: number,
  contactId: number,
): Promise<(Omit<LiveChange, 'contact_id'> & { readonly audience_id: number })[]> {
  return db
    .selectFrom('live_changes as c')
    .innerJoin('live_segments as s', (join) =>
      join.onRef('s.account_id', '=', 'c.account_id').onRef('s.live_id', '=', 'c.live_id'),
    )
    .where('c.account_id', '=', accountId)
    .where(sql<boolean>`c.contact_ids @> array[${contactId}::bigint]`)
    .select(['s.audience_id', 'c.step', 'c.entered', 'c.changed_at', 'c.cause'])
    .orderBy('c.step')
    .execute();
}

/** The entries and departures of a day. */
export interface LiveDay {
  readonly day: string;
  readonly entered: number;
  readonly departed: number;
}

/** Loads the days of a live segment with entries or departures, the oldest first. */
export async function loadLiveDays(
  db: Database,
  { account_id: accountId, live_id: liveId }: LiveSegmentRow,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<LiveDay[]> {
  const { rows } = await sql<LiveDay>`
    select day::text as day, entered, departed from live_days
    where account_id = ${accountId} and live_id = ${liveId} and day between ${from}::date and ${to}::date
    order by live_days.day`.execute(db);
  return rows;
}

/** Deletes up to `limit` of the groups of changes of an account that are older than a time. */
export async function deleteChangesBefore(
  trx: Database,
  accountId: number,
  before: Date,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    with chosen as materialized (
      select live_id, step, entered from live_changes
      where account_id = ${accountId} and changed_at < ${before} limit ${limit})
    delete from live_changes c using chosen
    where c.account_id = ${accountId} and c.live_id = chosen.live_id and c.step = chosen.step
      and c.entered = chosen.entered`.execute(trx);
  return Number(numAffectedRows ?? 0);
}
