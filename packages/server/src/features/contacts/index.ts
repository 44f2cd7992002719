import type { Feature } from '#platform/feature.ts';
import { second } from '#platform/time/intervals.ts';
import { contactModel } from './batch/model.ts';
import { contactOperations } from './operations.ts';
import { sweepContacts } from './sweeps/sweep.ts';

/** Contacts: the operations that write them, and what deletions leave to do in the background. */
export const contacts: Feature = {
  name: 'contacts',
  operations: contactOperations,
  batchModel: contactModel,
  upkeep: [{ interval: second, run: sweepContacts }],
};
