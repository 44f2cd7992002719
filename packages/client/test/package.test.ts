import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildPackage, type PackageSize } from '../build/package.ts';
import { startScriptedServer } from './scripted-server.ts';

const run = promisify(execFile);
const bin = path.join(import.meta.dirname, '../../../node_modules/.bin');
let directory: string;
let built: string;
let consumer: string;
let size: PackageSize;

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'roster-client-'));
  built = path.join(directory, 'built');
  size = await buildPackage(built);
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', directory, built], { cwd: directory });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  consumer = path.join(directory, 'consumer');
  await mkdir(consumer);
  await writeFile(path.join(consumer, 'package.json'), JSON.stringify({ name: 'consumer', type: 'module' }));
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', path.join(directory, filename)], {
    cwd: consumer,
  });
}, 120_000);

afterAll(() => rm(directory, { recursive: true, force: true }));

async function compile(file: string, text: string, options: readonly string[]): Promise<string> {
  await writeFile(path.join(consumer, file), text);
  const args = ['--noEmit', '--strict', '--skipLibCheck', 'false', '--target', 'es2022', ...options, file];
  return await run(path.join(bin, 'tsc'), args, { cwd: consumer }).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
}

const nodeLike = ['--module', 'nodenext', '--moduleResolution', 'nodenext', '--types', ''];
const bundlerLike = [
  '--module',
  'esnext',
  '--moduleResolution',
  'bundler',
  '--exactOptionalPropertyTypes',
  '--types',
  '',
];
const lib = ['--lib', 'es2022,dom,dom.iterable,dom.asynciterable'];

describe('the published package', () => {
  test('publint finds no problem in the package', async () => {
    const { messages, pkg } = await publint({ pkgDir: built, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  test('the package contains no module or global of Node, no dependency and no schema', async () => {
    const script = await readFile(path.join(built, 'index.js'), 'utf8');
    expect(script).not.toMatch(/^\s*(import|export)\b.*\bfrom\b/m);
    expect(script).not.toMatch(/node:|\brequire\(|\bprocess\.|\bBuffer\b|\bimport\(/);
    expect(script).not.toMatch(/typebox|x-refuse|maxItems/i);
    const types = await readFile(path.join(built, 'index.d.ts'), 'utf8');
    expect(types).not.toMatch(/^\s*import\b.*\bfrom\b/m);
    const { dependencies } = JSON.parse(await readFile(path.join(built, 'package.json'), 'utf8')) as object & {
      dependencies?: object;
    };
    expect(dependencies).toBeUndefined();
    expect(size.compressedBytes).toBeLessThan(22_500);
  });

  test.each([
    ['Node', nodeLike],
    ['bundlers', bundlerLike],
  ])('a program compiles against the types of the package with the module resolution of %s', async (_, options) => {
    const program = await readFile(path.join(import.meta.dirname, 'consumer.ts'), 'utf8');
    expect(await compile('consumer.ts', program, [...options, ...lib])).toBe('');
  });

  test('the examples in the README compile', async () => {
    const readme = await readFile(path.join(built, 'README.md'), 'utf8');
    const blocks = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, block]) => block);
    expect(blocks).toHaveLength(4);
    const given = `
      declare const process: { env: Record<string, string> };
      declare const [url, token, requestId, exportRequestId]: [string, string, string, string];
      declare const file: object;
      declare const parse: (file: object) => AsyncIterable<[string, string]>;
      declare const createReadStream: (name: string) => AsyncIterable<Uint8Array>;\n`;
    expect(await compile('readme.ts', given + blocks.join('\n'), [...bundlerLike, ...lib])).toBe('');
  });

  test('a program runs with the installed package', async () => {
    await using server = await startScriptedServer(
      { status: 503, headers: { 'retry-after': '0' }, body: {} },
      { status: 200, body: { request_id: 'one', code: 200, status: 'success', description: '' } },
    );
    const program = `
      import { createClient } from '@roster/client';
      const roster = createClient({ url: '${server.url}', apiKey: 'key', retries: { baseDelay: 1 } });
      console.log(JSON.stringify(await roster.contacts.create([{ identity: 'asha@example.com' }])));`;
    await writeFile(path.join(consumer, 'program.js'), program);
    const { stdout } = await run(process.execPath, ['program.js'], { cwd: consumer });
    expect(JSON.parse(stdout)).toEqual({ count: 1, requests: [{ request_id: 'one', first: 0, count: 1 }] });
  });
});
