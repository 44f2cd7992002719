import type { AccountEvent } from '@roster/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Write } from '#pipeline/operations/batch-model.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { eventsPerGroup, packEvents, unpackEvents, withoutDetailsOf, type NewEvent } from './event-group.ts';

// The update locks the row of the account until the transaction ends. So positions have the order
// of commits, and a reader that sees a position sees all positions before it.
const insertion = `
  with feed as (
    insert into event_feeds as f (account_id, last_position) values ($1, $2)
    on conflict (account_id) do update set last_position = f.last_position + excluded.last_position
    returning last_position - $2 as base)
  insert into event_groups (account_id, last_position, occurred_at, events)
  select $1, feed.base + g.number, $3, g.events
  from feed, unnest($4::bigint[], $5::bytea[]) as g (number, events)`;

/** Returns the statements that add events to the feed of an account, in order. */
export function eventWrites(accountId: number, events: readonly NewEvent[], at: Date): Write[] {
  if (events.length === 0) return [];
  const { numbers, groups } = groupsOf(events);
  return [(client) => client.query(insertion, [accountId, events.length, at, numbers, groups])];
}

/** Packs events into groups, each with the number of its last event. */
function groupsOf(events: readonly NewEvent[]): { readonly numbers: number[]; readonly groups: Buffer[] } {
  const numbers: number[] = [];
  const groups: Buffer[] = [];
  for (let from = 0; from < events.length; from += eventsPerGroup) {
    const some = events.slice(from, from + eventsPerGroup);
    numbers.push(from + some.length);
    groups.push(packEvents(some));
  }
  return { numbers, groups };
}

/**
 * Adds an event to the feed of an account, if the account wants events. Other writers of events of
 * the account wait until the transaction ends, so call it last.
 */
export async function addEvent(trx: Database, accountId: number, event: NewEvent, at: Date): Promise<void> {
  await addEvents(trx, accountId, [event], at);
}

/**
 * Adds an event to the feed of an account, even if the account has just switched events off. Call it
 * last, like {@link addEvent}.
 */
export async function addLastEvent(trx: Database, accountId: number, event: NewEvent, at: Date): Promise<void> {
  await insertEvents(trx, accountId, [event], at, sql`true`);
}

/** Adds events like {@link addEvent}, in order. */
export async function addEvents(
  trx: Database,
  accountId: number,
  events: readonly NewEvent[],
  at: Date,
): Promise<void> {
  if (events.length > 0) await insertEvents(trx, accountId, events, at, sql`settings -> 'events' = 'true'`);
}

async function insertEvents(
  trx: Database,
  accountId: number,
  events: readonly NewEvent[],
  at: Date,
  isWanted: RawBuilder<unknown>,
): Promise<void> {
  const { numbers, groups } = groupsOf(events);
  await sql`
    with feed as (
      insert into event_feeds as f (account_id, last_position)
      select account_id, ${events.length}::bigint from accounts where account_id = ${accountId} and ${isWanted}
      on conflict (account_id) do update set last_position = f.last_position + excluded.last_position
      returning last_position - ${events.length}::bigint as base)
    insert into event_groups (account_id, last_position, occurred_at, events)
    select ${accountId}, feed.base + g.number, ${at}, g.events
    from feed, unnest(${numbers}::bigint[], ${groups}::bytea[]) as g (number, events)`.execute(trx);
}

/** Loads events after a position, oldest first. */
export async function eventsAfter(
  db: Database,
  accountId: number,
  after: number,
  limit: number,
): Promise<AccountEvent[]> {
  // Positions have no gaps, so the groups below this position have enough events.
  const below = after + limit + eventsPerGroup;
  const groups = await db
    .selectFrom('event_groups')
    .where('account_id', '=', accountId)
    .where('last_position', '>', after)
    .where('last_position', '<', below)
    .select(['last_position', 'occurred_at', 'events'])
    .orderBy('last_position')
    .execute();
  const found: AccountEvent[] = [];
  for (const group of groups) {
    if (found.length >= limit) break;
    for (const event of unpackEvents(group)) if (event.position > after) found.push(event);
  }
  return found.length > limit ? found.slice(0, limit) : found;
}

