import type { Feature } from '#platform/feature.ts';
import { minute } from '#platform/time/intervals.ts';
import { keepBackups } from './keep-backups.ts';

/** Backups of the database, and their restore. */
export const backups: Feature = {
  name: 'backups',
  upkeep: [{ interval: minute, run: keepBackups }],
};
