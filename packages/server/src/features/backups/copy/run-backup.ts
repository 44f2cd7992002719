import { rm } from 'node:fs/promises';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import {
  isDatabaseFull,
  isReadOnlyError,
  openDatabase,
  type Database,
} from '#platform/database/connection/database.ts';
import { backupName } from '../store/backup-name.ts';
import { placeWithin, shownPlace, type BackupPlace } from '#platform/config/backup-place.ts';
import { given } from '#platform/given.ts';
import { beginRun, endRun, loadInstallationId } from '../store/backup-run-store.ts';
import { explainStorage, openBackupStore } from '../store/backup-store.ts';
import type { StoreConfig } from '../store/find-backup.ts';
import { manifestKey } from '../store/manifest.ts';
import { writeBackup, type BackupOptions, type WrittenBackup } from './write-backup.ts';

/** The options of {@link runBackup}. */
export interface RunOptions extends Pick<BackupOptions, 'databaseUrl' | 'onProgress' | 'signal'> {
  /** Connections for storing the run. */
  readonly pool: pg.Pool;
  /** The place of all backups. */
  readonly place: BackupPlace;
  readonly config: StoreConfig;
  readonly now: () => Date;
}

/** A complete backup. */
export interface FinishedBackup extends WrittenBackup {
  readonly name: string;
  /** The place of the backup, as `--from` takes it. */
  readonly shown: string;
}

/**
 * Makes a backup of the database in a place, and stores its result. Deletes the files if it fails.
 *
 * Also works while the disk of the database is full or the database is read-only. Then the result
 * is not stored.
 */
export async function runBackup(options: RunOptions): Promise<FinishedBackup> {
  const { databaseUrl, pool, place, config, now, onProgress, signal } = options;
  const db = openDatabase(pool);
  const installationId = await loadInstallationId(db);
  const id = uuidv7();
  const startedAt = now();
  const name = await beginRun(db, {
    backup_run_id: id,
    kind: 'database',
    nameAt: (time) => backupName(installationId, time),
    place: shownPlace(place),
    started_at: startedAt,
  }).catch((error: unknown) => {
    if (isDatabaseFull(error) || isReadOnlyError(error)) return backupName(installationId, startedAt);
    throw error;
  });
  const own = placeWithin(place, name);
  try {
    await using store = openBackupStore(own, config);
    const written = await writeBackup(given({ databaseUrl, store, name, installationId, now, onProgress, signal }));
    // The backup is complete, even if the database fails now.
    const end = { status: 'completed', finished_at: now(), error: null, size: written.bytes } as const;
    await endRun(db, id, end).catch(() => undefined);
    return { ...written, name, shown: shownPlace(own) };
  } catch (fault) {
    await deleteBackup(own, config).catch(() => undefined);
    const error = explainStorage(place, fault);
    await endFailedRun(db, id, error, now());
    throw error;
  }
}

/** Stores that a run failed, if the database is available, with the first line of its error. */
export async function endFailedRun(db: Database, id: string, error: unknown, at: Date): Promise<void> {
  const text = error instanceof Error && error.message !== '' ? error.message : String(error);
  const reason = text.split('\n')[0]!.slice(0, 500);
  await endRun(db, id, { status: 'failed', finished_at: at, error: reason, size: null }).catch(() => undefined);
}

/** Deletes a backup. Deletes its manifest first, so that the rest is not a complete backup. */
export async function deleteBackup(place: BackupPlace, config: StoreConfig): Promise<void> {
  await using store = openBackupStore(place, config);
  await store.delete(manifestKey);
  if (typeof place === 'string') return await rm(place, { recursive: true, force: true });
  for (const { key } of await store.list('')) await store.delete(key);
}
