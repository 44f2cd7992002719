import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { writeSecret } from '@roster/embedded-postgres';
import { systemErrorCode } from '#platform/errors/system-error-code.ts';
import { placeWithin, shownPlace, type BackupPlace } from '#platform/config/backup-place.ts';

const fileOf = (home: string): string => path.join(home, 'archive');

/**
 * The archive that the server of a data directory writes to, within the place of archives; its name is made when archiving begins there.
 *
 * Each archive is one unbroken history of one server: a server that was restored, ran without archiving or changes its place begins another one.
 * So two servers never write to the same archive. `home` is the directory `postgres` of the data directory.
 */
export async function ownArchive(home: string, place: BackupPlace): Promise<BackupPlace> {
  return placeWithin(place, await archiveName(home, place));
}

async function archiveName(home: string, place: BackupPlace): Promise<string> {
  const [name, shown] = (await readFile(fileOf(home), 'utf8').catch(orNone)).trim().split(' ', 2);
  if (name !== undefined && isArchiveName(name) && shown === encodeURIComponent(shownPlace(place))) return name;
  await leaveArchive(home);
  const time = new Date().toISOString().replaceAll(/[-:.]/g, '');
  const made = `archive-${time}-${randomBytes(4).toString('hex')}`;
  await writeSecret(fileOf(home), `${made} ${encodeURIComponent(shownPlace(place))}`);
  return made;
}

/** Ends the archive of a data directory: what its server writes from now on is not archived. */
export async function leaveArchive(home: string): Promise<void> {
  await rm(fileOf(home), { force: true });
}

/** True for the name of an archive. */
export const isArchiveName = (name: string): boolean => /^archive-\d{8}T\d{9}Z-[0-9a-f]{8}$/.test(name);

function orNone(error: unknown): string {
  if (systemErrorCode(error) === 'ENOENT') return '';
  throw error;
}
