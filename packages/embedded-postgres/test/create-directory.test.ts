import { mkdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { prepareDirectory } from '../src/index.ts';
import { createDirectory } from '../src/machine/create-directory.ts';
import { temporaryDirectory } from './support.ts';

test('a directory is created with its missing parents and the mode, also twice and at the same time', async () => {
  await using directory = await temporaryDirectory();
  const wanted = path.join(directory.path, 'a', 'b', 'c');
  await Promise.all([createDirectory(wanted, 0o700), createDirectory(wanted, 0o700), createDirectory(wanted, 0o700)]);
  await createDirectory(wanted, 0o700);
  for (const one of [wanted, path.dirname(wanted)]) expect((await stat(one)).mode & 0o777).toBe(0o700);
});

test('a file or a broken link in the path is an error that names it', async () => {
  await using directory = await temporaryDirectory();
  const [file, link] = [path.join(directory.path, 'file'), path.join(directory.path, 'link')];
  await writeFile(file, '');
  await symlink(path.join(directory.path, 'missing'), link);
  await expect(createDirectory(file)).rejects.toMatchObject({ code: 'EEXIST', path: file });
  await expect(createDirectory(path.join(file, 'a'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  await expect(createDirectory(path.join(link, 'a'))).rejects.toMatchObject({ code: 'EEXIST', path: link });
  await mkdir(path.join(directory.path, 'missing'));
  await createDirectory(path.join(link, 'a'));
  await rm(link);
});

// With the `recursive` option of Node, these calls never end.
test.runIf(process.platform === 'linux')('a file system that allows no directories is an error', async () => {
  const message = `ENOENT: the file system does not let a directory be created, mkdir '/proc/roster'`;
  await expect(createDirectory('/proc/roster')).rejects.toMatchObject({ code: 'ENOENT', message });
  await expect(createDirectory('/proc/roster/a/b')).rejects.toMatchObject({ code: 'ENOENT', message });
  await expect(prepareDirectory('/proc/roster/data')).rejects.toMatchObject({
    code: 'data-directory-unusable',
    message: expect.stringContaining('its file system does not allow new directories there') as string,
  });
});
