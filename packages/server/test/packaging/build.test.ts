import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { builtService, buildsDirectory, currentBuild } from '../../src/app/bin/built-service.mts';
import { temporaryDirectory, until } from '../../../embedded-postgres/test/support.ts';
import { guardedEnvironment } from '../support/guarded-environment.ts';

const server = path.join(import.meta.dirname, '../..');
const apiKey = 'api-key-of-the-test-of-the-build';

/** Runs the build like `npm start`. Returns what it prints. */
async function build(): Promise<string> {
  const program = path.join(server, 'build/build.ts');
  const { stderr } = await promisify(execFile)(process.execPath, [program], { env: environment() });
  return stderr;
}

const environment = () => ({ ...guardedEnvironment, PATH: process.env['PATH'] });

/** Lists the command lines of all processes of this machine that contain a text. */
async function commandsWith(text: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return lines.filter((line) => line.includes(text));
}

test('a build is made once for the same sources, also by several processes at the same time', async () => {
  await Promise.all([build(), build()]);
  const program = builtService();
  expect(program).toBe(path.join(currentBuild(), 'service.mjs'));
  const { mtimeMs } = await stat(program!);
  expect(await build()).toBe('');
  expect((await stat(program!)).mtimeMs).toBe(mtimeMs);
  expect((await readdir(buildsDirectory)).filter((name) => name.startsWith('.'))).toEqual([]);
});

test('a new build removes what a killed one left, and keeps those under way', async () => {
  const [killed, running] = ['.build-killed', '.build-running'].map((name) => path.join(buildsDirectory, name));
  for (const directory of [killed!, running!]) await mkdir(directory, { recursive: true });
  await utimes(killed!, 0, 0);
  await rm(currentBuild(), { recursive: true, force: true });
  expect(await build()).toMatch(/^The service was built in/);
  expect((await readdir(buildsDirectory)).filter((name) => name.startsWith('.'))).toEqual(['.build-running']);
  await rm(running!, { recursive: true });
});

test('the files of a build contain only ASCII', async () => {
  await build();
  const files = (await readdir(currentBuild())).map((name) => path.join(currentBuild(), name));
  expect(files.length).toBeGreaterThan(5);
  // oxlint-disable-next-line no-control-regex
  for (const file of files) expect(/[^\0-\x7f]/.test(await readFile(file, 'utf8')), file).toBe(false);
});

test('the service runs from the build: all its processes, threads, pages and files', async () => {
  await build();
  await using directory = await temporaryDirectory();
  const program = path.join(server, 'src/app/bin/roster.ts');
  const child = spawn(process.execPath, [program, 'serve'], {
    env: {
      ...environment(),
      ROSTER_DATA_DIR: path.join(directory.path, 'data'),
      ROSTER_API_KEY: apiKey,
      PORT: '0',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  try {
    let [output, log] = ['', ''];
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
    child.stdout.on('data', (chunk: Buffer) => (log += chunk.toString('utf8')));
    const found = (): string | undefined => /^ +API +(http\S+)$/m.exec(output)?.[1];
    await until(() => found() !== undefined || child.exitCode !== null);
    const url = found()!;
    for (const name of ['api', 'worker']) {
      expect(await commandsWith(path.join(currentBuild(), `${name}.mjs`))).toHaveLength(1);
    }

    const send = (address: string, body: unknown): Promise<Response> =>
      fetch(`${url}/v5${address}`, {
        method: 'POST',
        headers: { 'api-key': apiKey, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    // So large that a thread reads it. The worker stores the contacts.
    const contacts = Array.from({ length: 900 }, (_, n) => ({
      identity: `person.${n}@example.com`,
      attributes: { FIRST_NAME: `Zoë ${n} ${'x'.repeat(200)}` },
    }));
    const created = await send('/contact/create', { data: { contact_type: 'identified', contacts } });
    expect([created.status, await created.text()]).toEqual([200, expect.stringContaining('request_id')]);
    const search = async () => {
      const answer = await send('/contact/search', { output: { get_count: true, fields: ['FIRST_NAME'] } });
      return (await answer.json()) as { count?: number; data?: unknown };
    };
    await until(async () => (await search()).count === 900);
    expect(JSON.stringify((await search()).data)).toContain('Zoë ');

    for (const [address, text] of [
      ['/docs', 'Roster'],
      ['/docs/api', 'contact'],
      ['/openapi.json', 'openapi'],
    ] as const) {
      const answer = await fetch(`${url}${address}`);
      expect([address, answer.status, (await answer.text()).includes(text)]).toEqual([address, 200, true]);
    }
    expect(log).toBe('');
  } finally {
    child.kill('SIGTERM');
  }
  expect(await ended).toEqual([0, null]);
});
