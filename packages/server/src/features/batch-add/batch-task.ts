import { encodePayloadInThread } from '#pipeline/operations/payload.ts';
import type { BodyJob, BodyResult } from '#platform/http/bodies/body-task.ts';
import { decodeUtf8, parseJson } from '#platform/http/json/parse-json.ts';
import { prepareBatch, type BatchTask } from './prepare-batch.ts';

declare module '#platform/http/bodies/body-task.ts' {
  interface BodyTasks {
    batch: BatchTask;
  }
}

/** Reads the body of a batch, and encodes the request to store. */
export function doBatchTask({ task, bytes }: BodyJob<BatchTask>): BodyResult {
  const prepared = prepareBatch(parseJson(decodeUtf8(bytes)), task);
  return { value: { ...prepared, payload: encodePayloadInThread(prepared.payload) }, faults: [] };
}
