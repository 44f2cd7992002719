import { Faults, readerOf, type ApiErrorCode, type BodyLimits, type Fault } from '@roster/contract';
import type { TSchema } from 'typebox';
import { ApiError } from '#platform/errors/api-error.ts';
import { decodeUtf8, parseJson } from '../json/parse-json.ts';
import { addRepeatedKeys, refusesRepeatedKeys, repeatedKeys } from '../json/repeated-keys.ts';

/** The tasks that threads do with large bodies, by kind. Features add tasks (`declare module`). */
export interface BodyTasks {
  /** Reads the body in a shape of the contract. */
  shape: {
    readonly kind: 'shape';
    /** The `$id` of the shape. */
    readonly shape: string;
    /** Maximum number of faults; default: the maximum of a response. */
    readonly faults?: number;
  };
}

/** A task for a large body. */
export type BodyTask = BodyTasks[keyof BodyTasks];

/** A task with its body, as it is sent to a thread. */
export interface BodyJob<Task = BodyTask> {
  readonly task: Task;
  readonly bytes: Uint8Array;
  readonly limits: BodyLimits;
}

/** The result of a thread: plain data that is cheap to copy. */
export interface BodyResult {
  /** The result; if there are faults, the parts that could be read. */
  readonly value?: unknown;
  readonly faults: readonly Fault[];
  /** The error that ended the task. Then the other fields are empty. */
  readonly error?: BodyError;
}

/** An `ApiError` as plain data. */
interface BodyError {
  readonly code: ApiErrorCode;
  readonly params: Readonly<Record<string, string | number>>;
  readonly faults: readonly Fault[];
}

/** Does one kind of task, in any thread, so it uses only its argument. Throws an `ApiError`. */
export type DoBodyTask<Kind extends keyof BodyTasks> = (
  job: BodyJob<BodyTasks[Kind]>,
) => BodyResult | Promise<BodyResult>;

/** A function for each kind of task. */
export type BodyTaskPrograms = { readonly [Kind in keyof BodyTasks]: DoBodyTask<Kind> };

/** Makes the function that a thread runs for each job. */
export function bodyTaskRunner(programs: BodyTaskPrograms): (job: BodyJob) => Promise<BodyResult> {
  return async (job) => {
    try {
      return await (programs[job.task.kind] as DoBodyTask<never>)(job as never);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { code, params, faults } = error;
      return { faults: [], error: { code, params, faults } };
    }
  };
}

/** Reads a body in a shape, with up to `limit` faults. `check` adds what a shape cannot express. */
export function readShape(
  shape: TSchema,
  bytes: Uint8Array,
  limit?: number,
  check?: (body: unknown, faults: Faults) => void,
): { readonly value: unknown; readonly faults: readonly Fault[] } {
  const text = decodeUtf8(bytes);
  const faults = new Faults(limit);
  const json = parseJson(text);
  if (refusesRepeatedKeys(shape)) addRepeatedKeys(repeatedKeys(text), faults);
  const value = readerOf(shape)(json, faults);
  check?.(value, faults);
  return { value, faults: faults.list };
}
