import type { ActivityKind, ActivityRecord, OptOutChannel } from '@roster/contract';
import { canOptOut } from '#features/contacts/model/opt-outs.ts';
import { recordId } from './record-id.ts';

/** A record as the log of requests stores it: only with the fields that its activity can have. */
export interface LoggedRecord extends Readonly<Omit<ActivityRecord, 'id'>> {
  /** The hash of the sender's `id`. The `id` itself is not stored. */
  readonly record_id?: number;
}

/** The payload of a request that records activities. */
export interface LoggedRecords {
  readonly records: readonly LoggedRecord[];
}

/** Fields of the device. Only activities of the person have them. */
const deviceFields = ['ip', 'device', 'os', 'browser'] as const;
const withDevice: ReadonlySet<ActivityKind> = new Set(['open', 'click', 'unsubscribe', 'spam']);

/** Prepares a record for the log. */
export function toLoggedRecord(record: ActivityRecord): LoggedRecord {
  const { identity, channel, activity, occurred_at, id, message_id, msg_name, link } = record;
  // Fields without a value are left out: JSON.stringify takes twice as long if they are undefined.
  const logged: { -readonly [Field in keyof LoggedRecord]: LoggedRecord[Field] } = {
    identity,
    channel,
    activity,
    occurred_at,
  };
  if (id !== undefined) logged.record_id = recordId(id);
  if (message_id !== undefined) logged.message_id = message_id;
  if (msg_name !== undefined) logged.msg_name = msg_name;
  if (activity === 'bounce') logged.bounce_type = record.bounce_type ?? 'soft';
  if (activity === 'click' && link !== undefined) logged.link = link;
  if (withDevice.has(activity)) {
    for (const field of deviceFields) if (record[field] !== undefined) logged[field] = record[field];
  }
  return logged;
}

/** Returns the record without its internal `record_id`. */
export function withoutRecordId(record: LoggedRecord): Omit<LoggedRecord, 'record_id'> {
  const { record_id: _recordId, ...shown } = record;
  return shown;
}

/** Returns the channel that a record opts its contact out of, or undefined. Push has no opt-out. */
export function optOutOf({ activity, bounce_type, channel }: LoggedRecord): OptOutChannel | undefined {
  const optsOut = activity === 'unsubscribe' || activity === 'spam' || bounce_type === 'hard';
  return optsOut && canOptOut(channel) ? channel : undefined;
}
