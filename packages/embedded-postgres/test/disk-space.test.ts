import { mkdir, mkdtempDisposable, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { sizeOfFiles } from '../src/machine/disk-space.ts';

test('the size of a directory counts files in all directories below', async () => {
  await using temporary = await mkdtempDisposable(path.join(os.tmpdir(), 'disk-space-'));
  await mkdir(path.join(temporary.path, '5', 'pgsql_tmp'), { recursive: true });
  await writeFile(path.join(temporary.path, '5', '1259'), 'x'.repeat(100));
  await writeFile(path.join(temporary.path, '5', 'pgsql_tmp', '1'), 'x'.repeat(20));
  expect(await sizeOfFiles(temporary.path)).toBe(120);
});

test('the size of a directory is known while another process deletes files in it', async () => {
  await using temporary = await mkdtempDisposable(path.join(os.tmpdir(), 'disk-space-'));
  await writeFile(path.join(temporary.path, 'kept'), 'x'.repeat(100));
  const files = Array.from({ length: 50 }, (_, number) => path.join(temporary.path, `base`, String(number), 'file'));
  for (let run = 0; run < 20; run++) {
    await Promise.all(files.map((file) => mkdir(path.dirname(file), { recursive: true })));
    await Promise.all(files.map((file) => writeFile(file, '')));
    const deleted = rm(path.join(temporary.path, 'base'), { recursive: true });
    expect(await sizeOfFiles(temporary.path)).toBe(100);
    await deleted;
  }
});
