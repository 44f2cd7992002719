import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { startEmbeddedPostgres } from '../src/embedded/embedded-postgres.ts';
import { quick, silent, temporaryDirectory } from './support.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Directory of the prepared data directories of a run. */
    preparedDirectories: string;
  }
}

/**
 * A temporary data directory with a database that was stopped properly. It is a copy, because a
 * copy takes a tenth of the time of initdb. The first caller with a name prepares the original.
 */
export async function preparedDirectory(
  name = 'embedded-postgres',
  prepare: (dataDir: string) => Promise<void> = async (dataDir) => {
    await using _server = await startEmbeddedPostgres({ dataDir, log: silent, settings: quick });
  },
): Promise<Awaited<ReturnType<typeof temporaryDirectory>>> {
  const original = path.join(inject('preparedDirectories'), name);
  const directory = await temporaryDirectory();
  if (!(await copied(original, directory.path))) {
    const own = await mkdtemp(`${original}-`);
    // The user of PostgreSQL must reach its files.
    await chmod(own, 0o711);
    await prepare(own);
    // Another process may have prepared it since.
    await rename(own, original).catch(() => rm(own, { recursive: true }));
    if (!(await copied(original, directory.path))) throw new Error(`${original} cannot be copied`);
  }
  return directory;
}

/** Copies the content of a directory with its owners. Returns false when there is no directory. */
async function copied(from: string, to: string): Promise<boolean> {
  return promisify(execFile)('cp', ['-Rp', `${from}/.`, to]).then(
    () => true,
    () => false,
  );
}
