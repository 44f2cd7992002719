import { isUtf8 } from 'node:buffer';
import { activitiesPerRequest, readerOf, RecordActivitiesBody, type BodyLimits, type Faults } from '@roster/contract';
import { takeFlatItems, takeLines, type TakeItem } from '#platform/http/json/flat-items.ts';
import { nameLines, parseLines } from '#platform/http/json/json-lines.ts';
import { decodeUtf8, parseJson } from '#platform/http/json/parse-json.ts';
import { unpackBody } from '#platform/http/bodies/unpack-body.ts';
import type { EncodedPayload } from '#pipeline/operations/payload.ts';
import { ActivityPacker, packActivities, type PackedActivities } from './packed.ts';

/** Makes the request that is stored out of a body of activities. */
export interface RecordsTask {
  readonly kind: 'records';
  /** The body has one record a line. */
  readonly isLines: boolean;
  /** The body is compressed with gzip. */
  readonly isCompressed: boolean;
}

/** What is stored of a body of activities. */
export interface PreparedRecords {
  readonly payload: PackedActivities | EncodedPayload;
  readonly total: number;
}

/**
 * Reads and packs the records of a body; undefined beside faults. It depends on nothing but its arguments, so that any thread can do it.
 *
 * Ten thousand objects at once would be copied by the garbage collector again and again, so records are packed one by one. Whatever is not in
 * order is read a second time, as a whole. Throws what makes the body unreadable.
 */
export async function prepareRecords(
  bytes: Buffer,
  { isLines, isCompressed }: RecordsTask,
  limits: BodyLimits,
  faults: Faults,
): Promise<PreparedRecords | undefined> {
  const body = isCompressed ? await unpackBody(bytes, limits, isLines) : bytes;
  const payload = packAll(body, isLines ? takeLines : takeFlatItems) ?? readAll(body, isLines, faults);
  return payload === undefined ? undefined : { payload, total: payload.identity.length };
}

/** Packs the records that `walk` finds; undefined when they are not 1 to 10,000, or one of them is not in order. */
function packAll(body: Buffer, walk: (body: Buffer, take: TakeItem) => boolean): PackedActivities | undefined {
  if (!isUtf8(body)) return undefined;
  const packer = new ActivityPacker(body.length);
  let count = 0;
  const isTaken = walk(body, (bytes, from) => (++count > activitiesPerRequest ? -1 : packer.take(bytes, from)));
  return isTaken && count > 0 ? packer.taken() : undefined;
}

function readAll(body: Buffer, isLines: boolean, faults: Faults): PackedActivities | undefined {
  const text = decodeUtf8(body);
  const lines = isLines ? parseLines(text, activitiesPerRequest) : undefined;
  const read = readerOf(RecordActivitiesBody)(lines === undefined ? parseJson(text) : { data: lines.records }, faults);
  if (lines !== undefined) nameLines(lines, faults);
  return faults.count > 0 ? undefined : packActivities(read.data);
}
