import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { silentLog } from '../src/application/log.ts';
import { EmbeddedPostgresError } from '../src/errors/embedded-postgres-error.ts';
import { stopOrphan } from '../src/server/orphaned-server.ts';
import { isRoot, unprivilegedUser } from '../src/machine/server-user.ts';
import { startEmbeddedPostgres } from '../src/embedded/embedded-postgres.ts';
import { preparedDirectory } from './prepared-directory.ts';
import { application, hold, killWithGuard, lives, query, quick, silent, temporaryDirectory, until } from './support.ts';

test('the server of a killed program is shut down properly', async () => {
  await using directory = await preparedDirectory();
  await using holder = hold(directory.path);
  const first = await holder.said;
  if (first.url === undefined) throw new Error(first.message);
  await query(first.url, 'create table kept as select 1 as n');
  holder.process.kill('SIGKILL');
  await until(async () => !(await lives(first.pid)));
  // The files can be copied now: the server has written its checkpoint and removed its pid file.
  expect(existsSync(path.join(first.clusterDir, 'postmaster.pid'))).toBe(false);

  await using server = await startEmbeddedPostgres({ dataDir: directory.path, log: silent, settings: quick });
  expect(await query(server.url, 'select n from kept')).toEqual([{ n: 1 }]);
});

test('the guard process of a server ends when the server is stopped or has died', async () => {
  await using directory = await preparedDirectory();
  const guards = (pid: number) => {
    const { stdout } = spawnSync('ps', ['-ww', '-e', '-o', 'args='], { encoding: 'utf8' });
    return stdout.split('\n').filter((line) => line.trimEnd().endsWith(`embedded-postgres-guard ${pid}`)).length;
  };
  const server = await startEmbeddedPostgres({ dataDir: directory.path, log: silent, settings: quick });
  const [died] = [server.pid!];
  expect(guards(died)).toBe(1);
  process.kill(died, 'SIGKILL');
  await until(() => guards(died) === 0);
  await until(async () => !(await lives(died)));
  await server.restart();
  const stopped = server.pid!;
  expect(guards(stopped)).toBe(1);
  await server.stop();
  await until(() => guards(stopped) === 0);
});

test('a start after a crash says that the server is recovering', async () => {
  await using directory = await preparedDirectory();
  const said: string[] = [];
  const log = { ...silentLog, info: (_: object, message: string) => void said.push(message) };
  await using server = await startEmbeddedPostgres({ dataDir: directory.path, log, settings: quick });
  const recoveries = () => said.filter((message) => message.includes('is recovering'));
  expect(recoveries()).toEqual([]);
  const exited = new Promise((resolve) => server.onExit(resolve));
  process.kill(server.pid!, 'SIGKILL');
  await exited;
  await server.restart();
  expect(recoveries()).toHaveLength(1);
});

test('the next start stops a server that a killed program left behind, and no data is lost', async () => {
  await using directory = await preparedDirectory();
  await using holder = hold(directory.path);
  const first = await holder.said;
  if (first.url === undefined) throw new Error(first.message);
  await query(first.url, 'create table kept as select 1 as n');
  await killWithGuard(holder, first.pid);
  expect(await lives(first.pid)).toBe(true);

  await using server = await startEmbeddedPostgres({ dataDir: directory.path, log: silent, settings: quick });
  expect(await lives(first.pid)).toBe(false);
  expect(server.pid).not.toBe(first.pid);
  expect(await query(server.url, 'select n from kept')).toEqual([{ n: 1 }]);
});

