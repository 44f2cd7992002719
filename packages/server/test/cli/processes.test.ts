import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { copyFile, mkdtempDisposable, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { testAdminToken } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';
import { listening } from '../support/listening.ts';
import { startTestService } from '../support/service.ts';
import { guardedEnvironment } from '../support/guarded-environment.ts';

const root = path.join(import.meta.dirname, '../../../..');
const program = 'packages/server/src/app/bin/roster.ts';

const { path: directory } = await forFile(mkdtempDisposable(path.join(os.tmpdir(), 'roster-program-')));
const service = await forFile(startTestService({ worker: false, config: { dataDir: directory } }));
const env: Record<string, string | undefined> = {
  ...guardedEnvironment,
  PATH: process.env['PATH'],
  ROSTER_URL: await listening(service),
  ROSTER_ADMIN_TOKEN: testAdminToken,
};

/**
 * Runs the program like a shell does. With `reads: false`, its standard output is closed before the
 * program writes.
 */
async function run(args: readonly string[], { reads = true, more = {} }: { reads?: boolean; more?: object } = {}) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  if (reads) child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
  else child.stdout.destroy();
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { ended: code ?? signal, stdout, stderr };
}

describe('the program `roster`', () => {
  test('an old Node prints what to do when it starts the program directly', async () => {
    // Uses an old Node if this machine has one. Otherwise this Node pretends to be old.
    const found = spawnSync('/usr/bin/node', ['--version'], { encoding: 'utf8' }).stdout ?? '';
    const old = /^v(?:20|22)\./.test(found) ? '/usr/bin/node' : undefined;
    const pretend = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });";
    const args = old === undefined ? ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`] : [];
    const got = spawnSync(old ?? process.execPath, [...args, program, 'accounts', 'list'], {
      cwd: root,
      encoding: 'utf8',
      // NODE_OPTIONS is left out, because an old Node may not know its options.
      env: { PATH: process.env['PATH'] },
    });
    expect(got).toMatchObject({ status: 2, stdout: '' });
    expect(got.stderr).toMatch(/^Roster needs Node 24 or later; this is Node 2\d\.[\d.]+\. Use `npm run [^`]+`.*\n$/);
    // An old Node reads the file as plain JavaScript, so the syntax must be valid.
    const copy = path.join(directory, 'roster.cjs');
    await copyFile(path.join(root, program), copy);
    expect(spawnSync(process.execPath, ['--check', copy]).status).toBe(0);
  });

  test('the URL and the token come from the environment, also when npm starts the program', async () => {
    const direct = await run([program, 'accounts', 'list', '--json']);
    expect(direct).toMatchObject({ ended: 0, stderr: '' });
    expect(JSON.parse(direct.stdout)).toMatchObject([{ account_id: 1 }]);
    expect(await run(['scripts/bootstrap.mjs', program, 'accounts', 'list', '--json'])).toEqual(direct);
  });

  test('the program exits quietly when its output is closed', async () => {
    for (const args of [['accounts', 'list'], ['--help'], ['export', '--help']]) {
      expect(await run([program, ...args], { reads: false })).toMatchObject({ ended: 0, stderr: '' });
    }
  });

  test('the program returns its exit code to the shell', async () => {
    const refused = await run([program, 'accounts', 'show', '7']);
    expect(refused).toMatchObject({ ended: 3, stdout: '', stderr: 'There is no account 7\n' });
    const nowhere = await run([program, 'accounts', 'list'], { more: { ROSTER_URL: 'http://127.0.0.1:1' } });
    expect(nowhere.ended).toBe(4);
  });

  test('Ctrl-C ends the program with 130 and prints how to continue', async () => {
    const file = path.join(directory, 'people.csv');
    await writeFile(file, 'EMAIL\nasha@example.com\n');
    // No jobs run here, so the import does not end and the command waits.
    const child = spawn(process.execPath, [program, 'import', file], {
      cwd: root,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
    const ended = once(child, 'close');
    // The command waits after its first request for the state of the import.
    const asked = Promise.withResolvers<string>();
    service.app.server.on('request', ({ method, url }: IncomingMessage) => {
      const id = /\/imports\/([0-9a-f-]{36})$/.exec(url ?? '')?.[1];
      if (method === 'GET' && id !== undefined) asked.resolve(id);
    });
    const importId = await asked.promise;
    child.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
    expect(stderr).toBe(
      `The import continues in the service. To wait for it again:\n  roster import --account 1 --resume ${importId}\nInterrupted.\n`,
    );
  });

  test('the program completes commands and options, and prints a completion script for each shell', async () => {
    const words = async (...typed: string[]) =>
      (await run([program, 'complete', '--', ...typed])).stdout.split('\n').map((line) => line.split('\t')[0]);
    expect(await words('')).toEqual(expect.arrayContaining(['serve', 'keys', 'lists', 'export', 'doctor']));
    expect(await words('lists', '')).toEqual(expect.arrayContaining(['create', 'rename', 'delete']));
    expect(await words('export', '--li')).toContain('--list');
    expect(await words('export', '--blocklist', '')).toEqual(expect.arrayContaining(['email', 'mobile']));
    for (const shell of ['bash', 'zsh', 'fish']) {
      expect((await run([program, 'complete', shell])).stdout).toMatch(/roster complete --/);
    }
  });
});
