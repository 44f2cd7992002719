import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const root = path.dirname(import.meta.dirname);

test('the bootstrap installs again when node_modules lacks the link of a new workspace package', async () => {
  const project = await mkdtemp(path.join(os.tmpdir(), 'roster-bootstrap-'));
  try {
    const write = async (file: string, text: string): Promise<void> => {
      await mkdir(path.dirname(path.join(project, file)), { recursive: true });
      await writeFile(path.join(project, file), text);
    };
    for (const file of ['scripts/bootstrap.mjs', '.npmrc']) await cp(path.join(root, file), path.join(project, file));
    const top = { name: 'top', workspaces: ['packages/*'] };
    await write('package.json', JSON.stringify(top));
    const packages: Record<string, object> = { '': top };
    for (const name of ['old', 'new']) {
      const content = { name, version: '1.0.0', type: 'module', exports: './src/index.ts' };
      await write(`packages/${name}/package.json`, JSON.stringify(content));
      packages[`packages/${name}`] = { name, version: '1.0.0' };
      packages[`node_modules/${name}`] = { resolved: `packages/${name}`, link: true };
    }
    await write('packages/new/src/index.ts', `export const word: string = 'found';\n`);
    await write('packages/old/src/main.ts', `import { word } from 'new';\nprocess.stdout.write(word);\n`);
    await write('package-lock.json', JSON.stringify({ name: 'top', lockfileVersion: 3, requires: true, packages }));
    // An earlier `npm ci`, before the package was added.
    await write('node_modules/.package-lock.json', JSON.stringify({ lockfileVersion: 3, packages: {} }));

    const { stdout } = await promisify(execFile)(
      process.execPath,
      [path.join(project, 'scripts/bootstrap.mjs'), 'packages/old/src/main.ts'],
      { cwd: project },
    );
    expect(stdout).toBe('found');
  } finally {
    await rm(project, { recursive: true, force: true });
  }
});