test.runIf(existsSync(childrenFile(process.pid)))(
  'a leftover server that is recovering, and never ends a fast shutdown, is stopped nevertheless',
  async () => {
    await using directory = await preparedDirectory();
    await using holder = hold(directory.path);
    const first = await holder.said;
    if (first.url === undefined) throw new Error(first.message);
    await query(first.url, 'create table kept as select 1 as n');
    await killWithGuard(holder, first.pid);
    const children = await childrenOf(first.pid);
    process.kill(children[0]!, 'SIGKILL');
    // Recovery starts a few milliseconds after all processes have ended. The loop has no pause, so
    // that it does not miss this moment.
    while ((await childrenOf(first.pid)).some((pid) => children.includes(pid)));
    const began = performance.now();
    await stopOrphan(first.clusterDir, application, silent);
    expect(performance.now() - began).toBeLessThan(15_000);
    expect(await lives(first.pid)).toBe(false);

    await using server = await startEmbeddedPostgres({ dataDir: directory.path, log: silent, settings: quick });
    expect(await query(server.url, 'select n from kept')).toEqual([{ n: 1 }]);
  },
);

test('after a program and its server were both killed, the next start recovers the data', async () => {
  await using directory = await preparedDirectory();
  await using holder = hold(directory.path);
  const first = await holder.said;
  if (first.url === undefined) throw new Error(first.message);
  await query(first.url, 'create table kept as select 1 as n');
  holder.process.kill('SIGKILL');
  process.kill(first.pid, 'SIGKILL');

  await using server = await startEmbeddedPostgres({ dataDir: directory.path, log: silent, settings: quick });
  expect(await query(server.url, 'select n from kept')).toEqual([{ n: 1 }]);
});

test('a backend that outlives its killed server is killed, so that the server can restart', async () => {
  await using directory = await preparedDirectory();
  await using server = await startEmbeddedPostgres({ dataDir: directory.path, log: silent, settings: quick });
  await query(server.url, 'create table kept as select 1 as n');
  const client = new pg.Client({ connectionString: server.url });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const [{ pid }] = rows as [{ pid: number }];
  // This backend acts like one that waits for a lock of a killed process: it does not notice that
  // the server is gone.
  process.kill(pid, 'SIGSTOP');
  const exited = new Promise((resolve) => server.onExit(resolve));
  process.kill(server.pid!, 'SIGKILL');
  await exited;
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
  await server.restart();
  expect(await lives(pid)).toBe(false);
  // The client of the backend notices the end, too.
  await ended;
  expect(await query(server.url, 'select n from kept')).toEqual([{ n: 1 }]);
});

test('a second process on the same data directory is refused, with the process id of the first', async () => {
  await using directory = await preparedDirectory();
  await using server = await startEmbeddedPostgres({ dataDir: directory.path, log: silent, settings: quick });
  await using second = hold(directory.path);
  expect(await second.said).toMatchObject({
    code: 'data-directory-busy',
    message: expect.stringMatching(
      new RegExp(`^Another process \\(${process.pid}\\) uses the data directory`),
    ) as string,
  });
  expect(await second.ended).toBe(1);
  // This process is refused too, although it holds the lock itself.
  await expect(startEmbeddedPostgres({ dataDir: directory.path, log: silent })).rejects.toMatchObject({
    code: 'data-directory-busy',
  });
  expect(await query(server.url, 'select 1 as n')).toEqual([{ n: 1 }]);
});

test('only one of several processes that start at once on an empty directory succeeds', async () => {
  await using directory = await temporaryDirectory();
  await using one = hold(directory.path);
  await using two = hold(directory.path);
  await using three = hold(directory.path);
  const words = await Promise.all([one.said, two.said, three.said]);
  const winners = words.filter((word) => word.url !== undefined);
  expect(winners).toHaveLength(1);
  expect(words.filter((word) => word.code === 'data-directory-busy')).toHaveLength(2);
  expect(await query(winners[0]!.url, 'select 1 as n')).toEqual([{ n: 1 }]);
});

test('a start that is killed during initdb does not disturb the next start', async () => {
  await using directory = await temporaryDirectory();
  const home = path.join(directory.path, 'postgres');
  const isWorking = async (): Promise<boolean> => {
    const work = (await readdir(home).catch((): string[] => [])).find((name) => name.startsWith('initdb-'));
    // Some files exist, but not all.
    return (
      work !== undefined &&
      (await readdir(path.join(home, work, 'cluster', 'base')).catch((): string[] => [])).length > 0
    );
  };
  await using holder = hold(directory.path);
  await until(isWorking);
  holder.process.kill('SIGKILL');
  await holder.ended;
  expect(await readdir(home)).not.toContain('cluster');

  await using server = await startEmbeddedPostgres({ dataDir: directory.path, log: silent, settings: quick });
  expect(server.isNew).toBe(true);
  expect((await readdir(home)).filter((name) => name.startsWith('initdb-'))).toEqual([]);
});

