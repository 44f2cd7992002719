import type { Config } from '#platform/config/config.ts';
import { openBackupStore } from './backup-store.ts';
import { readBackupName } from './backup-name.ts';
import { BackupError } from './backup-error.ts';
import { nameOf, placeWithin, shownPlace, type BackupPlace } from '#platform/config/backup-place.ts';
import { manifestKey } from './manifest.ts';

/** The settings of file stores in S3. */
export type StoreConfig = Pick<Config, 's3Endpoint' | 'awsEndpoint' | 'awsRegion'>;

/** A directory in a place that has the name of a backup. */
export interface ListedBackup {
  readonly name: string;
  readonly installation: string;
  readonly startedAt: Date;
  /** True when the backup has a manifest. Otherwise it is being written, or was interrupted. */
  readonly isComplete: boolean;
}

/** Lists the backups of a place, the newest first. */
export async function listBackups(place: BackupPlace, config: StoreConfig): Promise<ListedBackup[]> {
  await using store = openBackupStore(place, config);
  const names = new Map<string, boolean>();
  for (const { key } of await store.list('roster-')) {
    const [name, file] = key.split('/');
    names.set(name!, (names.get(name!) ?? false) || file === manifestKey);
  }
  const found = [...names].flatMap(([name, isComplete]) => {
    const read = readBackupName(name);
    return read === undefined ? [] : [{ name, isComplete, ...read }];
  });
  return found.sort((a, b) => b.startedAt.getTime() - a.startedAt.getTime());
}

/** Returns true for the place of a single backup: it has the name of a backup, or a manifest. */
async function isBackup(place: BackupPlace, config: StoreConfig): Promise<boolean> {
  if (readBackupName(nameOf(place)) !== undefined) return true;
  await using store = openBackupStore(place, config);
  return (await store.list(manifestKey)).some(({ key }) => key === manifestKey);
}

/**
 * Finds the backup to restore from a place: the place itself if it is a backup, else the newest
 * complete backup in it.
 *
 * Throws a {@link BackupError} if there is no backup, or if there are backups of several
 * installations.
 */
export async function findBackup(place: BackupPlace, config: StoreConfig): Promise<BackupPlace> {
  if (await isBackup(place, config)) return place;
  const complete = (await listBackups(place, config)).filter(({ isComplete }) => isComplete);
  const newest = complete[0];
  if (newest === undefined) {
    throw new BackupError(
      `There is no complete backup in ${shownPlace(place)}. Use the place of \`roster backup --to\`, or one backup in it.`,
    );
  }
  const others = complete.filter(
    ({ installation }, index) =>
      installation !== newest.installation && complete.findIndex((one) => one.installation === installation) === index,
  );
  if (others.length === 0) return placeWithin(place, newest.name);
  const lines = [newest, ...others].map(({ name }) => `  ${shownPlace(placeWithin(place, name))}`);
  throw new BackupError(
    `${shownPlace(place)} has backups of several installations. Use the path of one backup. The newest of each:\n${lines.join('\n')}`,
  );
}
