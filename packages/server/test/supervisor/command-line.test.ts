import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { freePort } from '@roster/embedded-postgres';
import { startEmbeddedPostgres } from '../../src/platform/database/embedded-postgres.ts';
import { query, quick, silent, temporaryDirectory, until } from '../../../embedded-postgres/test/support.ts';
import { guardedEnvironment } from '../support/guarded-environment.ts';
import { migratedDirectory } from '../support/migrated-directory.ts';

interface Command extends AsyncDisposable {
  readonly stderr: () => string;
  readonly ended: Promise<number | string>;
  readonly stop: (signal: NodeJS.Signals) => Promise<number | string>;
  /** Waits for a label on standard error, and returns the text after it. */
  readonly shown: (label: string) => Promise<string>;
}

/** Runs the command line with a separate environment. */
function roster(args: readonly string[], env: Record<string, string>): Command {
  const program = path.join(import.meta.dirname, '..', '..', 'src', 'app', 'bin', 'roster.ts');
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...guardedEnvironment, PATH: process.env['PATH'], LOG_LEVEL: 'warn', PORT: '0', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string);
  const stop = (signal: NodeJS.Signals): Promise<number | string> => {
    child.kill(signal);
    return ended;
  };
  const find = (label: string): string | undefined => new RegExp(`^ +${label} +(.+)$`, 'm').exec(stderr)?.[1];
  return {
    stderr: () => stderr,
    ended,
    stop,
    shown: async (label) => {
      await until(() => find(label) !== undefined || child.exitCode !== null);
      return find(label) ?? `nothing: ${stderr}`;
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) await stop('SIGTERM');
    },
  };
}

