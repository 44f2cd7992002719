import { anonymousPrefix, type ActivityKind, type DataMasking, type MessageActivity } from '@roster/contract';
import { channelOf } from '#platform/database/values/activity-numbers.ts';
import { mask } from '#features/registry/masking.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { endOfDay, startOfDay } from '#platform/time/days.ts';
import {
  daysWithActivity,
  listMessageActivities,
  type MessageActivityFilter,
  type MessageActivityPosition,
  type MessageActivityRow,
} from './message-activity-store.ts';

/**
 * Returns up to `limit` activities of a message after a position, newest first.
 *
 * Most days of a message have few activities. So it reads only the days that have some, and as many
 * of them at once as a page needs.
 */
export async function readMessageActivities(
  db: Database,
  filter: MessageActivityFilter,
  timeZone: string,
  after: MessageActivityPosition | undefined,
  limit: number,
): Promise<MessageActivityRow[]> {
  const all = await daysWithActivity(db, filter);
  const days = after === undefined ? all : all.filter(({ day }) => startOfDay(day, timeZone) <= after.at);
  const found: MessageActivityRow[] = [];
  for (let first = 0; first < days.length && found.length < limit;) {
    let last = first;
    for (let expected = 0; last < days.length && expected < limit; last++) expected += days[last]!.count;
    const range = {
      from: startOfDay(days[last - 1]!.day, timeZone),
      before: endOfDay(days[first]!.day, timeZone),
    };
    found.push(...(await listMessageActivities(db, filter, range, after, limit - found.length)));
    first = last;
  }
  return found;
}

/** Returns an activity of a message as the operator API shows it. */
export function messageActivityView(
  row: MessageActivityRow,
  activity: ActivityKind,
  masking: DataMasking,
): MessageActivity {
  const isAnonymous = row.contact_key.startsWith(anonymousPrefix);
  return {
    contact_id: row.contact_id,
    identity: isAnonymous ? null : mask(masking, row.contact_key),
    contact_type: row.contact_type,
    channel: channelOf(row.channel),
    activity,
    occurred_at: row.occurred_at.toISOString(),
    count: row.count,
    link: row.link,
    bounce_type: activity === 'bounce' ? (row.hard_bounce === true ? 'hard' : 'soft') : null,
  };
}
