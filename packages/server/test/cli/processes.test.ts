import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testAdminToken } from '../support/context.ts';
import { listening } from '../support/listening.ts';
import { startTestService, type TestService } from '../support/service.ts';

const root = path.join(import.meta.dirname, '../../../..');
const program = 'packages/server/src/bin/roster.ts';

let service: TestService;
let env: Record<string, string | undefined>;
beforeAll(async () => {
  service = await startTestService({ worker: false });
  env = { PATH: process.env['PATH'], ROSTER_URL: await listening(service), ROSTER_ADMIN_TOKEN: testAdminToken };
});
afterAll(() => service[Symbol.asyncDispose]());

/** Runs the program as a shell would; `reads` false closes the pipe of its output before anything is in it. */
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

describe('the program', () => {
  test('takes the place and the credential from the environment, also as npm run starts it', async () => {
    const direct = await run([program, 'accounts', 'list', '--json']);
    expect(direct).toMatchObject({ ended: 0, stderr: '' });
    expect(JSON.parse(direct.stdout)).toMatchObject([{ account_id: 1 }]);
    expect(await run(['scripts/bootstrap.mjs', program, 'accounts', 'list', '--json'])).toEqual(direct);
  });

  test('ends quietly when nobody reads its output', async () => {
    for (const args of [['accounts', 'list'], ['--help'], ['export', '--help']]) {
      expect(await run([program, ...args], { reads: false })).toMatchObject({ ended: 0, stderr: '' });
    }
  });

  test('gives its exit code to the shell', async () => {
    const refused = await run([program, 'accounts', 'show', '7']);
    expect(refused).toMatchObject({ ended: 3, stdout: '', stderr: 'There is no account 7\n' });
    const nowhere = await run([program, 'accounts', 'list'], { more: { ROSTER_URL: 'http://127.0.0.1:1' } });
    expect(nowhere.ended).toBe(4);
  });

  test('completes commands and options, and writes the completion of each shell', async () => {
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
