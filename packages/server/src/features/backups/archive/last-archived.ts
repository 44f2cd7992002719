import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FileStore } from '#platform/files/file-store.ts';
import { BackupError } from '../store/backup-error.ts';
import { nameOf, shownPlace, type BackupPlace } from '#platform/config/backup-place.ts';
import { readIfPresent } from './current-archive.ts';
import { isSegment, walKey } from './wal-files.ts';

const fileOf = (home: string): string => path.join(home, 'archived');

/**
 * Stores the name of the last archived WAL segment. `home` is the directory `postgres` of the data
 * directory.
 */
export async function storeLastArchived(home: string, archive: BackupPlace, walFile: string): Promise<void> {
  if (!isSegment(walFile)) return;
  // Ignore errors: when the disk is full, archiving must continue, because it frees space.
  await writeFile(fileOf(home), `${nameOf(archive)} ${walFile}\n`, { mode: 0o600 }).catch(() => undefined);
}

/**
 * Throws a {@link BackupError} when an archive has lost its last segment: its disk is not mounted,
 * or the archive was deleted. Without this check, later segments would fill the wrong disk, and
 * would be missing in the archive.
 */
export async function requireLastArchived(home: string, archive: BackupPlace, store: FileStore): Promise<void> {
  const [name, walFile] = (await readIfPresent(fileOf(home))).trim().split(' ', 2);
  // Ignore the name of a segment of another archive, and a name that a crash has damaged.
  if (name !== nameOf(archive) || walFile === undefined || !isSegment(walFile)) return;
  if ((await store.list(walKey(walFile))).length > 0) return;
  throw new BackupError(
    `The archive ${shownPlace(archive)} has lost ${walKey(walFile)}. Mount its disk, or restore its bucket. ` +
      'If the archive is lost, start the service once without ROSTER_WAL_ARCHIVE. The next start with ROSTER_WAL_ARCHIVE begins a new archive.',
  );
}
