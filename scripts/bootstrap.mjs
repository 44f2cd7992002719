// Makes `npm start` and `npm test` work on a fresh clone, alone. Runs on Node 20 or later and uses nothing but Node itself.
// 1. Installs the dependencies with `npm ci` when they are missing or belong to another lock file.
// 2. Runs the given TypeScript program under the Node 24 that the dependencies bring (or under this Node, if it is 24 or later).
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const stamp = path.join(root, 'node_modules', '.roster-lock');
const lock = createHash('sha256')
  .update(readFileSync(path.join(root, 'package-lock.json')))
  .digest('hex');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
  console.error('Installing dependencies (npm ci) …');
  // The warnings about engines are expected: npm runs on the machine's Node, the service on the one that is being installed.
  const install = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 'inherit'],
    shell: process.platform === 'win32',
  });
  if (install.status !== 0) {
    console.error('npm ci failed. Check that the npm registry can be reached, then try again.');
    process.exit(install.status ?? 1);
  }
  writeFileSync(stamp, lock);
}

const node = pinnedNode();
const [program, ...args] = process.argv.slice(2);
const child = spawn(node, ['--disable-warning=ExperimentalWarning', path.join(root, program), ...args], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ''}` },
});
// The signal of a terminal reaches the whole process group; one sent to this process alone is passed on.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => {
  if (signal === null) process.exit(code ?? 1);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});

/** The path of a Node of version 24 or later; ends the process with advice when there is none. */
function pinnedNode() {
  const installed = path.join(root, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  if (existsSync(installed)) return installed;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  console.error(
    `Roster needs Node 24, and there is no packaged one for ${process.platform}-${process.arch}. ` +
      `This is Node ${process.versions.node}. Install Node 24 or later from nodejs.org and try again.`,
  );
  process.exit(1);
}
