import path from 'node:path';
import type { Logger } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import type { Config } from '#platform/config/config.ts';
import { openDatabase, openPool, type Database } from '#platform/database/connection/database.ts';
import type { EmbeddedPostgres } from '@roster/embedded-postgres';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { repeatUntilAborted } from '#platform/loops/repeat-until-aborted.ts';
import { placeWithin, shownPlace, type BackupPlace } from '#platform/config/backup-place.ts';
import { daysBefore, hour, minute } from '#platform/time/intervals.ts';
import { beginRun, deleteRuns, endLostBaseBackups, endRun } from '../store/backup-run-store.ts';
import { explainStorage, openBackupStore } from '../store/backup-store.ts';
import { manifestKey } from '../store/manifest.ts';
import { deleteBackup, endFailedRun } from '../copy/run-backup.ts';
import { requireLastArchived } from './last-archived.ts';
import { currentArchive } from './current-archive.ts';
import { listBases } from './list-archive.ts';
import { writeBaseBackup } from './base-backup.ts';
import { deleteWalBefore } from './wal-files.ts';

/** One base backup each day, so that a restore applies at most about one day of WAL. */
const interval = 24 * hour;

/** The context of the base backups of a service. */
export interface BaseBackupContext {
  readonly config: Config;
  readonly postgres: EmbeddedPostgres;
  readonly log: Logger;
  readonly now: () => Date;
}

/**
 * Maintains the archive of the embedded server: makes a base backup each day, and deletes files
 * that are older than the retention. Disposing the result stops this, and also a running base
 * backup.
 */
export function startBaseBackups(context: BaseBackupContext): AsyncDisposable {
  const stopping = new AbortController();
  const { signal } = stopping;
  const onError = (error: unknown): void => {
    if (!signal.aborted) context.log.error({ err: describeError(error) }, 'could not make a base backup; retrying');
  };
  const pauses = { interval: 10 * minute, first: 15 * minute, ref: false };
  const running = repeatUntilAborted(() => maintainArchive(context, signal), { signal, ...pauses, onError });
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort(new Error('the service was stopped'));
      await running;
    },
  };
}

/** Makes a base backup if the newest is older than a day, and deletes old files of the archive. */
export async function maintainArchive(context: BaseBackupContext, signal: AbortSignal): Promise<void> {
  const { config, postgres, log, now } = context;
  const home = path.join(config.dataDir, 'postgres');
  const archive = await currentArchive(home, config.walArchive!);
  await using store = openBackupStore(archive, config);
  // Check this first. If the disk is not mounted, the base backup would fill the wrong disk.
  await requireLastArchived(home, archive, store);
  const newest = (await listBases(archive, config)).bases[0];
  if (newest !== undefined && now().getTime() - newest.takenAt.getTime() < interval) return;
  const pool = openPool({ url: postgres.url, name: 'roster base backup', size: 1, log });
  try {
    const db = openDatabase(pool);
    // Only this service makes base backups, one at a time. Runs that have not ended were killed.
    await endLostBaseBackups(db, now());
    await makeBaseBackup(context, db, archive, signal);
    await deleteOld(context, db, archive);
  } finally {
    await pool.end();
  }
}

async function makeBaseBackup(
  { config, postgres, log, now }: BaseBackupContext,
  db: Database,
  archive: BackupPlace,
  signal: AbortSignal,
): Promise<void> {
  const id = uuidv7();
  const home = path.join(config.dataDir, 'postgres');
  const name = await beginRun(db, {
    backup_run_id: id,
    kind: 'files',
    nameAt: (startedAt) => `base-${startedAt.toISOString().replaceAll(/[-:.]/g, '')}`,
    place: shownPlace(archive),
    started_at: now(),
  });
  const place = placeWithin(archive, name);
  try {
    await using store = openBackupStore(place, config);
    const source = { databaseUrl: postgres.url, cluster: postgres.clusterDir, home };
    const size = await writeBaseBackup(source, store, signal);
    await endRun(db, id, { status: 'completed', finished_at: now(), error: null, size });
    log.info({ backup: shownPlace(place), bytes: size }, 'made a base backup');
  } catch (fault) {
    await deleteBackup(place, config).catch(() => undefined);
    const error = explainStorage(archive, fault);
    await endFailedRun(db, id, error, now());
    throw error;
  }
}

/** Deletes old and interrupted base backups, and WAL that no remaining base backup needs. */
async function deleteOld({ config, now }: BaseBackupContext, db: Database, archive: BackupPlace): Promise<void> {
  const oldest = daysBefore(now(), config.backupRetentionDays);
  const { bases } = await listBases(archive, config);
  // Keep the newest base backup before `oldest`: restoring to a time soon after `oldest` needs it.
  const needed = bases.findIndex(({ takenAt }) => takenAt <= oldest);
  const kept = needed === -1 ? bases : bases.slice(0, needed + 1);
  const last = kept.at(-1);
  if (last === undefined) return;
  await using store = openBackupStore(archive, config);
  const keys = (await store.list('base-')).map(({ key }) => key);
  const names = new Set(keys.map((key) => key.split('/')[0]!));
  const interrupted = [...names].filter((name) => !keys.includes(`${name}/${manifestKey}`));
  const old = bases.slice(kept.length).map(({ name }) => name);
  for (const name of [...interrupted, ...old]) await deleteBackup(placeWithin(archive, name), config);
  await deleteWalBefore(store, last.manifest.first_wal);
  await deleteRuns(db, oldest);
}
