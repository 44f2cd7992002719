import type { ActivityRecord } from '@roster/contract';
import { channelOf, kindOf } from './activity.ts';
import { copyFields } from './copy-line.ts';
import type { PackedActivities } from './packed.ts';

/** A record as people read it, without the `id` of its sender, of which only a hash is kept. */
export function unpackActivity(records: PackedActivities, index: number): Omit<ActivityRecord, 'id'> {
  const [activity, messageId, msgName, isHard, ip, device, os, browser, link] = copyFields(records.rest[index]!);
  return {
    identity: records.identity[index]!,
    channel: channelOf(records.channel[index]!),
    activity: kindOf(Number(activity)),
    occurred_at: records.occurred_at[index]!,
    ...(messageId === undefined ? {} : { message_id: Number(messageId) }),
    ...(isHard === undefined ? {} : { bounce_type: isHard === 'true' ? 'hard' : 'soft' }),
    ...given({ msg_name: msgName, ip, device, os, browser, link }),
  };
}

function given<T extends object>(fields: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof T]?: Exclude<T[Name], undefined>;
  };
}
