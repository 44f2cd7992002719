import { execFileSync } from 'node:child_process';
import { cp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { packagedBinaries, usableBinaries } from '../src/machine/binaries.ts';
import { isRoot, unprivilegedUser } from '../src/machine/server-user.ts';
import { startEmbeddedPostgres } from '../src/embedded/embedded-postgres.ts';
import { application, quick, silent, temporaryDirectory } from './support.ts';

describe('a full disk', () => {
  const mebibyte = 1024 * 1024;

  test('a nearly full disk is reported before anything is written, with the free and the needed space', async () => {
    await using directory = await temporaryDirectory();
    const freeSpace = (): Promise<number> => Promise.resolve(100 * mebibyte);
    await expect(startEmbeddedPostgres({ dataDir: directory.path, log: silent, freeSpace })).rejects.toMatchObject({
      code: 'disk-full',
      message: expect.stringContaining('100 MB are free, 200 MB are needed') as string,
    });
    expect(await readdir(path.join(directory.path, 'postgres'))).not.toContain('cluster');
  });

  test.runIf(canMount())('a disk that gets full while the database is created is reported', async () => {
    await using directory = await temporaryDirectory();
    using _ = mountMemory(directory.path, 24);
    const start = (freeMegabytes: number): Promise<unknown> =>
      startEmbeddedPostgres({
        dataDir: directory.path,
        log: silent,
        settings: quick,
        freeSpace: () => Promise.resolve(freeMegabytes * mebibyte),
      });
    await expect(start(1000)).rejects.toMatchObject({ code: 'disk-full' });
    expect(await readdir(path.join(directory.path, 'postgres'))).toEqual(['password', 'service.lock', 'service.pid']);
  });

  test.runIf(canMount())(
    'a full disk is reported by a later start, and the data is there when there is space again',
    async () => {
      await using directory = await temporaryDirectory();
      using _ = mountMemory(directory.path, 400);
      const options = { dataDir: directory.path, log: silent, settings: quick };
      await (await startEmbeddedPostgres(options)).stop();
      const ballast = path.join(directory.path, 'ballast');
      execFileSync('sh', ['-c', 'dd if=/dev/zero of="$1" bs=1M 2>/dev/null || true', 'sh', ballast]);
      await expect(startEmbeddedPostgres(options)).rejects.toMatchObject({
        code: 'disk-full',
        message: expect.stringContaining(' 0 MB are free') as string,
      });
      // The free space does not show the limit of a quota.
      const freeSpace = (): Promise<number> => Promise.resolve(1000 * mebibyte);
      await expect(startEmbeddedPostgres({ ...options, freeSpace })).rejects.toMatchObject({ code: 'disk-full' });
      await rm(ballast);
      await using server = await startEmbeddedPostgres(options);
      expect(server.isNew).toBe(false);
    },
  );
});

describe('data that cannot be used', () => {
  test('a database of another major version is refused, with advice how to upgrade', async () => {
    await using directory = await temporaryDirectory();
    const options = { dataDir: directory.path, log: silent, settings: quick };
    const server = await startEmbeddedPostgres(options);
    await server.stop();
    await writeFile(path.join(server.clusterDir, 'PG_VERSION'), '17\n');
    await expect(startEmbeddedPostgres(options)).rejects.toMatchObject({
      code: 'version-mismatch',
      message: expect.stringMatching(
        /written by PostgreSQL 17\. .* has PostgreSQL 18.*pg_dump.*pg_restore.*pg_upgrade/,
      ) as string,
    });
  });

  test('a database without its password or with a broken link is reported, and not created again', async () => {
    await using directory = await temporaryDirectory();
    const home = path.join(directory.path, 'postgres');
    const options = { dataDir: directory.path, log: silent, settings: quick };
    await (await startEmbeddedPostgres(options)).stop();
    await rm(path.join(home, 'password'));
    await expect(startEmbeddedPostgres(options)).rejects.toMatchObject({ code: 'data-missing' });
    await writeFile(path.join(home, 'password'), 'another\n');
    await expect(startEmbeddedPostgres(options)).rejects.toMatchObject({ code: 'data-missing' });
    await rm(path.join(home, 'cluster'), { recursive: true });
    await symlink(path.join(directory.path, 'gone'), path.join(home, 'cluster'));
    await expect(startEmbeddedPostgres(options)).rejects.toMatchObject({ code: 'data-missing' });
  });

  test('a directory that is not a database is left unchanged', async () => {
    await using directory = await temporaryDirectory();
    const cluster = path.join(directory.path, 'postgres', 'cluster');
    await mkdir(cluster, { recursive: true });
    const user = isRoot() ? await unprivilegedUser(application) : undefined;
    if (user !== undefined) execFileSync('chown', [`${user.uid}:${user.gid}`, cluster]);
    await writeFile(path.join(directory.path, 'postgres', 'password'), 'p\n');
    await expect(startEmbeddedPostgres({ dataDir: directory.path, log: silent })).rejects.toMatchObject({
      code: 'data-directory-unusable',
      message: expect.stringContaining('no PG_VERSION') as string,
    });
  });
});

describe('the binaries of PostgreSQL', () => {
  test('missing links between the libraries are created', async () => {
    await using directory = await temporaryDirectory();
    const { native, name } = await packagedBinaries(application);
    const copy = path.join(directory.path, 'native');
    await cp(native, copy, {
      recursive: true,
      filter: (file) => !/\.so(\.\d+)?$|\.a$/.test(file) || !isLibraryLink(file),
    });
    const user = isRoot() ? await unprivilegedUser(application) : undefined;
    const binaries = await usableBinaries(
      { native: copy, name },
      user,
      path.join(directory.path, 'copies'),
      application,
      silent,
    );
    expect(binaries).toMatchObject({ postgres: path.join(copy, 'bin', 'postgres'), major: 18 });
    expect(await readdir(path.join(copy, 'lib'))).toContain('libicuuc.so.60');
  });

  test.runIf(isRoot())(
    'binaries below a private directory are copied to a place that their user can read',
    async () => {
      await using hidden = await temporaryDirectory(0o700);
      await using copies = await temporaryDirectory();
      const { native, name } = await packagedBinaries(application);
      await cp(native, path.join(hidden.path, 'native'), { recursive: true, verbatimSymlinks: true });
      const source = { native: path.join(hidden.path, 'native'), name };
      const user = await unprivilegedUser(application);
      const binaries = await usableBinaries(source, user, copies.path, application, silent);
      expect(binaries.postgres).toBe(path.join(copies.path, name, 'bin', 'postgres'));
      // The second start finds the copy.
      expect(await usableBinaries(source, user, copies.path, application, silent)).toEqual(binaries);
      expect(await readdir(copies.path)).toEqual([name]);
    },
  );
});

/**
 * Whether a file is one of the links between the libraries. Installations without scripts do not
 * have these links.
 */
function isLibraryLink(file: string): boolean {
  return /lib(ecpg|ecpg_compat|icudata|icui18n|icuuc|pgtypes|pq)\.so(\.\d+)?$/.test(file);
}

function canMount(): boolean {
  if (!isRoot() || process.platform !== 'linux') return false;
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Mounts a file system of a given size in memory. Disposing it unmounts it. */
function mountMemory(directory: string, megabytes: number): Disposable {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0711`, 'tmpfs', directory]);
  return { [Symbol.dispose]: () => void execFileSync('umount', ['--lazy', directory]) };
}
