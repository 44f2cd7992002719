import { activitiesPerRequest, readerOf, RecordActivitiesBody, type BodyLimits, type Faults } from '@roster/contract';
import { nameLines, parseLines } from '#platform/http/json/json-lines.ts';
import { decodeUtf8, parseJson } from '#platform/http/json/parse-json.ts';
import { decompressBody } from '#platform/http/bodies/decompress-body.ts';
import type { EncodedPayload } from '#pipeline/operations/payload.ts';
import { toLoggedRecord, type LoggedRecords } from './logged-record.ts';

const readBody = readerOf(RecordActivitiesBody);

/** The task of {@link prepareRecords} in a thread. */
export interface RecordsTask {
  readonly kind: 'records';
  /** The body has one record per line. */
  readonly isLines: boolean;
  /** The body is compressed with gzip. */
  readonly isCompressed: boolean;
}

/** The stored form of a body of activities. */
export interface PreparedRecords {
  readonly payload: LoggedRecords | EncodedPayload;
  readonly total: number;
}

/**
 * Reads the records of a body and prepares them for the log. Returns undefined if there are faults.
 * Throws an `ApiError` if the body cannot be read at all. It depends only on its arguments, so it
 * can run in any thread.
 */
export async function prepareRecords(
  bytes: Buffer,
  { isLines, isCompressed }: RecordsTask,
  limits: BodyLimits,
  faults: Faults,
): Promise<PreparedRecords | undefined> {
  const text = decodeUtf8(isCompressed ? await decompressBody(bytes, limits, isLines) : bytes);
  const lines = isLines ? parseLines(text, activitiesPerRequest) : undefined;
  const body = readBody(lines === undefined ? parseJson(text) : { data: lines.records }, faults);
  if (lines !== undefined) nameLines(lines, faults);
  if (faults.count > 0) return undefined;
  return { payload: { records: body.data.map(toLoggedRecord) }, total: body.data.length };
}
