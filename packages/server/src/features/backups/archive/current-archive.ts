import { randomBytes } from 'node:crypto';
import { readFile, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { writeSecret } from '@roster/embedded-postgres';
import { valueIfMissing } from '#platform/errors/system-error-code.ts';
import { placeWithin, shownPlace, type BackupPlace } from '#platform/config/backup-place.ts';

const fileOf = (home: string): string => path.join(home, 'archive');

/**
 * Returns the archive of a data directory, which lies in `place`. Begins a new archive if there is
 * none. `home` is the directory `postgres` of the data directory.
 *
 * An archive contains the continuous WAL of one server. A server begins a new archive after a
 * restore, after a start without archiving, and when `place` changes. Two servers never write to
 * one archive. So a copy of a data directory, which has another path, begins one too.
 */
export async function currentArchive(home: string, place: BackupPlace): Promise<BackupPlace> {
  return placeWithin(place, await archiveName(home, place));
}

async function archiveName(home: string, place: BackupPlace): Promise<string> {
  const own = { shown: encodeURIComponent(shownPlace(place)), directory: encodeURIComponent(await realpath(home)) };
  // Files of earlier versions do not have the directory.
  const [name, shown, directory = own.directory] = (await readIfPresent(fileOf(home))).trim().split(' ', 3);
  if (name !== undefined && isArchiveName(name) && shown === own.shown && directory === own.directory) return name;
  await endArchive(home);
  const time = new Date().toISOString().replaceAll(/[-:.]/g, '');
  const made = `archive-${time}-${randomBytes(4).toString('hex')}`;
  await writeSecret(fileOf(home), `${made} ${own.shown} ${own.directory}`);
  return made;
}

/** Ends the archive of a data directory, because its server now writes WAL that is not archived. */
export async function endArchive(home: string): Promise<void> {
  await rm(fileOf(home), { force: true });
}

/** Returns true for the name of an archive. */
export const isArchiveName = (name: string): boolean => /^archive-\d{8}T\d{9}Z-[0-9a-f]{8}$/.test(name);

/** Reads a text file; empty when the file does not exist. */
export async function readIfPresent(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(valueIfMissing(''));
}
