// Makes `npm start` and `npm test` work on a fresh clone, alone. Runs on Node 20 or later and uses nothing but Node itself.
// 1. Installs the dependencies with `npm ci` when they are missing or belong to another lock file.
// 2. Runs the given TypeScript program under the Node 24 that the dependencies bring (or under this Node, if it is 24 or later).
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const modules = path.join(root, 'node_modules');
const stamp = path.join(modules, '.roster-lock');
const lockText = readFileSync(path.join(root, 'package-lock.json'), 'utf8');
const lock = createHash('sha256').update(lockText).digest('hex');
const [program, ...args] = process.argv.slice(2);
// The service and the demonstration run without the development dependencies; tests, benchmarks and generators need them.
const needsDev = !/^packages\/\w+\/src\//.test(program);

const mustInstall = !isInstalled();
if (mustInstall) install();
const node = pinnedNode();
stopWithShell();
process.env.PATH = `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ''}`;

if (!mustInstall && realpathSync(process.execPath) === realpathSync(node)) {
  // npm has put the pinned Node first in PATH, so this is it: no second process, and signals need no relay.
  const file = path.join(root, program);
  process.chdir(root);
  process.argv = [process.execPath, file, ...args];
  await import(pathToFileURL(file).href);
} else {
  const child = spawn(node, [path.join(root, program), ...args], { cwd: root, stdio: 'inherit' });
  // The signal of a terminal reaches the whole process group; one sent to this process alone is passed on.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/**
 * Ends the program when npm is told to stop. npm passes SIGTERM on to the shell that it runs scripts with, and most shells
 * die of it without a word to us: all that shows is that our parent is another process now.
 */
function stopWithShell() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 200);
  watch.unref();
}

/** Whether node_modules holds what the lock file names: by our own mark, or by npm's record of an `npm ci` that was run by hand. */
function isInstalled() {
  try {
    const [installed, kind] = readFileSync(stamp, 'utf8').split(' ');
    if (installed === lock && (kind === 'all' || !needsDev)) return true;
    if (installed === lock) return false;
  } catch {
    // No mark yet.
  }
  try {
    const wanted = JSON.parse(lockText).packages;
    const present = JSON.parse(readFileSync(path.join(modules, '.package-lock.json'), 'utf8')).packages;
    return Object.entries(wanted).every(([place, { version, optional, dev, devOptional, link }]) => {
      if (!place.startsWith('node_modules/')) return true;
      // A package of this repository: npm links to its directory.
      if (link) return existsSync(path.join(root, place));
      const found = present[place];
      // Optional packages are those of other platforms.
      if (found === undefined) return optional || ((dev || devOptional) && !needsDev);
      return found.version === version;
    });
  } catch {
    return false;
  }
}

/** Installs the dependencies, or ends the process with advice. */
function install() {
  console.error('Installing dependencies (npm ci) …');
  // The warnings about engines are expected: npm runs on the machine's Node, the service on the one that is being installed.
  const { status } = spawnSync(
    'npm',
    ['ci', ...(needsDev ? [] : ['--omit=dev']), '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      stdio: ['ignore', 2, 'inherit'],
      shell: process.platform === 'win32',
    },
  );
  if (status !== 0) {
    console.error('npm ci failed. Check that the npm registry can be reached, then try again.');
    process.exit(status ?? 1);
  }
  writeFileSync(stamp, `${lock} ${needsDev ? 'all' : 'production'}`);
}

/** The path of a Node of version 24 or later; ends the process with advice when there is none. */
function pinnedNode() {
  const installed = path.join(modules, `node-${process.platform}-${process.arch}`, 'bin', 'node');
  if (existsSync(installed)) return installed;
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  console.error(
    `Roster needs Node 24, and there is no packaged one for ${process.platform}-${process.arch}. ` +
      `This is Node ${process.versions.node}. Install Node 24 or later from nodejs.org and try again.`,
  );
  process.exit(1);
}
