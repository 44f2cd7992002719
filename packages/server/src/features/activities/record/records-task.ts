import { Faults } from '@roster/contract';
import { encodePayloadInThread } from '#pipeline/operations/payload.ts';
import type { BodyJob, BodyResult } from '#platform/http/bodies/body-task.ts';
import { prepareRecords, type RecordsTask } from './prepare-records.ts';

declare module '#platform/http/bodies/body-task.ts' {
  interface BodyTasks {
    records: RecordsTask;
  }
}

/** Runs {@link prepareRecords} in a thread, and encodes the payload. */
export async function doRecordsTask({ task, bytes, limits }: BodyJob<RecordsTask>): Promise<BodyResult> {
  const faults = new Faults();
  const records = await prepareRecords(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), task, limits, faults);
  if (records === undefined) return { faults: faults.list };
  return { value: { total: records.total, payload: encodePayloadInThread(records.payload) }, faults: [] };
}
