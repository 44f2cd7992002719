import { rm } from 'node:fs/promises';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { openDatabase } from '#platform/database/connection/database.ts';
import { backupName } from '../store/backup-name.ts';
import { placeWithin, shownPlace, type BackupPlace } from '#platform/config/backup-place.ts';
import { beginRun, endRun, loadInstallationId } from '../store/backup-run-store.ts';
import { explainStorage, openBackupStore } from '../store/backup-store.ts';
import type { StoreConfig } from '../store/find-backup.ts';
import { manifestKey } from '../store/manifest.ts';
import { writeBackup, type BackupOptions, type WrittenBackup } from './write-backup.ts';

/** What a run of a backup needs. */
export interface RunOptions extends Pick<BackupOptions, 'databaseUrl' | 'onProgress' | 'signal'> {
  /** Connections for writing down what happens. */
  readonly pool: pg.Pool;
  /** The place that all backups lie in. */
  readonly place: BackupPlace;
  readonly config: StoreConfig;
  readonly now: () => Date;
}

/** A backup that is complete. */
export interface FinishedBackup extends WrittenBackup {
  readonly name: string;
  /** Where it lies, as `--from` takes it. */
  readonly shown: string;
}

/**
 * Makes a backup of the database in a place, and writes down in the database how it went.
 *
 * A run that fails removes what it wrote, as far as it can.
 */
export async function runBackup(options: RunOptions): Promise<FinishedBackup> {
  const { databaseUrl, pool, place, config, now, onProgress, signal } = options;
  const db = openDatabase(pool);
  const installationId = await loadInstallationId(db);
  const id = uuidv7();
  const name = await beginRun(db, {
    backup_run_id: id,
    kind: 'database',
    nameAt: (startedAt) => backupName(installationId, startedAt),
    place: shownPlace(place),
    started_at: now(),
  });
  const own = placeWithin(place, name);
  try {
    await using store = openBackupStore(own, config);
    const written = await writeBackup({
      databaseUrl,
      store,
      name,
      installationId,
      now,
      ...(onProgress === undefined ? {} : { onProgress }),
      ...(signal === undefined ? {} : { signal }),
    });
    await endRun(db, id, { status: 'completed', finished_at: now(), error: null, size: written.bytes });
    return { ...written, name, shown: shownPlace(own) };
  } catch (fault) {
    await removeBackup(own, config).catch(() => undefined);
    const error = explainStorage(place, fault);
    // The database may be what failed; the first error is the one to tell.
    await endRun(db, id, { status: 'failed', finished_at: now(), error: reasonOf(error), size: null }).catch(
      () => undefined,
    );
    throw error;
  }
}

/** Removes a backup: its manifest first, so that what is left by an interruption is none. */
export async function removeBackup(place: BackupPlace, config: StoreConfig): Promise<void> {
  await using store = openBackupStore(place, config);
  await store.delete(manifestKey);
  if (typeof place === 'string') return await rm(place, { recursive: true, force: true });
  for (const { key } of await store.list('')) await store.delete(key);
}

/** The reason of a failure in a line. Nothing that is read for a backup becomes part of an error. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error && error.message !== '' ? error.message : String(error);
  return text.split('\n')[0]!.slice(0, 500);
}
