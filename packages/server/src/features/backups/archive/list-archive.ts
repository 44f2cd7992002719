import { openBackupStore } from '../store/backup-store.ts';
import { BackupError } from '../store/backup-error.ts';
import { nameOf, placeWithin, shownPlace, type BackupPlace } from '#platform/config/backup-place.ts';
import type { StoreConfig } from '../store/find-backup.ts';
import { manifestKey } from '../store/manifest.ts';
import { isArchiveName } from './current-archive.ts';
import { readBaseManifest, type BaseManifest } from './base-backup.ts';

/** A complete base backup. */
export interface ListedBase {
  readonly name: string;
  /** The earliest time that it can be restored to. */
  readonly takenAt: Date;
  readonly manifest: BaseManifest;
}

/** The base backups of an archive. */
export interface ListedBases {
  /** The complete ones, the newest first. */
  readonly bases: readonly ListedBase[];
  /** The errors of base backups with an invalid manifest. */
  readonly faults: readonly BackupError[];
}

/** Lists the base backups of an archive. Continues after a damaged base backup. */
export async function listBases(archive: BackupPlace, config: StoreConfig): Promise<ListedBases> {
  await using store = openBackupStore(archive, config);
  const bases: ListedBase[] = [];
  const faults: BackupError[] = [];
  for (const { key } of await store.list('base-')) {
    if (!key.endsWith(`/${manifestKey}`)) continue;
    const name = key.slice(0, -manifestKey.length - 1);
    const place = placeWithin(archive, name);
    await using own = openBackupStore(place, config);
    try {
      const manifest = await readBaseManifest(own, shownPlace(place));
      if (manifest !== undefined) bases.push({ name, takenAt: new Date(manifest.taken_at), manifest });
    } catch (error) {
      if (!(error instanceof BackupError)) throw error;
      faults.push(error);
    }
  }
  return { bases: bases.sort((a, b) => b.takenAt.getTime() - a.takenAt.getTime()), faults };
}

/**
 * Finds the WAL archive to restore from a place: the place itself if it is an archive, else the
 * archive in it. Unless `required`, ignores an archive in a place that also has backups.
 *
 * Returns undefined without an archive. Throws a {@link BackupError} when there are several
 * archives, and when `required` is true and there is no archive.
 */
export async function findArchive(
  place: BackupPlace,
  config: StoreConfig,
  required: boolean,
): Promise<BackupPlace | undefined> {
  if (isArchiveName(nameOf(place))) return place;
  await using store = openBackupStore(place, config);
  const names = new Set((await store.list('archive-')).map(({ key }) => key.split('/')[0]!).filter(isArchiveName));
  const found = [...names].sort().map((name) => placeWithin(place, name));
  if (!required && (found.length === 0 || (await store.list('roster-')).length > 0)) return undefined;
  if (found.length === 1) return found[0];
  if (found.length === 0) {
    throw new BackupError(
      `There is no WAL archive in ${shownPlace(place)}. Only a WAL archive can be restored to a time. Restore a backup without --at.`,
    );
  }
  const lines = found.map((one) => `  ${shownPlace(one)}`);
  throw new BackupError(
    `${shownPlace(place)} has several archives. Use the path of one archive. Its name contains the time at which it began:\n${lines.join('\n')}`,
  );
}
