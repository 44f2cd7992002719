import {
  ActivityRecord,
  Faults,
  readerOf,
  type ActivityKind,
  type Channel,
  type OptOutChannel,
} from '@roster/contract';
import { canOptOut } from '#features/contacts/model/opt-outs.ts';
import { TupleWriter } from '#platform/database/values/tuple-writer.ts';
import { endOfFlatObject } from '#platform/http/json/flat-items.ts';
import { tryJson } from '#platform/http/json/parse-json.ts';
import { channelNumber, kindNumber } from './activity-numbers.ts';
import { CanonicalRecord } from './canonical.ts';
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

/** The fields of a record that are stored as texts. */
export type TextField = 'msg_name' | 'ip' | 'device' | 'os' | 'browser' | 'link';

/** What a tuple is made of; fields that do not apply to the activity may be there. */
export interface RecordFields {
  readonly identity: string;
  readonly channel: Channel;
  readonly activity: ActivityKind;
  /** In milliseconds since 1970. */
  readonly occurredAt: number;
  /** What was made of the sender's `id`; undefined without one. */
  readonly recordId: number | undefined;
  readonly messageId: number | undefined;
  /** Of a bounce. */
  readonly isHardBounce: boolean;
  /** Writes a field, or null. */
  writeText(tuple: TupleWriter, field: TextField): void;
}

/** Packs records one at a time, so that each is garbage before the next is read. */
export class ActivityPacker {
  readonly #identity: string[] = [];
  readonly #optOuts: Record<number, OptOutChannel> = {};
  readonly #tuples: TupleWriter;
  readonly #canonical = new CanonicalRecord();

  /** `bytes`: of the records as they were sent, as far as that is known. */
  constructor(bytes?: number) {
    // A tuple takes about half of what JSON does.
    this.#tuples = new TupleWriter(bytes === undefined ? undefined : Math.ceil(bytes * 0.6));
  }

  /** Packs the record whose JSON begins at a place of a body of UTF-8; -1 when something is wrong with it, and nothing more is of use. */
  take(body: Buffer, from: number): number {
    const end = this.#canonical.read(body, from);
    if (end === -1) return this.#takeOther(body, from);
    this.#add(this.#canonical);
    return end;
  }

  /** Packs a record. */
  add(record: ActivityRecord): void {
    this.#add(fieldsOf(record));
  }

  /** What was packed. */
  taken(): PackedActivities {
    return { identity: this.#identity, opt_outs: this.#optOuts, bytes: this.#tuples.bytes };
  }

  #takeOther(body: Buffer, from: number): number {
    const end = endOfFlatObject(body, from);
    const sent = end === -1 ? undefined : tryJson(body.toString('utf8', from, end));
    if (sent === undefined) return -1;
    const faults = new Faults(1);
    const record = readRecord(sent, faults);
    if (faults.count > 0) return -1;
    this.add(record);
    return end;
  }

  #add(record: RecordFields): void {
    const channel = optedOutOf(record);
    if (channel !== undefined) this.#optOuts[this.#identity.length] = channel;
    this.#identity.push(record.identity);
    writeFields(this.#tuples, record);
  }
}

function fieldsOf(record: ActivityRecord): RecordFields {
  const { identity, channel, activity, occurred_at: at, id, message_id: messageId, bounce_type: bounceType } = record;
  return {
    identity,
    channel,
    activity,
    occurredAt: Date.parse(at),
    recordId: id === undefined ? undefined : recordId(id),
    messageId,
    isHardBounce: bounceType === 'hard',
    writeText: (tuple, field) => tuple.text(record[field]),
  };
}

/** The channel that an activity opts its contact out of (decisions §8); undefined for most. Push channels know no opt-out. */
function optedOutOf({ activity, isHardBounce, channel }: RecordFields): OptOutChannel | undefined {
  const optsOut = activity === 'unsubscribe' || activity === 'spam' || (activity === 'bounce' && isHardBounce);
  return optsOut && canOptOut(channel) ? channel : undefined;
}

// What somebody does by hand has a device; the sending of a message has none.
const byHand: ReadonlySet<ActivityKind> = new Set(['open', 'click', 'unsubscribe', 'spam']);
const deviceFields = ['ip', 'device', 'os', 'browser'] as const;

function writeFields(tuple: TupleWriter, record: RecordFields): void {
  const { activity } = record;
  tuple.timestamp(record.occurredAt);
  tuple.smallint(channelNumber(record.channel));
  tuple.bigint(record.recordId);
  tuple.smallint(kindNumber(activity));
  tuple.bigint(record.messageId);
  record.writeText(tuple, 'msg_name');
  tuple.boolean(activity === 'bounce' ? record.isHardBounce : undefined);
  const isByHand = byHand.has(activity);
  for (const field of deviceFields) {
    if (isByHand) record.writeText(tuple, field);
    else tuple.null();
  }
  if (activity === 'click') record.writeText(tuple, 'link');
  else tuple.null();
}
