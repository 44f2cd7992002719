import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
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
 * one archive.
 */
export async function currentArchive(home: string, place: BackupPlace): Promise<BackupPlace> {
  return placeWithin(place, await archiveName(home, place));
}

async function archiveName(home: string, place: BackupPlace): Promise<string> {
  const [name, shown] = (await readIfPresent(fileOf(home))).trim().split(' ', 2);
  if (name !== undefined && isArchiveName(name) && shown === encodeURIComponent(shownPlace(place))) return name;
  await endArchive(home);
  const time = new Date().toISOString().replaceAll(/[-:.]/g, '');
  const made = `archive-${time}-${randomBytes(4).toString('hex')}`;
  await writeSecret(fileOf(home), `${made} ${encodeURIComponent(shownPlace(place))}`);
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
