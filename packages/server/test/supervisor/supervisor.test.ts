import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { freePort } from '@roster/embedded-postgres';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded-postgres.ts';
import { loadAdminToken } from '#app/supervisor/admin-token.ts';
import {
  lives,
  type Program,
  query,
  quick,
  runProgram,
  silent,
  temporaryDirectory,
  until,
} from '../../../embedded-postgres/test/support.ts';
import { migratedDirectory } from '../support/migrated-directory.ts';

interface ServiceWord {
  readonly url: string;
  readonly api: number;
  readonly worker: number;
  readonly postgres: number;
}

const startService = (dataDir: string, env: Record<string, string> = {}): Program<ServiceWord> =>
  runProgram(path.join(import.meta.dirname, 'programs/service.ts'), {
    env: { PORT: '0', ROSTER_DATA_DIR: dataDir, ...env },
    settings: quick,
  });

/** Returns the notes that the processes of an ended service have left in its database. */
async function notes(dataDir: string): Promise<string[]> {
  await using server = await startEmbeddedPostgres({ dataDir, log: silent, settings: quick });
  const rows = await query(server.url, `select role || ' ' || event as note from notes order by id`);
  return rows.map(({ note }) => String(note));
}

/** Waits until the processes have ended. */
const untilGone = (...pids: number[]): Promise<void> =>
  until(async () => (await Promise.all(pids.map(lives))).every((isAlive) => !isAlive));