test('a postmaster.pid whose process id now belongs to another process is ignored', async () => {
  await using directory = await preparedDirectory();
  const options = { dataDir: directory.path, log: silent, settings: quick };
  const before = await startEmbeddedPostgres(options);
  const pidFile = path.join(before.clusterDir, 'postmaster.pid');
  const lines = (await readFile(pidFile, 'utf8')).split('\n');
  await before.stop();
  // The process runs as the user of PostgreSQL, because PostgreSQL itself ignores processes of
  // other users.
  const other: ChildProcess = spawn('sleep', ['60'], isRoot() ? { ...(await unprivilegedUser(application)) } : {});
  try {
    await writeFile(pidFile, [String(other.pid), ...lines.slice(1)].join('\n'));
    await using server = await startEmbeddedPostgres(options);
    expect(await query(server.url, 'select 1 as n')).toEqual([{ n: 1 }]);
    expect(other.exitCode ?? other.signalCode).toBeNull();
  } finally {
    other.kill();
  }
});

test('a server that died can be restarted on the same port, but not after a stop', async () => {
  await using directory = await preparedDirectory();
  await using server = await startEmbeddedPostgres({ dataDir: directory.path, log: silent, settings: quick });
  const pid = server.pid ?? 0;
  const exited = new Promise((resolve) => server.onExit(resolve));
  process.kill(pid, 'SIGKILL');
  await exited;
  await server.restart();
  expect(server.pid).not.toBe(pid);
  expect(await query(server.url, 'select 1 as n')).toEqual([{ n: 1 }]);
  await server.stop();
  await expect(server.restart()).rejects.toMatchObject({ code: 'aborted' });
});

test('a stop during the start of the server leaves nothing running', async () => {
  await using directory = await temporaryDirectory();
  const home = path.join(directory.path, 'postgres');
  await using holder = hold(directory.path);
  await until(async () => (await readdir(home).catch((): string[] => [])).includes('cluster'));
  holder.process.kill('SIGTERM');
  expect(await holder.ended).toSatisfy((code) => code === 0 || code === 1);
  expect(await readdir(path.join(home, 'cluster'))).not.toContain('postmaster.pid');
});

test.each(['ready to accept connections', 'connection authorized'])(
  'a start that is cancelled when the server says %s returns no server',
  async (words) => {
    await using directory = await preparedDirectory();
    const cancelling = new AbortController();
    const log = {
      ...silentLog,
      debug: (_: object, line: string) => {
        if (line.includes(words)) cancelling.abort();
      },
    };
    const settings = { ...quick, log_connections: 'all' };
    const start = startEmbeddedPostgres({ dataDir: directory.path, log, settings, signal: cancelling.signal });
    // The line can arrive after the start has ended. Then, the caller has the server and stops it.
    const outcome = await start.then(
      async (server) => {
        const wasCancelled = cancelling.signal.aborted;
        await server.stop();
        return { wasCancelled };
      },
      (error: unknown) => error,
    );
    expect([{ code: 'aborted' }, { wasCancelled: false }]).toContainEqual(
      outcome instanceof EmbeddedPostgresError ? { code: outcome.code } : outcome,
    );
    const cluster = path.join(directory.path, 'postgres', 'cluster');
    expect(await readdir(cluster)).not.toContain('postmaster.pid');
  },
);

function childrenFile(pid: number): string {
  return `/proc/${pid}/task/${pid}/children`;
}

async function childrenOf(pid: number): Promise<number[]> {
  return (await readFile(childrenFile(pid), 'utf8')).trim().split(' ').map(Number);
}
