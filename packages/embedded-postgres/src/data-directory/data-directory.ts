import { access, chmod, constants, mkdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

import { type Application, applicationFrom } from '../application/application.ts';
import { EmbeddedPostgresError, systemErrorCode } from '../errors/embedded-postgres-error.ts';
import { createDirectory } from '../machine/create-directory.ts';
import { isRoot } from '../machine/server-user.ts';

/**
 * Creates a directory for the data of the program unless it exists, checks that it is writable, and
 * returns its real path.
 *
 * A new directory is private. If the program runs as root, other users can pass through it but not
 * list it (0711), because PostgreSQL runs as another user. PostgreSQL keeps its own files private.
 * Existing directories keep their modes. Throws `data-directory-unusable` or `disk-full`.
 */
export async function prepareDirectory(directory: string, application: Partial<Application> = {}): Promise<string> {
  try {
    await makeDirectory(directory);
    // Resolve links once, so that all later messages and comparisons use the real path.
    const real = await realpath(directory);
    await access(real, constants.W_OK | constants.X_OK);
    return real;
  } catch (error) {
    throw unusable(directory, applicationFrom(application), error);
  }
}

/** Creates a directory that the PostgreSQL user can pass through, unless it exists. */
export async function makeDirectory(directory: string): Promise<void> {
  const mode = isRoot() ? 0o711 : 0o700;
  try {
    if ((await stat(directory)).isDirectory()) return;
    throw Object.assign(new Error('not a directory'), { code: 'ENOTDIR' });
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error;
  }
  await createDirectory(path.dirname(directory));
  try {
    await mkdir(directory, { mode });
    // The umask may have removed bits from the mode.
    await chmod(directory, mode);
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
  }
}

function unusable(dataDir: string, { dataDirSetting }: Application, error: unknown): EmbeddedPostgresError {
  const code = systemErrorCode(error) ?? String(error);
  const reasons: Record<string, string> = {
    ENOENT:
      error instanceof Error && 'syscall' in error && error.syscall === 'mkdir'
        ? 'its file system does not allow new directories there'
        : 'it is a link to a directory that does not exist',
    ENOTDIR: 'it, or a part of its path, is not a directory',
    EEXIST: 'it, or a part of its path, is not a directory',
    EACCES: 'this user may not write there',
    EPERM: 'this user may not write there',
    EROFS: 'its file system is read-only',
    ENAMETOOLONG: 'its path, or one name in it, is too long',
    ELOOP: 'its path has a loop of links',
  };
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new EmbeddedPostgresError(
      'disk-full',
      `The data directory ${dataDir} cannot be created: the disk is full. Free some space, or set ${dataDirSetting} to a directory on a larger disk.`,
      { cause: error },
    );
  }
  return new EmbeddedPostgresError(
    'data-directory-unusable',
    `The data directory ${dataDir} cannot be used: ${reasons[code] ?? code}. Set ${dataDirSetting} to a directory that this user may write to.`,
    { cause: error },
  );
}
