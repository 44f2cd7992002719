import type { Feature } from '../feature.ts';
import { second } from '../time/intervals.ts';
import { sweepContacts } from './sweep.ts';

/** Contacts: the operations that write them, and what deletions leave to do in the background. */
export const contacts: Feature = {
  name: 'contacts',
  upkeep: [{ interval: second, run: sweepContacts }],
};
