import path from 'node:path';
import { expect, test } from 'vitest';
import { hasCluster, runningServerUrl, startEmbeddedPostgres } from '../src/index.ts';
import { query, quick, temporaryDirectory } from './support.ts';

const application = {
  name: 'address-book',
  database: 'addresses',
  title: 'Address Book',
  dataDirSetting: 'ADDRESSES_DIR',
  useOtherServer: 'set ADDRESSES_DATABASE',
};

test('the database, its superuser and its processes get the names of the application', async () => {
  await using directory = await temporaryDirectory();
  expect(await hasCluster(directory.path, { application })).toBe(false);
  expect(await runningServerUrl(directory.path, { application })).toBeUndefined();
  {
    await using server = await startEmbeddedPostgres({ dataDir: directory.path, application, settings: quick });
    const [names] = await query(
      server.url,
      `select current_database() as database, current_user as "user", current_setting('cluster_name') as cluster`,
    );
    expect(names).toEqual({
      database: 'addresses',
      user: 'addresses',
      cluster: expect.stringMatching(/^address-book-\d+-\d+$/) as string,
    });
    expect(await runningServerUrl(directory.path, { application })).toBe(server.url);
  }
  expect(await hasCluster(directory.path, { application })).toBe(true);
  expect(await runningServerUrl(directory.path, { application })).toBeUndefined();
});

test('messages name the settings of the application', async () => {
  await using directory = await temporaryDirectory();
  const full = startEmbeddedPostgres({ dataDir: directory.path, application, freeSpace: () => Promise.resolve(0) });
  await expect(full).rejects.toThrow(/set ADDRESSES_DIR to a directory on a larger disk/);
  const nowhere = startEmbeddedPostgres({ dataDir: path.join('/dev/null', 'data'), application });
  await expect(nowhere).rejects.toThrow(/Set ADDRESSES_DIR to a directory that this user may write to/);
});

test.each(['', 'Big', '-c', '9lives', 'a b', "a'b", '../x', 'ä'])(
  'the application name %o is refused',
  async (name) => {
    for (const key of ['name', 'database']) {
      const started = startEmbeddedPostgres({ dataDir: '/dev/null', application: { [key]: name } });
      await expect(started).rejects.toThrow(
        new RegExp(`^The ${key} of an application must have 1 to 41 lower-case letters`),
      );
    }
  },
);
