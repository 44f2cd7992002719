import { readBigint, readTimestamp } from '#platform/database/values/binary.ts';
import { endOfField, TupleWriter } from '#platform/database/values/tuple-writer.ts';
import { packedColumns } from './packed.ts';

const columns = packedColumns.split(', ').length;
// Before each field is its length, in four bytes.
const places = { occurredAt: 4, channel: 16, recordId: 18 } as const;

/** Where each tuple of packed activities begins, and behind them where the last one ends. */
export function tuplesIn(bytes: Buffer): number[] {
  const begins = [0];
  for (let at = 0; at < bytes.length; begins.push(at)) {
    for (let column = 0; column < columns; column++) at = endOfField(bytes, at);
  }
  return begins;
}

/** When the activity happened whose tuple begins at a place, in milliseconds since 1970. */
export function momentAt(bytes: Buffer, begin: number): number {
  return readTimestamp(bytes, begin + places.occurredAt);
}

/** The number of its channel. */
export function channelNumberAt(bytes: Buffer, begin: number): number {
  return bytes.readInt16BE(begin + places.channel);
}

/** What was made of the sender's `id`; undefined without one. */
export function recordIdAt(bytes: Buffer, begin: number): number | undefined {
  const at = begin + places.recordId;
  return bytes.readInt32BE(at) === -1 ? undefined : readBigint(bytes, at + 4);
}

/** The tuples without what those of some indexes say. */
export function withoutTuples(bytes: Buffer, indexes: ReadonlySet<number>): Buffer {
  const left = new TupleWriter();
  const begins = tuplesIn(bytes);
  for (let index = 0; index < begins.length - 1; index++) {
    if (!indexes.has(index)) left.fields(bytes, begins[index]!, begins[index + 1]!);
    else for (let column = 0; column < columns; column++) left.null();
  }
  return left.bytes;
}
