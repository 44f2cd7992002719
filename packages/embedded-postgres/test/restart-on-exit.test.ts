import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { restartOnExit, startEmbeddedPostgres, type Log } from '../src/index.ts';
import { query, quick, temporaryDirectory, until } from './support.ts';

test('a killed server is restarted with its data, and a stopped server is not', async () => {
  await using directory = await temporaryDirectory();
  const server = await startEmbeddedPostgres({ dataDir: directory.path, settings: quick });
  restartOnExit(server);
  await query(server.url, 'create table kept as select 1 as n');
  const first = server.pid!;
  process.kill(first, 'SIGKILL');
  await until(() => server.pid !== undefined && server.pid !== first);
  await until(() =>
    query(server.url, 'select n from kept').then(
      (rows) => rows.length === 1,
      () => false,
    ),
  );
  await server.stop();
  expect(server.pid).toBeUndefined();
});

test('a restart is cancelled when the server is stopped before it is ready', async () => {
  await using directory = await temporaryDirectory();
  await using server = await startEmbeddedPostgres({ dataDir: directory.path, settings: quick });
  const first = server.pid!;
  process.kill(first, 'SIGKILL');
  await until(() => server.pid === undefined);
  const restarted = server.restart();
  while (server.pid === undefined) await setImmediate();
  await Promise.all([server.stop(), expect(restarted).rejects.toMatchObject({ code: 'aborted' })]);
});

test('the log says why a server has ended', async () => {
  await using directory = await temporaryDirectory();
  const { promise: ended, resolve } = Promise.withResolvers<object>();
  const nothing = (): void => undefined;
  const log: Log = { debug: nothing, info: nothing, warn: nothing, error: resolve };
  await using server = await startEmbeddedPostgres({ dataDir: directory.path, settings: quick });
  restartOnExit(server, log);
  process.kill(server.pid!, 'SIGQUIT');
  expect(await ended).toEqual({ lines: expect.stringContaining('received immediate shutdown request') });
});
