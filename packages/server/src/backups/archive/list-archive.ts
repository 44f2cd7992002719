import { openStoreAt } from '../../exports/files/open-file-store.ts';
import { BackupError } from '../backup-error.ts';
import { nameOf, placeWithin, shownPlace, type BackupPlace } from '../backup-place.ts';
import type { StoreConfig } from '../find-backup.ts';
import { manifestKey } from '../manifest.ts';
import { isArchiveName } from './archive-id.ts';
import { readBaseManifest, type BaseManifest } from './base-backup.ts';

/** A base backup that is complete. */
export interface ListedBase {
  readonly name: string;
  /** The first moment that it can be restored to. */
  readonly takenAt: Date;
  readonly manifest: BaseManifest;
}

/** Lists the complete base backups of an archive, the newest first. */
export async function listBases(archive: BackupPlace, config: StoreConfig): Promise<ListedBase[]> {
  await using store = openStoreAt(archive, config);
  const names = (await store.list('base-')).flatMap(({ key }) =>
    key.endsWith(`/${manifestKey}`) ? [key.slice(0, -manifestKey.length - 1)] : [],
  );
  const bases = await Promise.all(
    names.map(async (name): Promise<ListedBase[]> => {
      const place = placeWithin(archive, name);
      await using own = openStoreAt(place, config);
      const manifest = await readBaseManifest(own, shownPlace(place));
      return manifest === undefined ? [] : [{ name, takenAt: new Date(manifest.taken_at), manifest }];
    }),
  );
  return bases.flat().sort((a, b) => b.takenAt.getTime() - a.takenAt.getTime());
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
  await using store = openStoreAt(place, config);
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
