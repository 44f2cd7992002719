import type { Context } from '#platform/context.ts';
import { advisoryLocks } from '#platform/database/statements/advisory-locks.ts';
import { openConnection } from '#platform/database/connection/open-connection.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { readArchiveState } from './archive/archive-state.ts';
import { shortInstallation } from './store/backup-name.ts';
import { placeWithin, readBackupPlace } from '#platform/config/backup-place.ts';
import { endRun, forgetRuns, interrupted, loadInstallationId, loadLostRuns } from './store/backup-run-store.ts';
import { explainStorage } from './store/backup-store.ts';
import { readBackupState, type BackupState } from './store/backup-state.ts';
import { listBackups } from './store/find-backup.ts';
import { removeBackup, runBackup } from './copy/run-backup.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** After an attempt that failed, the next one waits so long. */
const pauseAfterFailure = 15 * minute;

/** A backup that takes longer is given up: its transaction keeps vacuum from removing what was deleted since. */
const deadline = 6 * hour;

/** A run that was not ended for so long was killed: longer than the deadline, and than anybody watches a command. */
const lostAfter = day;

/**
 * Makes the backup that the schedule asks for, if one is due, and deletes those whose time is over; shows the state as metrics.
 *
 * One process of the database at a time. A backup that was due while nothing ran is made as soon as something does.
 */
export async function keepBackups(context: Context, signal: AbortSignal): Promise<void> {
  const { config, db, metrics, now } = context;
  const show = async (): Promise<BackupState> => {
    const state = await readBackupState(db, config, now());
    // Only workers do: a process that knows nothing of backups must not show an age of 0.
    const labels = { kind: 'database' };
    metrics.backupAge.set(labels, state.ageSeconds ?? Number.NaN);
    metrics.backupOverdue.set(labels, state.overdueSeconds);
    metrics.backupFailed.set(labels, state.lastFailed ? 1 : 0);
    const archive = await readArchiveState(db, now());
    if (archive !== undefined) {
      const files = { kind: 'files' };
      metrics.backupAge.set(files, archive.ageSeconds ?? Number.NaN);
      metrics.backupOverdue.set(files, archive.overdueSeconds);
      metrics.backupFailed.set(files, archive.failure === undefined ? 0 : 1);
      metrics.walArchiveFailing.set(archive.isFailing ? 1 : 0);
    }
    return state;
  };
  if (!isTime(await show(), now())) return;
  const client = await openConnection(config.databaseUrl!, 'roster backups', 5000);
  try {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1, 0) as taken', [
      advisoryLocks.backups,
    ]);
    // Another process may have made it since.
    if (!rows[0]!.taken || !isTime(await show(), now())) return;
    await makeScheduledBackup(context, signal);
  } finally {
    await client.end().catch(() => undefined);
    await show();
  }
}

/** Whether to make the backup that is due: not soon after an attempt that failed. */
function isTime({ isDue, lastEnded, lastFailed }: BackupState, now: Date): boolean {
  if (!isDue) return false;
  return !lastFailed || now.getTime() - lastEnded!.finished_at!.getTime() >= pauseAfterFailure;
}

async function makeScheduledBackup(context: Context, signal: AbortSignal): Promise<void> {
  const { config, log, pool, now } = context;
  const place = config.backupTo!;
  await removeLostBackups(context);
  try {
    const { shown, rows, bytes } = await runBackup({
      databaseUrl: config.databaseUrl!,
      pool,
      place,
      config,
      now,
      signal: AbortSignal.any([signal, AbortSignal.timeout(deadline)]),
    });
    log.info({ backup: shown, rows, bytes }, 'the scheduled backup is complete');
  } catch (error) {
    // The attempt is written down with its reason.
    log.error({ err: describeError(error) }, 'the scheduled backup failed; it is tried again');
    return;
  }
  await removeOldBackups(context);
}

/** Deletes the complete backups of this installation that are older than the setting allows, never the newest one. */
async function removeOldBackups({ config, db, log, now }: Context): Promise<void> {
  const place = config.backupTo!;
  const oldest = now().getTime() - config.backupRetentionDays * day;
  const own = shortInstallation(await loadInstallationId(db));
  const complete = (await listBackups(place, config)).filter(
    ({ isComplete, installation }) => isComplete && installation === own,
  );
  for (const { name, startedAt } of complete.slice(1)) {
    if (startedAt.getTime() >= oldest) continue;
    await removeBackup(placeWithin(place, name), config);
    log.info({ backup: name }, 'an old backup was deleted');
  }
  await forgetRuns(db, new Date(oldest - lostAfter));
}

/** Deletes what backups have left whose process was killed. What cannot be deleted, perhaps in a place of the past, keeps no backup from being made. */
async function removeLostBackups({ config, db, log, now }: Context): Promise<void> {
  for (const run of await loadLostRuns(db, new Date(now().getTime() - lostAfter))) {
    const place = readBackupPlace(run.place);
    try {
      await removeBackup(placeWithin(place, run.name), config);
    } catch (error) {
      const reason = describeError(explainStorage(place, error));
      log.warn({ err: reason, backup: run.name }, 'a backup that was interrupted could not be deleted');
      continue;
    }
    await endRun(db, run.backup_run_id, {
      status: 'failed',
      finished_at: run.started_at,
      error: interrupted,
      size: null,
    });
    log.warn({ backup: run.name }, 'a backup that was interrupted was deleted');
  }
}
