import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { systemErrorCode } from '../errors/embedded-postgres-error.ts';

/**
 * Creates a directory and its missing parents, unless it exists. Throws the error of the file
 * system, which names the directory.
 *
 * The `recursive` option of Node must not be used: it never ends where the file system returns
 * ENOENT below a directory that exists, such as `/proc`. It then takes a parent for missing again
 * and again.
 */
export async function createDirectory(directory: string, mode?: number): Promise<void> {
  const missing: string[] = [];
  let place = path.resolve(directory);
  while ((await createOne(place, mode)) === 'no parent') {
    const parent = path.dirname(place);
    if (parent === place) break;
    missing.push(place);
    place = parent;
  }
  // Each parent exists now, so that ENOENT is an error.
  for (const one of missing.toReversed()) {
    if ((await createOne(one, mode)) === 'no parent') {
      throw Object.assign(new Error(`ENOENT: the file system does not let a directory be created, mkdir '${one}'`), {
        code: 'ENOENT',
        syscall: 'mkdir',
        path: one,
      });
    }
  }
}

async function createOne(directory: string, mode: number | undefined): Promise<'exists' | 'no parent'> {
  try {
    await mkdir(directory, mode === undefined ? {} : { mode });
    return 'exists';
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return 'no parent';
    // Some systems return another error than EEXIST for a directory that exists.
    const isDirectory = await stat(directory).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (isDirectory) return 'exists';
    throw error;
  }
}
