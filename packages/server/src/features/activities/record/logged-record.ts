import type { ActivityKind, ActivityRecord, OptOutChannel } from '@roster/contract';
import { canOptOut } from '#features/contacts/model/opt-outs.ts';
import { recordId } from './record-id.ts';

/** A record as the log of requests stores it: only with the fields that its activity can have. */
export type LoggedRecord = {
  readonly [Field in keyof Omit<ActivityRecord, 'id'>]: ActivityRecord[Field] | undefined;
} & Pick<ActivityRecord, 'identity' | 'channel' | 'activity' | 'occurred_at'> & {
    /** The hash of the sender's `id`. The `id` itself is not stored. */
    readonly record_id?: number | undefined;
  };

/** The payload of a request that records activities. */
export interface LoggedRecords {
  readonly records: readonly LoggedRecord[];
}

// Activities of the person. Only these have the fields of the device.
const withDevice: ReadonlySet<ActivityKind> = new Set(['open', 'click', 'unsubscribe', 'spam']);

/** Prepares a record for the log. */
export function toLoggedRecord(record: ActivityRecord): LoggedRecord {
  const { identity, channel, activity, occurred_at, id, message_id, msg_name } = record;
  const hasDevice = withDevice.has(activity);
  return {
    identity,
    channel,
    activity,
    occurred_at,
    record_id: id === undefined ? undefined : recordId(id),
    message_id,
    bounce_type: activity === 'bounce' ? (record.bounce_type ?? 'soft') : undefined,
    msg_name,
    ip: hasDevice ? record.ip : undefined,
    device: hasDevice ? record.device : undefined,
    os: hasDevice ? record.os : undefined,
    browser: hasDevice ? record.browser : undefined,
    link: activity === 'click' ? record.link : undefined,
  };
}

/** Returns the record without its internal `record_id`. */
export function withoutRecordId(record: LoggedRecord): LoggedRecord {
  return { ...record, record_id: undefined };
}

/** Returns the channel that a record opts its contact out of, or undefined. Push has no opt-out. */
export function optOutOf({ activity, bounce_type, channel }: LoggedRecord): OptOutChannel | undefined {
  const optsOut = activity === 'unsubscribe' || activity === 'spam' || bounce_type === 'hard';
  return optsOut && canOptOut(channel) ? channel : undefined;
}
