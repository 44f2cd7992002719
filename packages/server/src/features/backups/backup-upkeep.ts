import type { Context } from '#platform/context.ts';
import { advisoryLocks } from '#platform/database/statements/advisory-locks.ts';
import { openConnection } from '#platform/database/connection/open-connection.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { readArchiveState } from './archive/archive-state.ts';
import { shortInstallation } from './store/backup-name.ts';
import { placeWithin, readBackupPlace } from '#platform/config/backup-place.ts';
import { deleteRuns, endRun, interrupted, loadInstallationId, loadLostRuns } from './store/backup-run-store.ts';
import { explainStorage } from './store/backup-store.ts';
import { readBackupState, type BackupState } from './store/backup-state.ts';
import { listBackups } from './store/find-backup.ts';
import { clocksAgree } from '#platform/loops/clocks-agree.ts';
import { daysBefore, hour, minute } from '#platform/time/intervals.ts';
import { deleteBackup, runBackup } from './copy/run-backup.ts';

/** The pause after a failed attempt. */
const pauseAfterFailure = 15 * minute;

/** The maximum time of a backup. Until it ends, vacuum cannot remove deleted rows. */
const deadline = 6 * hour;

/** A run that has not ended after this time was killed. Longer than the deadline. */
const lostAfter = 24 * hour;

/**
 * Makes a backup if one is due, deletes old backups, and sets the metrics of backups.
 *
 * Only one process of a database does this at a time. If a backup was due while no process ran, it
 * is made when a process starts.
 *
 * `mayDelete` says whether backups may be deleted because of their age; default: {@link clocksAgree}.
 */
export async function backupUpkeep(
  context: Context,
  signal: AbortSignal,
  mayDelete: (context: Context) => Promise<boolean> = clocksAgree,
): Promise<void> {
  const { config, db, metrics, now } = context;
  const updateMetrics = async (): Promise<BackupState> => {
    const state = await readBackupState(db, config, now());
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
  if (!isTimeForBackup(await updateMetrics(), now())) return;
  const client = await openConnection(config.databaseUrl!, 'roster backups', 5000);
  try {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1, 0) as taken', [
      advisoryLocks.backups,
    ]);
    // Another process may have made the backup in the meantime.
    if (!rows[0]!.taken || !isTimeForBackup(await updateMetrics(), now())) return;
    await makeScheduledBackup(context, signal, mayDelete);
  } finally {
    await client.end().catch(() => undefined);
    await updateMetrics();
  }
}

/** Returns true when a backup is due, and the last failed attempt was long enough ago. */
function isTimeForBackup({ isDue, lastEnded, lastFailed }: BackupState, now: Date): boolean {
  if (!isDue) return false;
  return !lastFailed || now.getTime() - lastEnded!.finished_at!.getTime() >= pauseAfterFailure;
}

async function makeScheduledBackup(
  context: Context,
  signal: AbortSignal,
  mayDelete: (context: Context) => Promise<boolean>,
): Promise<void> {
  const { config, log, pool, now } = context;
  const place = config.backupTo!;
  if (await mayDelete(context)) await deleteLostBackups(context);
  try {
    const { shown, rows, bytes } = await runBackup({
      databaseUrl: config.databaseUrl!,
      pool,
      place,
      config,
      now,
      signal: AbortSignal.any([signal, AbortSignal.timeout(deadline)]),
    });
    log.info({ backup: shown, rows, bytes }, 'made the scheduled backup');
  } catch (error) {
    log.error({ err: describeError(error) }, 'could not make the scheduled backup; retrying');
    return;
  }
  if (await mayDelete(context)) await deleteOldBackups(context);
}

/** Deletes complete backups of this installation after the retention, except the newest one. */
async function deleteOldBackups({ config, db, log, now }: Context): Promise<void> {
  const place = config.backupTo!;
  const oldest = daysBefore(now(), config.backupRetentionDays);
  const own = shortInstallation(await loadInstallationId(db));
  const complete = (await listBackups(place, config)).filter(
    ({ isComplete, installation }) => isComplete && installation === own,
  );
  for (const { name, startedAt } of complete.slice(1)) {
    if (startedAt >= oldest) continue;
    await deleteBackup(placeWithin(place, name), config);
    log.info({ backup: name }, 'deleted an old backup');
  }
  await deleteRuns(db, new Date(oldest.getTime() - lostAfter));
}

/**
 * Deletes backups whose process was killed. Keeps those that are complete: only their end was not
 * stored. Continues when files cannot be deleted.
 */
async function deleteLostBackups({ config, db, log, now }: Context): Promise<void> {
  for (const run of await loadLostRuns(db, new Date(now().getTime() - lostAfter))) {
    const place = readBackupPlace(run.place);
    const end = { finished_at: run.started_at, size: null };
    try {
      const isKept = (await listBackups(place, config)).some(({ name, isComplete }) => name === run.name && isComplete);
      if (isKept) {
        await endRun(db, run.backup_run_id, { ...end, status: 'completed', error: null });
        continue;
      }
      await deleteBackup(placeWithin(place, run.name), config);
    } catch (error) {
      const reason = describeError(explainStorage(place, error));
      log.warn({ err: reason, backup: run.name }, 'could not delete an interrupted backup');
      continue;
    }
    await endRun(db, run.backup_run_id, { ...end, status: 'failed', error: interrupted });
    log.warn({ backup: run.name }, 'deleted an interrupted backup');
  }
}
