// Makes `npm start` and `npm test` work in a fresh clone. Runs on Node 20 or later, without
// dependencies.
// 1. Installs the dependencies with `npm ci` if they are missing or belong to another lock file.
// 2. Runs the given TypeScript program with the Node 24 of the dependencies (or with this Node, if
//    there is none and this one is 24 or later).
// 3. If a service is started, first builds it, and meanwhile the web console, unless the builds are
//    those of the sources. The service does not wait for the console. Benchmarks also build it.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const modules = path.join(root, 'node_modules');
const stamp = path.join(modules, '.roster-lock');
const lockText = readFileSync(path.join(root, 'package-lock.json'), 'utf8');
const lock = createHash('sha256').update(lockText).digest('hex');
const [program, ...args] = process.argv.slice(2);
const isRoster = program.endsWith('/roster.ts');
// The service and the demo need no development dependencies. Tests, benchmarks and generators do.
const needsDev = !/^packages\/\w+\/src\//.test(program);

const mustInstall = !isInstalled();
if (mustInstall) install();
const node = pinnedNode();
stopWithShell();
process.env.PATH = `${path.dirname(node)}${path.delimiter}${process.env.PATH ?? ''}`;

// npm puts the pinned Node first in PATH. Then no second process is needed.
const isPinned = !mustInstall && realpathSync(process.execPath) === realpathSync(node);
if (startsService()) build('packages/console/build/build.ts').unref();
if (program.startsWith('bench/') || startsService()) await buildService();

if (isPinned) {
  const file = path.join(root, program);
  process.chdir(root);
  process.argv = [process.execPath, file, ...args];
  await import(pathToFileURL(file).href);
} else {
  const child = spawn(node, [path.join(root, program), ...args], { cwd: root, stdio: 'inherit' });
  // A terminal signals the whole process group. Pass on a signal that only this process got.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** Returns whether the program starts a service. */
function startsService() {
  return isRoster ? args[0] === 'serve' : program === 'packages/demo/src/main.ts';
}

/** Builds the service, unless the build of the present sources exists. */
async function buildService() {
  if (isPinned) {
    // Without the cache of compiled code, this process would keep the type stripper of Node.
    process.env.NODE_COMPILE_CACHE ??= path.join(modules, '.cache/roster');
    module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
    const { builtService } = await import('../packages/server/src/app/bin/built-service.mts');
    if (builtService() !== undefined) return;
  }
  await once(build('packages/server/build/build.ts'), 'exit');
}

/** Runs the program of a build, which does nothing if the build is current. It prints its errors. */
function build(file) {
  return spawn(node, [path.join(root, file)], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}

/**
 * Ends the program when npm is told to stop. npm passes SIGTERM to the shell that runs the script.
 * Most shells die without passing it on. Then this process only gets another parent.
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

/**
 * Returns whether node_modules matches the lock file: by our own stamp, or by npm's record of an
 * `npm ci` that was run by hand.
 */
function isInstalled() {
  try {
    const [installed, kind] = readFileSync(stamp, 'utf8').split(' ');
    if (installed === lock && (kind === 'all' || !needsDev)) return true;
    if (installed === lock) return false;
  } catch {
    // There is no stamp yet.
  }
  try {
    const wanted = JSON.parse(lockText).packages;
    const present = JSON.parse(readFileSync(path.join(modules, '.package-lock.json'), 'utf8')).packages;
    return Object.entries(wanted).every(([place, { version, optional, dev, devOptional, link }]) => {
      if (!place.startsWith('node_modules/')) return true;
      // npm links packages of this repository to their directories.
      if (link) return existsSync(path.join(root, place));
      const found = present[place];
      // Missing optional packages are for other platforms.
      if (found === undefined) return optional || ((dev || devOptional) && !needsDev);
      return found.version === version;
    });
  } catch {
    return false;
  }
}

/** Installs the dependencies. Ends the process with advice if that fails. */
function install() {
  console.error('Installing dependencies (npm ci) …');
  // npm runs on the machine's Node, so hide its warnings that the service needs Node 24.
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

/** Returns the path of Node 24 or later. Ends the process with advice if there is none. */
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
