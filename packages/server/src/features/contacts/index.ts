import type { Feature } from '#platform/feature.ts';
import { second } from '#platform/time/intervals.ts';
import { sweepContacts } from './sweeps/sweep.ts';

/** Contacts: the operations that write them, and what deletions leave to do in the background. */
export const contacts: Feature = {
  name: 'contacts',
  upkeep: [{ interval: second, run: sweepContacts }],
};
