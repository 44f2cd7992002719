import { hash } from 'node:crypto';
import type { ActivityKind, ActivityRecord, OptOutChannel } from '@roster/contract';
import { canOptOut } from '../contacts/opt-outs.ts';
import { channelNumber, kindNumber } from './activity.ts';
import { copyField } from './copy-line.ts';

/**
 * The records of a request as they wait in the log, column by column: a third of the text of objects with the same names again and again, and
 * a tenth of the objects for the worker to make. What the worker does not look into is in the form in which it is stored.
 */
export interface PackedActivities {
  readonly identity: readonly string[];
  /** Number of the channel. */
  readonly channel: readonly number[];
  /** RFC 3339 in UTC, with milliseconds. */
  readonly occurred_at: readonly string[];
  /** What the `id` of the sender was made into; null without one. */
  readonly record_id: readonly (number | null)[];
  /** The columns of {@link restColumns}, as the lines of COPY have them. */
  readonly rest: readonly string[];
  /** By index, of the records that opt their contact out: of which channel. */
  readonly opt_outs: Readonly<Record<number, OptOutChannel>>;
}

/** The columns that {@link PackedActivities.rest} has, in order. */
export const restColumns = 'activity, message_id, msg_name, hard_bounce, ip, device, os, browser, link';

/** Packs records; what does not apply to the kind of an activity is left out. */
export function packActivities(records: readonly ActivityRecord[]): PackedActivities {
  const optOuts: Record<number, OptOutChannel> = {};
  for (const [index, record] of records.entries()) {
    const channel = optedOutOf(record);
    if (channel !== undefined) optOuts[index] = channel;
  }
  return {
    identity: records.map(({ identity }) => identity),
    channel: records.map(({ channel }) => channelNumber(channel)),
    occurred_at: records.map(({ occurred_at: at }) => at),
    record_id: records.map(({ id }) => (id === undefined ? null : recordId(id))),
    rest: records.map(restOf),
    opt_outs: optOuts,
  };
}

/** The channel that an activity opts its contact out of (decisions §8); undefined for most. Push channels know no opt-out. */
function optedOutOf({ activity, bounce_type, channel }: ActivityRecord): OptOutChannel | undefined {
  const optsOut =
    activity === 'unsubscribe' || activity === 'spam' || (activity === 'bounce' && bounce_type === 'hard');
  return optsOut && canOptOut(channel) ? channel : undefined;
}

/** The first 52 bits of the SHA-256 of an id, which a number holds exactly. */
function recordId(id: string): number {
  return Number.parseInt(hash('sha256', id, 'hex').slice(0, 13), 16);
}

// What somebody does by hand has a device; the sending of a message has none.
const byHand: ReadonlySet<ActivityKind> = new Set(['open', 'click', 'unsubscribe', 'spam']);

function restOf(record: ActivityRecord): string {
  const { activity } = record;
  const isHard = activity === 'bounce' ? String(record.bounce_type === 'hard') : '';
  const message = `${kindNumber(activity)}|${record.message_id ?? ''}|${copyField(record.msg_name)}|${isHard}`;
  if (!byHand.has(activity)) return `${message}|||||`;
  const { ip, device, os, browser } = record;
  const link = activity === 'click' ? record.link : undefined;
  return `${message}|${copyField(ip)}|${copyField(device)}|${copyField(os)}|${copyField(browser)}|${copyField(link)}`;
}