/** The ends of the feed of an account. Both are 0 when it never had events. */
export interface FeedEnds {
  readonly last_position: number;
  /** Events up to this position are deleted. */
  readonly expired_position: number;
}

/** Loads the ends of the feed of an account. */
export async function feedEnds(db: Database, accountId: number): Promise<FeedEnds> {
  const row = await db
    .selectFrom('event_feeds')
    .where('account_id', '=', accountId)
    .select(['last_position', 'expired_position'])
    .executeTakeFirst();
  return row ?? { last_position: 0, expired_position: 0 };
}

/**
 * Returns the position before the first kept event at a moment or later: the position of the last
 * event, if there is none. Events have the order of time, so the search halves the feed each time.
 * Requests that are applied at the same time can be seconds out of order.
 */
export async function positionBefore(db: Database, accountId: number, moment: Date, ends: FeedEnds): Promise<number> {
  // All events up to `low` are earlier, and the one after `high` is not.
  let [low, high] = [ends.expired_position, ends.last_position];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const group = await db
      .selectFrom('event_groups')
      .where('account_id', '=', accountId)
      .where('last_position', '>', middle)
      .select(['last_position', 'occurred_at'])
      .orderBy('last_position')
      .limit(1)
      .executeTakeFirst();
    if (group === undefined || group.occurred_at >= moment) high = middle;
    else low = group.last_position;
  }
  return low;
}

/** When the last event of an account happened that is still kept. */
export async function lastEventAt(db: Database, accountId: number): Promise<Date | undefined> {
  const group = await db
    .selectFrom('event_groups')
    .where('account_id', '=', accountId)
    .select('occurred_at')
    .orderBy('last_position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return group?.occurred_at;
}

// Groups per step, so that no step needs much memory.
const groupsPerStep = 100;

/**
 * Empties the details of all events about a contact that was erased. The events stay, because
 * readers rely on positions without gaps. Can be repeated.
 */
export async function clearEventsOf(db: Database, accountId: number, contactId: number): Promise<void> {
  for (let after = 0; ;) {
    const groups = await db
      .selectFrom('event_groups')
      .where('account_id', '=', accountId)
      .where('last_position', '>', after)
      .select(['last_position', 'events'])
      .orderBy('last_position')
      .limit(groupsPerStep)
      .execute();
    for (const { last_position: position, events } of groups) {
      if (withoutDetailsOf(contactId, events) !== undefined) await clearGroup(db, accountId, contactId, position);
    }
    if (groups.length < groupsPerStep) return;
    after = groups.at(-1)!.last_position;
  }
}

/** Locks the group and reads it again, because another erasure can have changed it. */
async function clearGroup(db: Database, accountId: number, contactId: number, position: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const group = await trx
      .selectFrom('event_groups')
      .where('account_id', '=', accountId)
      .where('last_position', '=', position)
      .select('events')
      .forUpdate()
      .executeTakeFirst();
    const events = group === undefined ? undefined : withoutDetailsOf(contactId, group.events);
    if (events === undefined) return;
    await trx
      .updateTable('event_groups')
      .where('account_id', '=', accountId)
      .where('last_position', '=', position)
      .set({ events })
      .execute();
  });
}

/**
 * Deletes up to `limit` of the oldest groups of an account, up to the last one that is older than
 * `before`. Returns how many.
 */
export async function deleteGroupsBefore(
  trx: Database,
  accountId: number,
  before: Date,
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ position: number | null }>`
    select max(last_position) as position from (
      select last_position, occurred_at from event_groups
      where account_id = ${accountId} order by last_position limit ${limit}) o
    where occurred_at < ${before}`.execute(trx);
  const position = rows[0]?.position ?? null;
  if (position === null) return 0;
  const { numDeletedRows } = await trx
    .deleteFrom('event_groups')
    .where('account_id', '=', accountId)
    .where('last_position', '<=', position)
    .executeTakeFirstOrThrow();
  // Last, because writers of events wait for this row.
  await sql`
    update event_feeds set expired_position = greatest(expired_position, ${position})
    where account_id = ${accountId}`.execute(trx);
  return Number(numDeletedRows);
}
