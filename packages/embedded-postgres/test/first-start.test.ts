import { chmod, cp, lstat, mkdir, readdir, readFile, realpath, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { isRoot, unprivilegedUser } from '../src/machine/server-user.ts';
import { startEmbeddedPostgres } from '../src/embedded/embedded-postgres.ts';
import { startThrowawayPostgres } from '../src/embedded/throwaway-postgres.ts';
import { application, canRunPrograms, hold, query, quick, silent, temporaryDirectory } from './support.ts';

const mode = async (file: string): Promise<string> => ((await stat(file)).mode & 0o777).toString(8);

describe('an embedded PostgreSQL', () => {
  test('the first start creates the database, the second one finds it, and its files are private', async () => {
    await using directory = await temporaryDirectory();
    const dataDir = path.join(directory.path, 'data');
    let password: string;
    {
      await using server = await startEmbeddedPostgres({ dataDir, log: silent, settings: quick });
      expect(server.isNew).toBe(true);
      expect(server.clusterDir).toBe(path.join(dataDir, 'postgres', 'cluster'));
      await query(server.url, `create table kept as select 'Grüße'::text as word`);
      password = new URL(server.url).password;
      expect(password).toMatch(/^[\w-]{32}$/);
      const [settings] = await query(
        server.url,
        `select current_setting('server_encoding') as encoding, current_setting('data_checksums') as checksums,
                current_setting('listen_addresses') as listen, current_setting('unix_socket_directories') as sockets,
                current_setting('synchronous_commit') as commit, current_setting('log_min_messages') as messages,
                (select datlocale from pg_database where datname = current_database()) as locale`,
      );
      expect(settings).toEqual({
        encoding: 'UTF8',
        checksums: 'on',
        listen: '127.0.0.1',
        sockets: '',
        commit: 'on',
        messages: 'log',
        locale: 'C.UTF-8',
      });
      const wrong = server.url.replace(password, 'wrong');
      await expect(query(wrong, 'select 1')).rejects.toThrow(/password authentication failed/);
    }
    expect(await mode(path.join(dataDir, 'postgres', 'password'))).toBe('600');
    for (const file of ['service.lock', 'service.pid'])
      expect(await mode(path.join(dataDir, 'postgres', file))).toBe('600');
    expect(await mode(path.join(dataDir, 'postgres', 'cluster'))).toBe('700');
    expect(await mode(dataDir)).toBe(isRoot() ? '711' : '700');
    expect((await readdir(path.join(dataDir, 'postgres'))).sort()).toEqual([
      'cluster',
      'password',
      'service.lock',
      'service.pid',
    ]);

    // An older version created this file readable for all users.
    await chmod(path.join(dataDir, 'postgres', 'service.lock'), 0o644);
    await using again = await startEmbeddedPostgres({ dataDir, log: silent, settings: quick });
    expect(await mode(path.join(dataDir, 'postgres', 'service.lock'))).toBe('600');
    expect(again.isNew).toBe(false);
    expect(new URL(again.url).password).toBe(password);
    expect(await query(again.url, 'select word from kept')).toEqual([{ word: 'Grüße' }]);
  });

  test('the data directory can have a path of more than 200 characters, with spaces, quotes and other alphabets', async () => {
    await using directory = await temporaryDirectory();
    const long = path.join(directory.path, 'd'.repeat(200), `Käthe's "Daten" $HOME ограниченный 顧客`);
    await using server = await startEmbeddedPostgres({ dataDir: long, log: silent, settings: quick });
    expect(await query(server.url, 'select current_database() as name')).toEqual([{ name: 'postgres' }]);
  });

  test('a path that is too long is refused with advice', async () => {
    await using directory = await temporaryDirectory();
    const long = path.join(directory.path, ...Array.from({ length: 5 }, () => 'd'.repeat(110)));
    await expect(startEmbeddedPostgres({ dataDir: long, log: silent })).rejects.toMatchObject({
      code: 'data-directory-unusable',
      message: expect.stringMatching(/too long: set dataDir/) as string,
    });
  });

  test('a data directory that is a file is refused', async () => {
    await using directory = await temporaryDirectory();
    const file = path.join(directory.path, 'file');
    await writeFile(file, '');
    for (const dataDir of [file, path.join(file, 'below')]) {
      await expect(startEmbeddedPostgres({ dataDir, log: silent })).rejects.toMatchObject({
        code: 'data-directory-unusable',
        message: expect.stringMatching(/not a directory/) as string,
      });
    }
  });
});

test('a throwaway server leaves nothing behind', async () => {
  const server = await startThrowawayPostgres({ settings: { shared_buffers: '32MB' } });
  expect(await query(server.url, `select current_setting('fsync') as fsync`)).toEqual([{ fsync: 'off' }]);
  const directory = path.resolve(server.clusterDir, '..', '..');
  expect(path.dirname(directory)).toBe(await realpath(os.tmpdir()));
  await server.stop();
  await expect(stat(directory)).rejects.toMatchObject({ code: 'ENOENT' });
});

describe.runIf(isRoot())('an embedded PostgreSQL that root starts', () => {
  test('PostgreSQL runs as another user, who owns its files', async () => {
    await using directory = await temporaryDirectory();
    await using server = await startEmbeddedPostgres({ dataDir: directory.path, log: silent, settings: quick });
    const { uid } = await unprivilegedUser(application);
    expect((await stat(server.clusterDir)).uid).toBe(uid);
    const status = await readFile(`/proc/${server.pid}/status`, 'utf8');
    expect(status).toMatch(new RegExp(`^Uid:\\t${uid}\\t`, 'm'));
    expect(await readFile(`/proc/${server.pid}/environ`, 'utf8')).not.toContain('HOME=');
  });

  test('below a private directory, the database is kept elsewhere with a link to it, and modes stay unchanged', async () => {
    await using directory = await temporaryDirectory(0o700);
    await using elsewhere = await temporaryDirectory();
    const options = {
      dataDir: path.join(directory.path, 'data'),
      systemDir: elsewhere.path,
      log: silent,
      settings: quick,
    };
    const link = path.join(options.dataDir, 'postgres', 'cluster');
    {
      await using server = await startEmbeddedPostgres(options);
      expect(path.dirname(path.dirname(server.clusterDir))).toBe(elsewhere.path);
      expect((await lstat(link)).isSymbolicLink()).toBe(true);
      await query(server.url, 'create table kept ()');
    }
    expect(await mode(directory.path)).toBe('700');
    await using again = await startEmbeddedPostgres(options);
    expect(again.isNew).toBe(false);
    expect(await query(again.url, 'select * from kept')).toEqual([]);

    // A copy of the data directory has the same link.
    const dataDir = path.join(directory.path, 'copy');
    await cp(options.dataDir, dataDir, { recursive: true, verbatimSymlinks: true });
    await expect(startEmbeddedPostgres({ ...options, dataDir })).rejects.toMatchObject({ code: 'data-directory-busy' });
    expect(await query(again.url, 'select * from kept')).toEqual([]);
  });

  test('a database that became unreachable is reported, with the private directory in its path', async () => {
    await using directory = await temporaryDirectory();
    const options = { dataDir: path.join(directory.path, 'data'), log: silent, settings: quick };
    await (await startEmbeddedPostgres(options)).stop();
    await chmod(directory.path, 0o700);
    await expect(startEmbeddedPostgres(options)).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining(`${directory.path} is private`) as string,
    });
  });

  test('an ordinary user runs PostgreSQL without a change of user', async ({ skip }) => {
    await using directory = await temporaryDirectory();
    const user = await unprivilegedUser(application);
    skip(!canRunPrograms(user), 'this checkout is private');
    const dataDir = path.join(directory.path, 'data');
    await mkdir(dataDir);
    await using refused = hold(dataDir, user);
    expect(await refused.said).toMatchObject({ code: 'data-directory-unusable' });

    const home = path.join(directory.path, 'own');
    await mkdir(home, { mode: 0o777 });
    await chmod(home, 0o777);
    {
      await using holder = hold(path.join(home, 'data'), user);
      expect(await holder.said).toMatchObject({ isNew: true });
      expect(await mode(path.join(home, 'data'))).toBe('700');
    }
    // Later starts by root keep the owner of the files.
    await using server = await startEmbeddedPostgres({
      dataDir: path.join(home, 'data'),
      log: silent,
      settings: quick,
    });
    expect(server.isNew).toBe(false);
  });
});
