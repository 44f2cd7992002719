import type pg from 'pg';
import { readArchiveState } from '#features/backups/archive/archive-state.ts';
import { shownPlace } from '#platform/config/backup-place.ts';
import { readBackupState } from '#features/backups/store/backup-state.ts';
import type { Config } from '#platform/config/config.ts';
import { withoutDot } from '#features/backups/store/backup-store.ts';
import { databaseOn } from '#platform/database/connection/database.ts';
import { fault, note, ok, warning, type Finding } from './findings/finding.ts';

/** Seconds after which an overdue backup is a fault. A backup itself takes minutes. */
const maxOverdueSeconds = 3600;

/**
 * Age in seconds from which a failed attempt is a fault, also without a schedule. Before, the last
 * good backup is recent enough: somebody may only have mistyped `roster backup --to`.
 */
const maxAgeSeconds = 172_800;

/**
 * Checks that there is a good backup, that backups run on schedule, and that the WAL is archived.
 * Needs the newest schema.
 */
export async function checkBackups(client: pg.Client, config: Config): Promise<readonly Finding[]> {
  return [...(await checkSchedule(client, config)), ...(await checkArchive(client, config))];
}

async function checkArchive(client: pg.Client, config: Config): Promise<readonly Finding[]> {
  if (config.walArchive === undefined) return [];
  const place = shownPlace(config.walArchive);
  const state = await readArchiveState(databaseOn(client), new Date());
  if (state === undefined) {
    const advice =
      'ROSTER_WAL_ARCHIVE works only with the embedded PostgreSQL. Unset DATABASE_URL, or restart the service.';
    return [warning('Roster does not archive the WAL of this server.', advice)];
  }
  const advice = `Check that the service can write to ${place}; see its log. Until then, WAL fills the disk of the database.`;
  if (state.isFailing) return [fault(`The WAL cannot be archived in ${place}.`, advice)];
  if (state.failure !== undefined) return [fault(`The last base backup failed: ${withoutDot(state.failure)}.`, advice)];
  if (state.ageSeconds === undefined) {
    return [
      warning(
        `There is no base backup in ${place} yet, so nothing can be restored from it.`,
        'The service makes the first base backup after it starts.',
      ),
    ];
  }
  return [ok(`The WAL is archived in ${place}; the last base backup is ${ageOf(state.ageSeconds)} old.`)];
}

async function checkSchedule(client: pg.Client, config: Config): Promise<readonly Finding[]> {
  const state = await readBackupState(databaseOn(client), config, new Date());
  const { lastGood, lastEnded, lastFailed, ageSeconds, overdueSeconds } = state;
  const last =
    ageSeconds === undefined
      ? 'There is no backup of this database.'
      : `The last backup is ${ageOf(ageSeconds)} old, in ${lastGood!.place}.`;
  const advice =
    'Set ROSTER_BACKUP_TO and ROSTER_BACKUP_SCHEDULE. docs/operations.md says what you can lose without backups.';
  if (lastFailed) {
    const isRecent = ageSeconds !== undefined && overdueSeconds <= maxOverdueSeconds && ageSeconds < maxAgeSeconds;
    return [
      (isRecent ? warning : fault)(
        `${last} The last attempt failed: ${withoutDot(lastEnded!.error ?? '')}.`,
        'Fix the cause, then run `roster backup`.',
      ),
    ];
  }
  if (overdueSeconds > maxOverdueSeconds) {
    return [
      fault(
        `${last} The next backup was due ${ageOf(overdueSeconds)} ago.`,
        'Check that a worker runs (ROSTER_ROLE=worker or all), and read its log.',
      ),
    ];
  }
  if (config.backupSchedule === undefined) return [note(`${last} No backups are scheduled.`, advice)];
  return [ok(ageSeconds === undefined ? 'The first backup is not due yet.' : last)];
}

function ageOf(seconds: number): string {
  if (seconds < 7200) return `${Math.round(seconds / 60)} minutes`;
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} hours`;
  return `${Math.round(seconds / 86_400)} days`;
}
