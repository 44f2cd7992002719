import type { TimelineEntry } from '@roster/contract';
import { channelOf, kindOf } from '#platform/database/values/activity-numbers.ts';
import type { ContactEventRow } from '#features/contacts/history/contact-event-store.ts';
import { timeOfId } from '#platform/ids.ts';
import type { TimelineActivityRow, TimelineRequestRow } from './timeline-store.ts';

const empty = { request: null, activity: null, change: null } as const;

/** Returns the entry that says when the contact was created (milliseconds since 1970). */
export function createdEntry(time: number): TimelineEntry {
  return { kind: 'created', occurred_at: new Date(time).toISOString(), ...empty };
}

/** Returns the entry of a request that touched the contact. */
export function requestEntry(requestId: string, row: TimelineRequestRow | undefined): TimelineEntry {
  const occurredAt = new Date(timeOfId(requestId)).toISOString();
  return { kind: 'request', occurred_at: occurredAt, ...empty, request: requestOf(requestId, row) };
}

/** Returns the entry of an activity. */
export function activityEntry(row: TimelineActivityRow): TimelineEntry {
  const { hard_bounce: hard, channel, activity, occurred_at: occurredAt, ...rest } = row;
  return {
    kind: 'activity',
    occurred_at: occurredAt.toISOString(),
    ...empty,
    activity: {
      channel: channelOf(channel),
      activity: kindOf(activity),
      bounce_type: hard === null ? null : hard ? 'hard' : 'soft',
      message_id: rest.message_id,
      msg_name: rest.msg_name,
      ip: rest.ip,
      device: rest.device,
      os: rest.os,
      browser: rest.browser,
      link: rest.link,
    },
  };
}

type Change = NonNullable<TimelineEntry['change']>;

/** Returns the entry of a change. `maskIdentity` hides identities from callers who must not see them. */
export function eventEntry(
  { kind, occurred_at: occurredAt, details, request_id: requestId }: ContactEventRow,
  row: TimelineRequestRow | undefined,
  maskIdentity: (identity: string | null) => string | null,
): TimelineEntry {
  const [from, to] = [details['from'] ?? null, details['to'] ?? null];
  const isIdentity = kind === 'identity_changed';
  return {
    kind,
    occurred_at: occurredAt.toISOString(),
    ...empty,
    request: requestOf(requestId, row),
    change: {
      from: isIdentity ? maskIdentity(from) : from,
      to: isIdentity ? maskIdentity(to) : to,
      channel: (details['channel'] ?? null) as Change['channel'],
      cause: (details['cause'] ?? null) as Change['cause'],
      activity: (details['activity'] ?? null) as Change['activity'],
    },
  };
}

function requestOf(requestId: string, row: TimelineRequestRow | undefined): NonNullable<TimelineEntry['request']> {
  return {
    request_id: requestId,
    operation: row?.operation ?? null,
    status: row?.status ?? null,
    total: row?.counts?.total ?? null,
    failed: row?.counts?.failed ?? null,
  };
}
