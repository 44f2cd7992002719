import { Faults, readerOf, type ApiErrorCode, type BodyLimits, type Fault } from '@roster/contract';
import type { TSchema } from 'typebox';
import { ApiError } from '#platform/errors/api-error.ts';
import { decodeUtf8, parseJson } from '../json/parse-json.ts';
import { addRepeatedKeys, refusesRepeatedKeys, repeatedKeys } from '../json/repeated-keys.ts';

/** What can be done with a large body in a thread of its own, by kind. Features add their tasks (`declare module`). */
export interface BodyTasks {
  /** Reads the body in a shape of the contract. */
  shape: {
    readonly kind: 'shape';
    /** The `$id` of the shape. */
    readonly shape: string;
    /** Most faults that are looked for; default: as many as an answer has. */
    readonly faults?: number;
  };
}

/** A task for a large body. */
export type BodyTask = BodyTasks[keyof BodyTasks];

/** A task with its body, as the thread gets it. */
export interface BodyJob<Task = BodyTask> {
  readonly task: Task;
  readonly bytes: Uint8Array;
  readonly limits: BodyLimits;
}

/** What a thread returns: plain data that is cheap to copy. */
export interface BodyResult {
  /** What was read; with faults, what could be read. */
  readonly value?: unknown;
  readonly faults: readonly Fault[];
  /** Instead of the others: the error that ended the task. */
  readonly error?: BodyError;
}

/** An `ApiError` as plain data. */
interface BodyError {
  readonly code: ApiErrorCode;
  readonly params: Readonly<Record<string, string | number>>;
  readonly faults: readonly Fault[];
}

/** Does a task of one kind; throws an `ApiError`. It depends on nothing but its argument, so that any thread can do it. */
export type DoBodyTask<Kind extends keyof BodyTasks> = (
  job: BodyJob<BodyTasks[Kind]>,
) => BodyResult | Promise<BodyResult>;

/** What does each kind of task. */
export type BodyTaskPrograms = { readonly [Kind in keyof BodyTasks]: DoBodyTask<Kind> };

/** Makes what a thread runs for each job. */
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

/** Reads a body in a shape, at most with `limit` faults; `check` adds what the shape cannot tell. */
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
