import * as contract from '@roster/contract';
import { Faults, readerOf, type ApiErrorCode, type BodyLimits, type Fault } from '@roster/contract';
import type { TSchema } from 'typebox';
import { prepareRecords, type RecordsTask } from '#features/activities/prepare-records.ts';
import { prepareBatch, type BatchTask } from '#features/batch-add/prepare-batch.ts';
import { checkIdentities } from '#features/contacts/routes/check-identities.ts';
import { contactShapes, prepareContacts, type ContactsTask } from '#features/contacts/routes/prepare-contacts.ts';
import { encodePayload } from '#pipeline/operations/payload.ts';
import { addRepeatedKeys, repeatedKeys, refusesRepeatedKeys } from '#platform/http/json/repeated-keys.ts';
import { decodeUtf8, parseJson } from '#platform/http/json/parse-json.ts';

/** Reads a body in a shape of the contract, by its `$id`. */
interface ShapeTask {
  readonly kind: 'shape';
  readonly shape: string;
  /** Most faults that are looked for. */
  readonly faults?: number;
}

/** What is to be done with a large body, in a thread of its own. */
export type BodyTask = ShapeTask | ContactsTask | BatchTask | RecordsTask;

/** A task with its body, as the thread gets it. */
export interface BodyJob {
  readonly task: BodyTask;
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

/** Does a task; throws an `ApiError`. */
export async function doBodyTask({ task, bytes, limits }: BodyJob): Promise<BodyResult> {
  switch (task.kind) {
    case 'shape': {
      const { value, faults } = readShape(shapes.get(task.shape)!, bytes, task.faults);
      return { value, faults };
    }
    case 'contacts': {
      const check = (body: unknown, found: Faults) => checkIdentities(body ?? {}, task, found);
      const { value, faults } = readShape(contactShapes[task.operation], bytes, undefined, check);
      if (faults.length > 0) return { value: undefined, faults };
      const prepared = prepareContacts(value as never, task);
      return { value: { ...prepared, payload: await encodePayload(prepared.payload) }, faults };
    }
    case 'batch': {
      const prepared = prepareBatch(parseJson(decodeUtf8(bytes)), task);
      return { value: { ...prepared, payload: await encodePayload(prepared.payload) }, faults: [] };
    }
    case 'records': {
      const faults = new Faults();
      const records = await prepareRecords(
        Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
        task,
        limits,
        faults,
      );
      if (records === undefined) return { value: undefined, faults: faults.list };
      return { value: { total: records.total, payload: await encodePayload(records.payload) }, faults: [] };
    }
    default:
      throw new Error(`no such task: ${String(task satisfies never)}`);
  }
}

const shapes = new Map<string, TSchema>(
  Object.values(contract).flatMap((part) =>
    typeof part === 'object' && '$id' in part ? [[part.$id as string, part as TSchema]] : [],
  ),
);

function readShape(
  shape: TSchema,
  bytes: Uint8Array,
  limit?: number,
  check?: (body: unknown, faults: Faults) => void,
): { value: unknown; faults: readonly Fault[] } {
  const text = decodeUtf8(bytes);
  const faults = new Faults(limit);
  const json = parseJson(text);
  if (refusesRepeatedKeys(shape)) addRepeatedKeys(repeatedKeys(text), faults);
  const value = readerOf(shape)(json, faults);
  check?.(value, faults);
  return { value, faults: faults.list };
}