describe('roster serve', () => {
  test('prints the URLs, prints the API key only at the first start, and ends with 0 on SIGTERM', async () => {
    await using directory = await temporaryDirectory();
    const env = { ROSTER_DATA_DIR: path.join(directory.path, 'data') };
    {
      await using service = roster(['serve'], env);
      const url = await service.shown('API');
      expect(await service.shown('Docs')).toBe(`${url}/docs`);
      expect(await service.shown('Operator')).toBe(`token in ${path.join(env.ROSTER_DATA_DIR, 'admin-token')}`);
      expect([await service.shown('Account'), await service.shown('List')]).toEqual(['1', '1']);
      expect(await service.shown('API key')).toMatch(/^\S{16,}$/);
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
      const token = (await readFile(path.join(env.ROSTER_DATA_DIR, 'admin-token'), 'utf8')).trim();
      const operator = await fetch(`${url}/admin/v1/accounts`, { headers: { authorization: `Bearer ${token}` } });
      expect(operator.status).toBe(200);
      expect(await service.stop('SIGTERM')).toBe(0);
    }
    await using again = roster(['serve'], env);
    await again.shown('Operator');
    expect(again.stderr()).not.toContain('API key');
    expect(await again.stop('SIGINT')).toBe(0);
  });

  test('creates no account while the port is in use, and prints the API key when the port is free', async () => {
    await using directory = await migratedDirectory();
    const blocker = createServer().listen({ port: 0, host: '127.0.0.1' });
    await once(blocker, 'listening');
    const env = { ROSTER_DATA_DIR: directory.path, PORT: String((blocker.address() as { port: number }).port) };
    try {
      await using service = roster(['serve'], env);
      expect(await service.ended).toBe(1);
      expect(service.stderr()).toBe(
        `Another program already listens on 127.0.0.1:${env.PORT}. Stop it, or set PORT to another port.\n`,
      );
    } finally {
      blocker.close();
    }
    await using again = roster(['serve'], env);
    expect(await again.shown('API key')).toMatch(/^\S{16,}$/);
    expect(await again.stop('SIGTERM')).toBe(0);
  });

  test('runs the API and the worker as separate processes on the database of DATABASE_URL', async () => {
    await using directory = await migratedDirectory();
    await using server = await startEmbeddedPostgres({ dataDir: directory.path, log: silent, settings: quick });
    const env = { ROSTER_DATA_DIR: path.join(directory.path, 'data'), DATABASE_URL: server.url };
    const ports = [await freePort(), await freePort()].map(String);
    await using api = roster(['serve'], { ...env, ROSTER_ROLE: 'api', PORT: ports[1]! });
    expect(await api.shown('API key')).toMatch(/^\S{16,}$/);
    // The API creates the partitions of the coming days itself, before any worker runs.
    const days = `select from pg_inherits where inhparent = 'requests'::regclass`;
    await until(async () => (await query(server.url, days)).length > 8, 20_000);
    await using worker = roster(['serve'], { ...env, ROSTER_ROLE: 'worker', PORT: ports[0]! });
    // Wait until both are ready. Before that, a signal ends them with another exit code.
    for (const port of ports) {
      await until(() =>
        fetch(`http://127.0.0.1:${port}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      );
    }
    expect(await api.stop('SIGTERM')).toBe(0);
    expect(await worker.stop('SIGTERM')).toBe(0);

    // A start that can open more connections than the server permits is refused.
    for (const [role, wanted] of [
      ['worker', 250],
      ['all', 291],
    ] as const) {
      const settings = { ROSTER_ROLE: role, ROSTER_DATABASE_POOL_SIZE: '40', ROSTER_WORKER_LOOPS: '64' };
      await using greedy = roster(['serve'], { ...env, ...settings, PORT: ports[0]! });
      expect(await greedy.ended).toBe(1);
      expect(greedy.stderr()).toBe(
        `With ROSTER_DATABASE_POOL_SIZE=40 and ROSTER_WORKER_LOOPS=64, the service can open ${wanted} connections, but the database server permits 197. Lower these settings, or raise max_connections on the server, or the connection limit of the role or the database.\n`,
      );
    }

    // Another process prepares the database for the supervisor, which shows its failure.
    await query(server.url, `insert into kysely_migration values ('9999_later', now()::text)`);
    await using older = roster(['serve'], { ...env, PORT: ports[0]! });
    expect(await older.ended).toBe(1);
    expect(older.stderr()).toMatch(/^A newer version of Roster made the database \(migration 9999_later\)\./);
    expect(older.stderr()).not.toMatch(/^ +at /m);
  });
});

describe('the exit code of the command line', () => {
  test('is 2 for wrong usage or settings and 1 for failures, with a message and without a stack trace', async () => {
    const run = async (args: string[], env: Record<string, string> = {}): Promise<[number | string, string]> => {
      await using command = roster(args, env);
      return [await command.ended, command.stderr()];
    };
    const results = await Promise.all([
      run([]),
      run(['--help']),
      run(['nothing']),
      run(['serve', '--nothing']),
      run(['serve'], { PORT: 'http', ROSTER_ROLE: 'none' }),
      run(['migrate'], { DATABASE_URL: 'postgres://user:passphrase@127.0.0.1:1/roster' }),
      run(['migrate'], { ROSTER_DATA_DIR: '/dev/null' }),
      run(['serve'], {
        DATABASE_URL: 'postgres://user:passphrase@127.0.0.1:1/roster',
        ROSTER_ADMIN_TOKEN: 't'.repeat(32),
      }),
      run(['serve'], { ROSTER_DATA_DIR: '/dev/null' }),
    ]);
    expect(results.map(([code]) => code)).toEqual([2, 0, 2, 2, 2, 1, 1, 1, 1]);
    expect(results[7]?.[1]).toBe(results[5]?.[1]);
    expect(results[8]?.[1]).toBe(results[6]?.[1]);
    expect(results[4]?.[1]).toMatch(/PORT must be an integer.*\n.*ROSTER_ROLE must be one of/);
    expect(results[5]?.[1]).toMatch(/^The database cannot be used: connect ECONNREFUSED 127.0.0.1:1\./);
    expect(results[6]?.[1]).toMatch(
      /^The data directory \/dev\/null cannot be used: it, or a part of its path, is not a directory\./,
    );
    for (const [, text] of results) expect(text).not.toMatch(/passphrase|^ +at /m);
  });
});
