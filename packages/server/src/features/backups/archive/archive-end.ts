import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { systemErrorCode } from '#platform/errors/system-error-code.ts';
import type { FileStore } from '#platform/files/file-store.ts';
import { BackupError } from '../store/backup-error.ts';
import { nameOf, shownPlace, type BackupPlace } from '#platform/config/backup-place.ts';
import { isSegment, walKey } from './wal-files.ts';

const fileOf = (home: string): string => path.join(home, 'archived');

/** Writes down the last segment of the WAL that an archive was given; `home` is the directory `postgres` of the data directory. */
export async function noteArchiveEnd(home: string, archive: BackupPlace, walFile: string): Promise<void> {
  if (!isSegment(walFile)) return;
  // Where the disk of the database is full, archiving must go on: it is what makes room.
  await writeFile(fileOf(home), `${nameOf(archive)} ${walFile}\n`, { mode: 0o600 }).catch(() => undefined);
}

/**
 * Throws a {@link BackupError} when an archive no longer has the last segment that it was given: its disk is not mounted, or somebody emptied it.
 * What is written there now would be missing from the archive later, and would fill another disk.
 */
export async function requireArchiveEnd(home: string, archive: BackupPlace, store: FileStore): Promise<void> {
  const [name, walFile] = (await readFile(fileOf(home), 'utf8').catch(orNone)).trim().split(' ', 2);
  // What a crash left half written says nothing.
  if (name !== nameOf(archive) || walFile === undefined || !isSegment(walFile)) return;
  if ((await store.list(walKey(walFile))).length > 0) return;
  throw new BackupError(
    `The archive ${shownPlace(archive)} is gone: it does not have ${walKey(walFile)}, which it was given. Mount its disk, or bring its bucket back. ` +
      'If it is lost, start the service once without ROSTER_WAL_ARCHIVE: the next start with it begins another archive.',
  );
}

function orNone(error: unknown): string {
  if (systemErrorCode(error) === 'ENOENT') return '';
  throw error;
}
