import { randomBytes } from 'node:crypto';
import { access, constants, cp, mkdir, readFile, realpath, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';

import type { Log } from '../application/log.ts';
import { type Application, sentence } from '../application/application.ts';
import { EmbeddedPostgresError, systemErrorCode } from '../errors/embedded-postgres-error.ts';
import { runAs, type ServerUser } from './server-user.ts';

/** The programs of PostgreSQL, proven to run as the given user. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  /** Major version, for example 18. */
  readonly major: number;
}

/** Where the packaged programs are, and where copies go when they cannot be used in place. */
export interface BinarySource {
  /** The directory with `bin`, `lib` and `share`. */
  readonly native: string;
  /** Name of a copy; it changes with the version. */
  readonly name: string;
}

/**
 * Finds the package with the binaries for this machine; throws `platform-unsupported` when there is
 * none.
 */
export async function packagedBinaries(application: Application): Promise<BinarySource> {
  const platform = `${process.platform}-${process.arch}`;
  try {
    // The package's entry is `dist/index.js`; its paths are computed from there as it does itself.
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    const root = path.resolve(path.dirname(entry), '..');
    const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: path.join(root, 'native'), name: `postgresql-${version}-${platform}` };
  } catch (error) {
    throw new EmbeddedPostgresError(
      'platform-unsupported',
      `There is no packaged PostgreSQL for ${platform} in node_modules. Run \`npm ci\` without --omit=optional; ` +
        `if this platform has none, ${application.useOtherServer}.`,
      { cause: error },
    );
  }
}

/**
 * Makes the programs of PostgreSQL runnable by `user`: in place, or as a copy in `copyTo` or in the
 * cache of this user.
 *
 * In place fails when a parent directory is private and PostgreSQL runs as somebody else, when the
 * links between the shared libraries are missing and cannot be made, or when `initdb` (which calls
 * a shell) could not quote the path. Whether a place works is found by running `postgres --version`
 * there, as that user.
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
  // As root a copy for all users; otherwise one that this user's programs share, or one next to the
  // data.
  const homes = user === undefined ? [path.join(os.homedir(), '.cache', application.name), copyTo] : [copyTo];
  const failures = [`${source.native}: ${inPlace}`];
  for (const home of homes) {
    const copy = path.join(home, source.name);
    try {
      await copyOnce(source.native, copy);
      const copied = await tryNative(copy, user);
      if (typeof copied !== 'string') {
        log.info({ copy }, 'The programs of PostgreSQL cannot be run in place; a copy is used');
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

/** The binaries in a directory, or the reason why they do not run there. */
async function tryNative(native: string, user: ServerUser | undefined): Promise<Binaries | string> {
  // initdb puts these paths between double quotes for the shell, so these characters would not
  // arrive.
  if (/["$`\\\n]/.test(native)) return 'the path has characters that a shell would interpret';
  try {
    await hydrateSymlinks(native);
  } catch (error) {
    return `the links between the libraries are missing and cannot be made (${String(error)})`;
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
 * Makes the links between the shared libraries; npm packages have no links, and the install script
 * that makes them may be blocked.
 */
async function hydrateSymlinks(native: string): Promise<void> {
  const list = await readFile(path.join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(list) as { source: string; target: string }[];
  await Promise.all(
    links.map(async ({ source, target }) => {
      // The paths are relative to the package (`native/lib/libpq.so.5.18`); a copy has another name
      // for `native`.
      const link = path.join(native, path.relative('native', target));
      try {
        await access(link);
      } catch {
        await symlink(path.relative(path.dirname(target), source), link).catch((error: unknown) => {
          // A service that starts at the same time was faster.
          if (systemErrorCode(error) !== 'EEXIST') throw error;
        });
      }
    }),
  );
}

/**
 * Copies the binaries, so that the copy is complete whenever it exists; a copy that is there
 * already is used as it is.
 */
async function copyOnce(native: string, copy: string): Promise<void> {
  try {
    await access(copy);
    return;
  } catch {
    // No copy yet.
  }
  await mkdir(path.dirname(copy), { recursive: true, mode: 0o755 });
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
