import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Files that change the build, relative to the folder of the package. */
const patterns = [
  'src/**/*',
  'public/**/*',
  'build/*.ts',
  'index.html',
  'vite.config.ts',
  'package.json',
  '../client/src/**/*.ts',
  '../../package-lock.json',
];

/**
 * Returns a hash of all files that change the build. Times of files are not used, because a checkout
 * changes them.
 */
export async function sourcesHash(directory: string): Promise<string> {
  const files: string[] = [];
  for await (const entry of glob(patterns, { cwd: directory, withFileTypes: true })) {
    if (entry.isFile()) files.push(path.join(entry.parentPath, entry.name));
  }
  const hash = createHash('sha256');
  for (const file of files.toSorted()) {
    hash.update(path.relative(directory, file)).update('\0');
    hash.update(await readFile(file)).update('\0');
  }
  return hash.digest('hex');
}
