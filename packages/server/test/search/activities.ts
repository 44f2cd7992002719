import { sql } from 'kysely';
import { createPartitions } from '#features/activities/store/partition-store.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { channelNumber, kindNumber } from '#platform/database/values/activity-numbers.ts';
import { monthOf } from '#platform/time/month.ts';
import type { ActivityKind, Channel } from '@roster/contract';
import type { StoredContact } from './account.ts';
import type { ModelActivity } from './oracle.ts';

/**
 * Stores the activities of contacts, by contact_id, and activities of people who are no contacts.
 * With `moves`, the activities of every third contact are still under its former key, and some
 * contacts have a key under which a deleted contact still has activities.
 */
export async function storeActivities(
  db: Database,
  accountId: number,
  contacts: readonly StoredContact[],
  activities: ReadonlyMap<number, readonly ModelActivity[]>,
  { names = new Map(), moves: hasMoves = false }: { names?: ReadonlyMap<number, string>; moves?: boolean } = {},
): Promise<void> {
  const all = [...activities.values()].flat();
  const moves: { account_id: number; contact_key: string; target_key: string | null }[] = [];
  const rows: [key: string, activity: ModelActivity][] = [];
  for (const { contact_id: id, identity } of contacts) {
    if (identity === null) continue;
    const own = activities.get(id) ?? [];
    const isMoving = hasMoves && id % 3 === 0 && own.length > 0;
    const key = isMoving ? `former/${id}` : identity;
    rows.push(...own.map((one): [string, ModelActivity] => [key, one]));
    if (isMoving) moves.push({ account_id: accountId, contact_key: key, target_key: identity });
    // Those of a contact that had this identity before and was deleted.
    const isTaken = isMoving && id % 2 === 0;
    if (!isTaken) continue;
    moves.push({ account_id: accountId, contact_key: identity, target_key: null });
    rows.push(...all.slice(0, 3).map((one): [string, ModelActivity] => [identity, one]));
  }
  rows.push(...all.slice(0, 20).map((one, at): [string, ModelActivity] => [`nobody/${at}`, one]));
  const months = new Set(all.map(({ occurred_at: at }) => monthOf(Date.parse(at))));
  await db.transaction().execute(async (trx) => createPartitions(trx, months));
  const column = <T>(of: (one: ModelActivity) => T): T[] => rows.map(([, one]) => of(one));
  await sql`
    insert into activities (account_id, contact_key, channel, activity, occurred_at, message_id, msg_name)
    select ${accountId}, u.* from unnest(${rows.map(([key]) => key)}::text[],
      ${column(({ channel }) => channelNumber(channel as Channel))}::smallint[],
      ${column(({ activity }) => kindNumber(activity as ActivityKind))}::smallint[],
      ${column(({ occurred_at: at }) => at)}::timestamptz[], ${column(({ message_id: id }) => id)}::bigint[],
      ${column(({ msg_name: name }) => name)}::text[]) u`.execute(db);
  if (moves.length > 0) await db.insertInto('activity_moves').values(moves).execute();
  for (const [message_id, name] of names) {
    await db.insertInto('message_names').values({ account_id: accountId, message_id, name }).execute();
  }
}
