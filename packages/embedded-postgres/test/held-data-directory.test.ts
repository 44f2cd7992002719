import { execFileSync } from 'node:child_process';
import { cp, readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { holdDataDirectory, runningServerUrl, startEmbeddedPostgres } from '../src/index.ts';
import { query, quick, temporaryDirectory } from './support.ts';

/**
 * Creates the files of a server that was stopped properly. Returns their directory and the
 * password.
 */
async function makeFiles(dataDir: string): Promise<{ readonly files: string; readonly password: string }> {
  await using server = await startEmbeddedPostgres({ dataDir, settings: quick });
  await query(server.url, 'create table kept as select 1 as n');
  return { files: server.clusterDir, password: new URL(server.url).password };
}

test('a cluster can be built from files of the caller, after a server has run on them', async () => {
  await using original = await temporaryDirectory();
  await using target = await temporaryDirectory();
  const { files, password } = await makeFiles(original.path);
  {
    using directory = await holdDataDirectory({ dataDir: target.path });
    expect(directory.hasCluster).toBe(false);
    await using cluster = await directory.beginCluster(password);
    expect(cluster.major).toBe(18);
    await cp(files, cluster.directory, { recursive: true });
    const { user } = cluster;
    if (user !== undefined) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, cluster.directory]);
    {
      await using server = await cluster.startServer(quick, new AbortController().signal);
      await query(server.url, 'update kept set n = 2');
    }
    await expect(startEmbeddedPostgres({ dataDir: target.path })).rejects.toMatchObject({
      code: 'data-directory-busy',
    });
    await cluster.finish();
  }
  {
    await using server = await startEmbeddedPostgres({ dataDir: target.path, settings: quick });
    expect(server.isNew).toBe(false);
    expect(await query(server.url, 'select n from kept')).toEqual([{ n: 2 }]);
  }
  using again = await holdDataDirectory({ dataDir: target.path });
  expect(again.hasCluster).toBe(true);
  await expect(again.beginCluster(password)).rejects.toMatchObject({ code: 'data-directory-unusable' });
});

test('an unfinished cluster leaves nothing behind, and the directory can be used', async () => {
  await using target = await temporaryDirectory();
  {
    using directory = await holdDataDirectory({ dataDir: target.path });
    await using cluster = await directory.beginCluster('secret');
    expect(path.relative(target.path, cluster.directory)).toMatch(/^postgres\//);
  }
  expect((await readdir(path.join(target.path, 'postgres'))).sort()).toEqual(['service.lock', 'service.pid']);
  await using server = await startEmbeddedPostgres({ dataDir: target.path, settings: quick });
  expect(server.isNew).toBe(true);
});

test('the server of a data directory is not taken for the server of a copy of the directory', async () => {
  await using original = await temporaryDirectory();
  await using copy = await temporaryDirectory();
  await using server = await startEmbeddedPostgres({ dataDir: original.path, settings: quick });
  // As root, the files belong to another user. `cp` of Node does not copy the owner.
  execFileSync('cp', ['-a', path.join(original.path, 'postgres'), copy.path]);
  expect(await runningServerUrl(copy.path)).toBeUndefined();
  expect(await runningServerUrl(original.path)).toBe(server.url);
});
