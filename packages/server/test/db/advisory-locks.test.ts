import { glob, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { advisoryLocks } from '#platform/database/statements/advisory-locks.ts';

const sources = new URL('../../src/', import.meta.url);

test('no two parts of the service use the same advisory lock', () => {
  const numbers = Object.values(advisoryLocks);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test('every advisory lock is taken by its name in the table of locks', async () => {
  const taking: string[] = [];
  for await (const file of glob('**/*.ts', { cwd: sources })) {
    const text = await readFile(new URL(file, sources), 'utf8');
    if (!/\bpg_(try_)?advisory_(xact_)?lock/.test(text)) continue;
    taking.push(file);
    expect(text, file).toContain('advisoryLocks.');
    expect(text, file).not.toMatch(/\b70\d\d\b/);
  }
  expect(taking).toContain('pipeline/queue/lane.ts');
});
