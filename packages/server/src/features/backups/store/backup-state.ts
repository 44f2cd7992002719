import type { Config } from '#platform/config/config.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { dueAfter } from '#platform/config/backup-schedule.ts';
import { loadHistory, type BackupHistory } from './backup-run-store.ts';

/** How the backups of an installation are: what `doctor` and the metrics show. */
export interface BackupState extends BackupHistory {
  /** Since the moment that the last good backup holds; undefined when there is none. */
  readonly ageSeconds: number | undefined;
  /** For how long a backup of the schedule has been missing; 0 when none is, or nothing is scheduled. */
  readonly overdueSeconds: number;
  /** A backup of the schedule is due now. */
  readonly isDue: boolean;
  /** The last attempt that ended has failed. */
  readonly lastFailed: boolean;
}

/** Reads how the backups of the database are. */
export async function readBackupState(
  db: Database,
  { backupSchedule }: Pick<Config, 'backupSchedule'>,
  now: Date,
): Promise<BackupState> {
  const history = await loadHistory(db, 'database');
  const { lastGood, lastEnded, installedAt } = history;
  const since = (moment: Date): number => Math.max(0, (now.getTime() - moment.getTime()) / 1000);
  const from = lastGood?.started_at ?? installedAt;
  const due = backupSchedule === undefined ? undefined : dueAfter(backupSchedule, from);
  return {
    ...history,
    ageSeconds: lastGood === undefined ? undefined : since(lastGood.started_at),
    overdueSeconds: due === undefined ? 0 : since(due),
    isDue: due !== undefined && due <= now,
    lastFailed: lastEnded?.status === 'failed',
  };
}
