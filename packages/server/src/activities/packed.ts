import { ActivityRecord, Faults, readerOf, type ActivityKind, type OptOutChannel } from '@roster/contract';
import { canOptOut } from '../contacts/opt-outs.ts';
import { TupleWriter } from '../db/tuple-writer.ts';
import { channelNumber, kindNumber } from './activity.ts';
import { isCanonical } from './canonical.ts';
import { recordId } from './record-id.ts';

/**
 * The records of a request as they wait in the log. What the worker does not look into is in the form in which it is stored, so that it makes
 * one text of a record instead of ten.
 */
export interface PackedActivities {
  readonly identity: readonly string[];
  /** By index, of the records that opt their contact out: of which channel. */
  readonly opt_outs: Readonly<Record<number, OptOutChannel>>;
  /** The columns of {@link packedColumns} of each record, one after the other, as COPY has them in binary. */
  readonly bytes: Buffer;
}

/** The columns of {@link PackedActivities.bytes}, in order; `record_id` is what was made of the `id` of the sender. */
export const packedColumns =
  'occurred_at, channel, record_id, activity, message_id, msg_name, hard_bounce, ip, device, os, browser, link';

/** Packs records; what does not apply to the kind of an activity is left out. */
export function packActivities(records: readonly ActivityRecord[]): PackedActivities {
  const packer = new ActivityPacker();
  for (const record of records) packer.add(record);
  return packer.taken();
}

const readRecord = readerOf(ActivityRecord);

/** Packs records one at a time, so that each is garbage before the next is read. */
export class ActivityPacker {
  readonly #identity: string[] = [];
  readonly #optOuts: Record<number, OptOutChannel> = {};
  readonly #tuples = new TupleWriter();

  /** Packs a record as it was sent; false when something is wrong with it, and nothing more is of use. */
  take(sent: unknown): boolean {
    if (isCanonical(sent)) {
      this.add(sent);
      return true;
    }
    const faults = new Faults(1);
    const record = readRecord(sent, faults);
    if (faults.count > 0) return false;
    this.add(record);
    return true;
  }

  /** Packs a record. */
  add(record: ActivityRecord): void {
    const channel = optedOutOf(record);
    if (channel !== undefined) this.#optOuts[this.#identity.length] = channel;
    this.#identity.push(record.identity);
    writeFields(this.#tuples, record);
  }

  /** What was packed. */
  taken(): PackedActivities {
    return { identity: this.#identity, opt_outs: this.#optOuts, bytes: this.#tuples.bytes };
  }
}

/** The channel that an activity opts its contact out of (decisions §8); undefined for most. Push channels know no opt-out. */
function optedOutOf({ activity, bounce_type, channel }: ActivityRecord): OptOutChannel | undefined {
  const optsOut =
    activity === 'unsubscribe' || activity === 'spam' || (activity === 'bounce' && bounce_type === 'hard');
  return optsOut && canOptOut(channel) ? channel : undefined;
}

// What somebody does by hand has a device; the sending of a message has none.
const byHand: ReadonlySet<ActivityKind> = new Set(['open', 'click', 'unsubscribe', 'spam']);

function writeFields(tuple: TupleWriter, record: ActivityRecord): void {
  const { activity, id } = record;
  tuple.timestamp(Date.parse(record.occurred_at));
  tuple.smallint(channelNumber(record.channel));
  tuple.bigint(id === undefined ? undefined : recordId(id));
  tuple.smallint(kindNumber(activity));
  tuple.bigint(record.message_id);
  tuple.text(record.msg_name);
  tuple.boolean(activity === 'bounce' ? record.bounce_type === 'hard' : undefined);
  const { ip, device, os, browser }: Partial<ActivityRecord> = byHand.has(activity) ? record : {};
  tuple.text(ip);
  tuple.text(device);
  tuple.text(os);
  tuple.text(browser);
  tuple.text(activity === 'click' ? record.link : undefined);
}
