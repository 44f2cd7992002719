import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
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

/** What the parts have noted in the database of a service that has ended. */
async function notes(dataDir: string): Promise<string[]> {
  await using server = await startEmbeddedPostgres({ dataDir, log: silent, settings: quick });
  const rows = await query(server.url, `select role || ' ' || event as note from notes order by id`);
  return rows.map(({ note }) => String(note));
}

/** Waits until the parts of a service are gone. */
const untilGone = (...pids: number[]): Promise<void> =>
  until(async () => (await Promise.all(pids.map(lives))).every((isAlive) => !isAlive));

describe('the supervisor', () => {
  test('starts again whatever dies, and relays the metrics of the worker', async () => {
    await using directory = await temporaryDirectory();
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

  test('Ctrl-C in a terminal, which reaches every process at once, stops the parts in their order', async () => {
    await using directory = await temporaryDirectory();
    await using service = startService(directory.path);
    const parts = await service.said;
    // The group of the service, as a terminal does it: runProgram gave it one of its own.
    process.kill(-service.pid, 'SIGINT');
    expect(await service.ended).toBe(0);
    await untilGone(parts.api, parts.worker, parts.postgres);
    expect((await notes(directory.path)).slice(-2)).toEqual(['api stopped', 'worker stopped']);
  });

  test('SIGTERM to the whole group stops the parts, and starts none of them again', async () => {
    await using directory = await temporaryDirectory();
    // The API waits for the worker, which has its own signal and so ends while the service still waits for the API.
    await using service = startService(directory.path, { PART_API: 'ends-last', SUPERVISOR_LOG: 'error' });
    const parts = await service.said;
    process.kill(-service.pid, 'SIGTERM');
    expect(await service.ended).toBe(0);
    await untilGone(parts.api, parts.worker, parts.postgres);
    expect(service.output()).not.toContain('restarting');
    expect((await notes(directory.path)).slice(2)).toEqual(['worker stopped', 'api stopped']);
  });

  test('a part that hangs when it is to stop is killed in time', async () => {
    await using directory = await temporaryDirectory();
    await using service = startService(directory.path, { PART_API: 'hangs' });
    const parts = await service.said;
    const began = performance.now();
    service.process.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    expect(performance.now() - began).toBeLessThan(15_000);
    await untilGone(parts.api, parts.worker, parts.postgres);
  });

  test('that is killed takes its parts along, which have nothing left to write, and the next service goes on', async () => {
    await using directory = await temporaryDirectory();
    const compiled = path.join(directory.path, 'compiled');
    const env = { PORT: String(await freePort()), NODE_COMPILE_CACHE: compiled };
    await using service = startService(directory.path, env);
    const parts = await service.said;
    const written = await readdir(compiled, { recursive: true });
    expect(written).not.toEqual([]);
    service.process.kill('SIGKILL');
    await untilGone(parts.api, parts.worker, parts.postgres);
    expect(await readdir(compiled, { recursive: true })).toEqual(written);
    await using next = startService(directory.path, env);
    expect((await next.said).postgres).not.toBe(parts.postgres);
  });

  test('ends with the message of a part that cannot start: a port that is taken', async () => {
    await using directory = await temporaryDirectory();
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

  test('reports a defect of a part without the data that it was about', async () => {
    await using directory = await temporaryDirectory();
    await using service = startService(directory.path, { PART_WORKER: 'breaks' });
    await service.said;
    await until(() => service.output().includes('a defect ended the process'));
    expect(service.output()).toMatch(/"level":60,.*"code":"22P02",.*"stack":".*part\.ts/);
    service.process.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    expect(service.output() + service.complaints()).not.toContain('jane');
  });

  test('gives up on a part that keeps dying before it was ever ready', async () => {
    await using directory = await temporaryDirectory();
    await using service = startService(directory.path, { PART_WORKER: 'dies' });
    expect(await service.ended).toBe(1);
    expect(service.complaints()).toContain('The worker process ended 3 times before it was ready');
  });
});

describe('the operator token', () => {
  test('is made once, readable by the owner only, and can be given', async () => {
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
