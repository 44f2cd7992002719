import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { systemErrorCode } from '../errors/embedded-postgres-error.ts';

/** Reads the database password that is kept in `directory`, or undefined when there is none. */
export async function readPassword(directory: string): Promise<string | undefined> {
  try {
    const password = (await readFile(path.join(directory, 'password'), 'utf8')).trim();
    return password === '' ? undefined : password;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Makes a random database password and keeps it in `directory`, readable by the owner only. The
 * file appears complete or not at all.
 */
export async function createPassword(directory: string): Promise<string> {
  const password = randomBytes(24).toString('base64url');
  // An empty file, from a disk that was full, counts as none.
  await rm(path.join(directory, 'password'), { force: true });
  await writeSecret(path.join(directory, 'password'), password);
  return password;
}

/**
 * Writes a secret with mode 0600 so that the file appears complete or not at all; an existing file
 * stays as it is (`EEXIST`).
 */
export async function writeSecret(file: string, secret: string): Promise<void> {
  const temporary = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    // A name of its own first: a kill in the middle of the write must not leave half a secret
    // behind.
    await writeFile(temporary, `${secret}\n`, { mode: 0o600, flag: 'wx', flush: true });
    await link(temporary, file).catch(async (error: unknown) => {
      // File systems without hard links (shared folders of virtual machines): two starters at once
      // are not told apart there.
      if (!['EPERM', 'ENOTSUP', 'ENOSYS'].includes(systemErrorCode(error) ?? '')) throw error;
      await rename(temporary, file);
    });
  } finally {
    await rm(temporary, { force: true });
  }
}
