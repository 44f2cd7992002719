import type { Feature } from '#platform/feature.ts';
import { minute } from '#platform/time/intervals.ts';
import { backupUpkeep } from './backup-upkeep.ts';

/** Backups of the database, and restoring them. */
export const backups: Feature = {
  name: 'backups',
  upkeep: [{ interval: minute, run: backupUpkeep }],
};
