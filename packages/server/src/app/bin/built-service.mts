import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../../../../..');

/** Folders and files that change the build, relative to the root of the repository. */
const folders = ['client/src', 'contract/src', 'embedded-postgres/src', 'server/src', 'server/build'];
const files = ['package-lock.json', 'packages/server/package.json'];

/** Contains a folder for each build. Its name is the hash of the sources. */
export const buildsDirectory = path.join(root, 'packages/server/dist');

let current: string | undefined;

/**
 * Returns the folder of the build of the present sources, which may not exist. Reads all sources
 * once, so that an old build never runs: that takes 40 ms.
 */
export function currentBuild(): string {
  current ??= path.join(buildsDirectory, hashOfSources());
  return current;
}

function hashOfSources(): string {
  const sources = folders.flatMap((folder) => {
    const directory = path.join('packages', folder);
    const names = readdirSync(path.join(root, directory), { recursive: true, encoding: 'utf8' });
    return names.filter((name) => /(?<!\.test)\.m?ts$/.test(name)).map((name) => path.join(directory, name));
  });
  const hash = createHash('sha256');
  for (const file of [...files, ...sources].toSorted()) {
    hash.update(file).update('\0');
    hash.update(readFileSync(path.join(root, file))).update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}

/**
 * Returns the program of the service in the current build. Undefined if the build does not exist, or
 * if the sources cannot be compared with it.
 */
export function builtService(): string | undefined {
  if (!existsSync(buildsDirectory)) return undefined;
  try {
    const program = path.join(currentBuild(), 'service.mjs');
    return existsSync(program) ? program : undefined;
  } catch {
    return undefined;
  }
}
