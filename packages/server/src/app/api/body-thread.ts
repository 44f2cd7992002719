import * as contract from '@roster/contract';
import type { TSchema } from 'typebox';
import { doRecordsTask } from '#features/activities/record/records-task.ts';
import { doBatchTask } from '#features/batch-add/batch-task.ts';
import { doContactsTask } from '#features/contacts/routes/contacts-task.ts';
import { bodyTaskRunner, readShape } from '#platform/http/bodies/body-task.ts';

const shapes = new Map<string, TSchema>(
  Object.values(contract).flatMap((part) =>
    typeof part === 'object' && '$id' in part ? [[part.$id as string, part as TSchema]] : [],
  ),
);

/**
 * The program of the threads that read large bodies. Imports only what the tasks need, because each
 * thread has its own heap.
 */
export default bodyTaskRunner({
  shape: ({ task, bytes }) => readShape(shapes.get(task.shape)!, bytes, task.faults),
  contacts: doContactsTask,
  batch: doBatchTask,
  records: doRecordsTask,
});
