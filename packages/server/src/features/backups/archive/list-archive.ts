import { openBackupStore } from '../store/backup-store.ts';
import { BackupError } from '../store/backup-error.ts';
import { nameOf, placeWithin, shownPlace, type BackupPlace } from '#platform/config/backup-place.ts';
import type { StoreConfig } from '../store/find-backup.ts';
import { manifestKey } from '../store/manifest.ts';
import { isArchiveName } from './archive-id.ts';
import { readBaseManifest, type BaseManifest } from './base-backup.ts';

/** A base backup that is complete. */
export interface ListedBase {
  readonly name: string;
  /** The first moment that it can be restored to. */
  readonly takenAt: Date;
  readonly manifest: BaseManifest;
}

/** The base backups of an archive. */
export interface ListedBases {
  /** Those that are complete, the newest first. */
  readonly bases: readonly ListedBase[];
  /** What is wrong with those whose manifest cannot be used. */
  readonly faults: readonly BackupError[];
}

/** Lists the base backups of an archive. A damaged one does not keep the others from being used. */
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
 * Finds the WAL archive that somebody means: the place is one, or has one. A place that has backups as well has none unless it is `required`.
 *
 * Undefined when there is none. Throws a {@link BackupError} for several, and when a required one is missing.
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
      `There is no WAL archive in ${shownPlace(place)}. A backup holds one moment: restore it without --at.`,
    );
  }
  const lines = found.map((one) => `  ${shownPlace(one)}`);
  throw new BackupError(
    `${shownPlace(place)} has several archives. Name one; its name has the time at which it began:\n${lines.join('\n')}`,
  );
}
