import { mkdtempDisposable, readdir, realpath, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { NamedFinding } from '#app/cli/doctor/findings/finding.ts';
import { testAdminToken } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';
import { listening } from '../support/listening.ts';
import { guardedEnvironment } from '../support/guarded-environment.ts';
import { startTestService } from '../support/service.ts';

const root = path.join(import.meta.dirname, '../../../..');

const own = await forFile(mkdtempDisposable(path.join(os.tmpdir(), 'roster-elsewhere-')));
const directory = await realpath(own.path);
const service = await forFile(startTestService({ worker: false }));

/** Runs the program in an empty directory. A program that never ends is killed. */
async function roster(args: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [path.join(root, 'packages/server/src/app/bin/roster.ts'), ...args], {
    cwd: directory,
    env: { ...guardedEnvironment, PATH: process.env['PATH'], ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 20_000,
    killSignal: 'SIGKILL',
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { ended: code ?? signal, stdout, stderr };
}

test.runIf(process.platform === 'linux')(
  'a backup to a file system that allows no directories ends with an error',
  async () => {
    const { ended, stderr } = await roster(['backup', '--to', '/proc/roster'], {
      DATABASE_URL: service.context.config.databaseUrl!,
    });
    expect([ended, stderr]).toEqual([
      1,
      '/proc/roster cannot be used: its file system does not allow new directories there. Use another directory.\n',
    ]);
  },
);

describe('in another directory than that of the service', () => {
  test('a command names the token file that is missing, and says how to find the right one', async () => {
    const { ended, stderr } = await roster(['accounts', 'list']);
    expect(ended).toBe(2);
    expect(stderr).toContain(
      `There is no operator token: ${path.join(directory, 'data', 'admin-token')} does not exist.`,
    );
    expect(stderr).toContain('run the command in the directory of the service, or set ROSTER_DATA_DIR');
  });

  test('the token file is used for --url only if that is the service on this machine', async () => {
    await using data = await mkdtempDisposable(path.join(os.tmpdir(), 'roster-token-'));
    await writeFile(path.join(data.path, 'admin-token'), testAdminToken);
    const { port, host } = new URL(await listening(service));
    const here = { PORT: port, HOST: '127.0.0.1', ROSTER_DATA_DIR: data.path };
    const listed = await roster(['accounts', 'list', '--url', `http://${host}/`, '--json'], here);
    expect([listed.ended, listed.stderr]).toEqual([0, '']);
    for (const other of [`http://localhost:${port}`, `https://${host}`, 'http://127.0.0.1:1', 'nonsense']) {
      const refused = await roster(['accounts', 'list', '--url', other], here);
      expect([refused.ended, refused.stdout], other).toEqual([2, '']);
    }
  });

  test('doctor creates nothing', async () => {
    const { stdout } = await roster(['doctor', '--json'], { DATABASE_URL: service.context.config.databaseUrl! });
    const { findings } = JSON.parse(stdout) as { findings: NamedFinding[] };
    const store = findings.find(({ check }) => check === 'export store');
    expect(store).toMatchObject({
      severity: 'note',
      message: expect.stringContaining('creates the directory') as string,
    });
    expect(await readdir(directory)).toEqual([]);
  });
});
