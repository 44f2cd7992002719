import { access, chmod, constants, mkdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

import { type Application, applicationFrom } from '../application/application.ts';
import { EmbeddedPostgresError, systemErrorCode } from '../errors/embedded-postgres-error.ts';
import { isRoot } from '../machine/server-user.ts';

/**
 * Makes a directory for the program's data unless it exists, checks that it can be written, and
 * returns its real path.
 *
 * New directories are private to the owner; those of a program that runs as root let other users
 * pass through (0711, no listing), because PostgreSQL runs as another user and keeps its files
 * private itself. Directories that exist keep their modes. Throws `data-directory-unusable` or
 * `disk-full`.
 */
export async function prepareDirectory(directory: string, application: Partial<Application> = {}): Promise<string> {
  try {
    await makeDirectory(directory);
    // Links are resolved once, so that every path that is shown and compared later is the real one.
    const real = await realpath(directory);
    await access(real, constants.W_OK | constants.X_OK);
    return real;
  } catch (error) {
    throw unusable(directory, applicationFrom(application), error);
  }
}

/**
 * Makes a directory that PostgreSQL's user can pass through, with its parents, unless it exists.
 */
export async function makeDirectory(directory: string): Promise<void> {
  const mode = isRoot() ? 0o711 : 0o700;
  try {
    if ((await stat(directory)).isDirectory()) return;
    throw Object.assign(new Error('not a directory'), { code: 'ENOTDIR' });
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error;
  }
  await mkdir(path.dirname(directory), { recursive: true });
  try {
    await mkdir(directory, { mode });
    // The mask of the process may have taken bits away.
    await chmod(directory, mode);
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
  }
}

function unusable(dataDir: string, { dataDirSetting }: Application, error: unknown): EmbeddedPostgresError {
  const code = systemErrorCode(error) ?? String(error);
  const reasons: Record<string, string> = {
    ENOENT: 'it is a link to a directory that does not exist',
    ENOTDIR: 'it, or a part of its path, is not a directory',
    EEXIST: 'it, or a part of its path, is not a directory',
    EACCES: 'this user may not write there',
    EPERM: 'this user may not write there',
    EROFS: 'its file system is read-only',
    ENAMETOOLONG: 'its path, or one name in it, is too long',
    ELOOP: 'its path has links that lead in circles',
  };
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new EmbeddedPostgresError(
      'disk-full',
      `The data directory ${dataDir} cannot be made: the disk is full. Free some space, or set ${dataDirSetting} to a directory on a larger disk.`,
      { cause: error },
    );
  }
  return new EmbeddedPostgresError(
    'data-directory-unusable',
    `The data directory ${dataDir} cannot be used: ${reasons[code] ?? code}. Set ${dataDirSetting} to a directory that this user may write to.`,
    { cause: error },
  );
}
