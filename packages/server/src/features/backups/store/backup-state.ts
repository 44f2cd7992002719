import type { Config } from '#platform/config/config.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { dueAfter } from '#platform/config/backup-schedule.ts';
import { loadHistory, type BackupHistory } from './backup-run-store.ts';

/** The state of the backups of an installation, as `doctor` and the metrics show it. */
export interface BackupState extends BackupHistory {
  /** Age of the newest complete backup; undefined when there is none. */
  readonly ageSeconds: number | undefined;
  /** How long a scheduled backup has been due; 0 when no backup is due. */
  readonly overdueSeconds: number;
  /** True when a scheduled backup is due now. */
  readonly isDue: boolean;
  /** True when the newest attempt that has ended has failed. */
  readonly lastFailed: boolean;
}

/** Reads the state of the backups of the database. */
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
