import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { systemErrorCode } from '../errors/embedded-postgres-error.ts';

/** Reads the database password in `directory`. Returns undefined if there is none. */
export async function readPassword(directory: string): Promise<string | undefined> {
  try {
    const password = (await readFile(path.join(directory, 'password'), 'utf8')).trim();
    return password === '' ? undefined : password;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Creates a random database password and stores it in `directory`. Only the owner can read it. */
export async function createPassword(directory: string): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  // A full disk may have left an empty file.
  await rm(path.join(directory, 'password'), { force: true });
  await writeSecret(path.join(directory, 'password'), password);
  return password;
}

/**
 * Writes a secret to a new file with mode 0600. The file appears complete or not at all. Throws
 * `EEXIST` if the file exists.
 */
export async function writeSecret(file: string, secret: string): Promise<void> {
  const temporary = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    // Write to a temporary name first, so that a kill during the write does not leave half a
    // secret.
    await writeFile(temporary, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true });
    await link(temporary, file).catch(async (error: unknown) => {
      // Some file systems have no hard links, such as shared folders of virtual machines. There,
      // two processes that start at the same time can overwrite each other's file.
      if (!['EPERM', 'ENOTSUP', 'ENOSYS'].includes(systemErrorCode(error) ?? '')) throw error;
      await rename(temporary, file);
    });
  } finally {
    await rm(temporary, { force: true });
  }
}