describe('the supervisor', () => {
  test('restarts a process that dies, and passes the metrics of the worker to the API', async () => {
    await using directory = await migratedDirectory();
    const port = String(await freePort());
    await using service = startService(directory.path, { PORT: port });
    const first = await service.said;
    const ask = async (): Promise<{ pid?: number; metrics?: { from: number } }> =>
      fetch(first.url).then(
        (response) => response.json() as Promise<{ pid: number }>,
        () => ({}),
      );
    await until(async () => (await ask()).metrics?.from === first.worker);

    process.kill(first.worker, 'SIGKILL');
    await until(async () => ![undefined, first.worker].includes((await ask()).metrics?.from));

    process.kill(first.api, 'SIGKILL');
    await until(async () => ![undefined, first.api].includes((await ask()).pid));

    process.kill(first.postgres, 'SIGKILL');
    await untilGone(first.postgres);
    const pidFile = path.join(directory.path, 'postgres', 'cluster', 'postmaster.pid');
    await until(async () => {
      const lines = (await readFile(pidFile, 'utf8').catch(() => '')).split('\n');
      return lines[0] !== String(first.postgres) && lines[7]?.trim() === 'ready';
    });

    service.process.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    expect(service.complaints()).toBe('');
    expect(await notes(directory.path)).toEqual([
      expect.stringMatching('(api|worker) started'),
      expect.stringMatching('(api|worker) started'),
      'worker started',
      'api started',
      'api stopped',
      'worker stopped',
    ]);
  });

  test.runIf(process.platform === 'linux').each([
    [{}, '2'],
    [{ MALLOC_ARENA_MAX: '8' }, '8'],
  ])('with the environment %j, its processes have MALLOC_ARENA_MAX=%s', async (env, arenas) => {
    await using directory = await migratedDirectory();
    await using service = startService(directory.path, env);
    const { api, worker } = await service.said;
    for (const pid of [api, worker]) {
      const variables = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0');
      expect(variables).toContain(`MALLOC_ARENA_MAX=${arenas}`);
    }
    service.process.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  });

  test('stops the API before the worker on Ctrl-C, which a terminal sends to every process', async () => {
    await using directory = await migratedDirectory();
    await using service = startService(directory.path);
    const parts = await service.said;
    // Signal the whole process group, like a terminal. runProgram gave the service its own group.
    process.kill(-service.pid, 'SIGINT');
    expect(await service.ended).toBe(0);
    await untilGone(parts.api, parts.worker, parts.postgres);
    expect((await notes(directory.path)).slice(-2)).toEqual(['api stopped', 'worker stopped']);
  });

  test('restarts no process when the whole process group gets SIGTERM', async () => {
    await using directory = await migratedDirectory();
    // The API ends only after the worker. The worker gets the signal directly, so it ends while the
    // supervisor still waits for the API.
    await using service = startService(directory.path, { PART_API: 'ends-last', SUPERVISOR_LOG: 'error' });
    const parts = await service.said;
    process.kill(-service.pid, 'SIGTERM');
    expect(await service.ended).toBe(0);
    await untilGone(parts.api, parts.worker, parts.postgres);
    expect(service.output()).not.toContain('restarting');
    expect((await notes(directory.path)).slice(2)).toEqual(['worker stopped', 'api stopped']);
  });

  test('kills a process that hangs during a stop', async () => {
    await using directory = await migratedDirectory();
    await using service = startService(directory.path, { PART_API: 'hangs' });
    const parts = await service.said;
    const began = performance.now();
    service.process.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    expect(performance.now() - began).toBeLessThan(15_000);
    await untilGone(parts.api, parts.worker, parts.postgres);
  });

  test('ends its processes when it is killed, and the next service can start on the same data', async () => {
    await using directory = await migratedDirectory();
    const env = { PORT: String(await freePort()) };
    await using service = startService(directory.path, env);
    const parts = await service.said;
    service.process.kill('SIGKILL');
    await untilGone(parts.api, parts.worker, parts.postgres);
    await using next = startService(directory.path, env);
    expect((await next.said).postgres).not.toBe(parts.postgres);
  });

  test('ends with the error message of a process that cannot start because the port is in use', async () => {
    await using directory = await migratedDirectory();
    const blocker = createServer().listen({ port: 0, host: '127.0.0.1' });
    await once(blocker, 'listening');
    try {
      const { port } = blocker.address() as { port: number };
      await using service = startService(directory.path, { PORT: String(port) });
      expect(await service.ended).toBe(1);
      expect(service.complaints()).toBe(
        `Another program already listens on 127.0.0.1:${port}. Stop it, or set PORT to another port.\n`,
      );
    } finally {
      blocker.close();
    }
  });

  test('logs a defect of a process without the data of the failed query', async () => {
    await using directory = await migratedDirectory();
    await using service = startService(directory.path, { PART_WORKER: 'breaks' });
    await service.said;
    await until(() => service.output().includes('a defect ended the process'));
    expect(service.output()).toMatch(/"level":60,.*"code":"22P02",.*"stack":".*part\.ts/);
    service.process.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    expect(service.output() + service.complaints()).not.toContain('jane');
  });

  test('ends when a process dies three times before it is ready', async () => {
    await using directory = await migratedDirectory();
    await using service = startService(directory.path, { PART_WORKER: 'dies' });
    expect(await service.ended).toBe(1);
    expect(service.complaints()).toContain('The worker process ended 3 times before it was ready');
  });
});

describe('the operator token', () => {
  test('is created once in a file that only its owner can read, or comes from the setting', async () => {
    await using directory = await temporaryDirectory();
    const config = { dataDir: path.join(directory.path, 'data'), adminToken: undefined };
    const made = await Promise.all([loadAdminToken(config), loadAdminToken(config)]);
    expect(made[0].token).toMatch(/^[\w-]{32}$/);
    expect(made[1]).toEqual(made[0]);
    const file = path.join(config.dataDir, 'admin-token');
    expect(made[0].file).toBe(file);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await loadAdminToken(config)).toEqual(made[0]);
    expect(await loadAdminToken({ ...config, adminToken: 'given' })).toEqual({ token: 'given', file: undefined });
    await writeFile(file, 'short\n');
    await expect(loadAdminToken(config)).rejects.toThrow(/at least 32 printable ASCII characters/);
  });
});
