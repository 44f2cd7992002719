import type { Feature } from '#platform/feature.ts';
import { hour } from '#platform/time/intervals.ts';
import { forgetOldDays } from './daily-limit/daily-limit.ts';

/** Accounts, their settings, their API keys, their signing secrets and their limit of the day. */
export const accounts: Feature = {
  name: 'accounts',
  upkeep: [{ interval: hour, run: forgetOldDays }],
};
