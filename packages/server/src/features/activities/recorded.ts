import { channelNumberAt, recordIdAt } from './packed-tuple.ts';

/** An activity that a batch records. */
export interface NewActivity {
  /** The contact key. */
  readonly key: string;
  /** Index of its request in the batch. */
  readonly request: number;
  /** When it happened, in milliseconds since 1970. */
  readonly occurredAt: number;
  /** Its tuple of `PackedActivities`: where it begins and ends in their bytes. */
  readonly bytes: Buffer;
  readonly begin: number;
  readonly end: number;
}

/**
 * The activities that a batch records, in the order of their requests, by columns: there are ten thousand in a request, and as many objects
 * that live as long as a batch would keep the garbage collector busy.
 */
export class RecordedActivities {
  /** The contact key; null when the contact was deleted since, and its activities with it. */
  readonly keys: (string | null)[] = [];
  readonly requests: number[] = [];
  readonly moments: number[] = [];
  readonly channels: number[] = [];
  /** What was made of the sender's `id`; NaN without one. */
  readonly recordIds: number[] = [];
  readonly bytes: Buffer[] = [];
  readonly begins: number[] = [];
  readonly ends: number[] = [];

  add({ key, request, occurredAt, bytes, begin, end }: NewActivity): void {
    this.keys.push(key);
    this.requests.push(request);
    this.moments.push(occurredAt);
    this.channels.push(channelNumberAt(bytes, begin));
    this.recordIds.push(recordIdAt(bytes, begin) ?? NaN);
    this.bytes.push(bytes);
    this.begins.push(begin);
    this.ends.push(end);
  }

  /** Gives what is recorded under one key to another, or to none (null). */
  move(from: string, to: string | null): void {
    const { keys } = this;
    for (let at = keys.indexOf(from); at !== -1; at = keys.indexOf(from, at + 1)) keys[at] = to;
  }
}
