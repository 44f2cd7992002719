import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import * as embeddedPostgres from '../src/index.ts';
import { temporaryDirectory } from './support.ts';

const home = path.join(import.meta.dirname, '..');
const readme = await readFile(path.join(home, 'README.md'), 'utf8');
const examples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text]) => text!);

/** Runs a program in a directory in which the package is installed, like a user would. */
async function run(program: string): Promise<string> {
  await using directory = await temporaryDirectory();
  const modules = path.join(directory.path, 'node_modules');
  await mkdir(path.join(modules, '@roster'), { recursive: true });
  await symlink(home, path.join(modules, '@roster/embedded-postgres'));
  await symlink(path.join(home, '../../node_modules/pg'), path.join(modules, 'pg'));
  const file = path.join(directory.path, 'program.mts');
  await writeFile(file, program);
  return (await promisify(execFile)(process.execPath, [file], { cwd: directory.path })).stdout;
}

test('the first example of the README starts a server and runs a query', async () => {
  expect(await run(examples[0]!)).toBe('[ { answer: 42 } ]\n');
});

test('the example of a throwaway server works', async () => {
  expect(await run(examples[1]!)).toMatch(/^postgres:\/\/postgres:[\w-]+@127\.0\.0\.1:\d+\/postgres\n$/);
});

test('the README names each function and class of the package, and its examples import only existing names', () => {
  for (const name of Object.keys(embeddedPostgres)) expect(readme).toContain(name);
  const imported = examples.flatMap((text) =>
    [...text.matchAll(/import \{ (.*) \} from '@roster\/embedded-postgres'/g)].flatMap(([, names]) =>
      names!.split(', '),
    ),
  );
  expect(Object.keys(embeddedPostgres)).toEqual(expect.arrayContaining(imported));
});

test('the package does not mention a program that uses it', async () => {
  const { stdout } = await promisify(execFile)(
    'git',
    ['grep', '-niE', 'contacts?\\b|roster', '--', 'src', 'README.md'],
    {
      cwd: home,
    },
  ).catch((error: { stdout: string }) => error);
  expect(stdout.split('\n').filter((line) => line !== '' && !line.includes('@roster/embedded-postgres'))).toEqual([]);
});
