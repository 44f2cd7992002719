/**
 * Measures the memory of the idle service: `npm start` on an empty data directory, and a minute
 * without a request. Shows the proportional set size (PSS) of each process of the tree: private
 * pages, and an equal share of each page that several processes use.
 *
 * Other Node processes on the machine share the pages of the program, so the sum is smaller with
 * them. The last line counts these pages in full.
 *
 * `npm run bench:memory -- [--seconds 60]`
 */
import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const { values: options } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } });
const root = path.dirname(import.meta.dirname);
const port = 20_000 + Math.floor(Math.random() * 20_000);
const dataDir = await mkdtemp(path.join(os.tmpdir(), 'roster-memory-'));
// If root starts it, PostgreSQL runs as another user, who must have access to the directory.
await chmod(dataDir, 0o711);
const npm = spawn('npm', ['start'], {
  cwd: root,
  env: { ...process.env, PORT: String(port), ROSTER_DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
  stdio: 'ignore',
});
const ended = new Promise((resolve) => npm.once('exit', resolve));
while (!(await isReady())) {
  if (npm.exitCode !== null) throw new Error('the service ended');
  await sleep(50);
}
await sleep(Number(options.seconds) * 1000);
const tree = await processTree(npm.pid!);
const rows = await Promise.all(tree.map(async (pid) => ({ name: await nameOf(pid), ...(await memoryOf(pid)) })));
const sum = (part: typeof rows): string => part.reduce((total, { pss }) => total + pss, 0).toFixed(0);
for (const { name, pss, own } of rows) {
  console.log(`${name.padEnd(60)} ${pss.toFixed(1).padStart(7)} MiB, ${own.toFixed(1).padStart(6)} private`);
}
const launchers = rows.filter(({ name }) => /^(npm|sh) /.test(name));
const postgres = rows.filter(({ name }) => name.startsWith('postgres'));
console.log(`PostgreSQL ${sum(postgres)} MiB; npm and its shell ${sum(launchers)} MiB`);
const service = rows.filter((row) => !launchers.includes(row));
console.log(`the service without npm: ${sum(service)} MiB`);
const nodes = service.filter(({ name }) => name.startsWith('node'));
const program = Math.max(...nodes.map(({ file }) => file));
const shares = nodes.reduce((total, { pss, own }) => total + pss - own, 0);
console.log(`with all pages of the program of Node: ${(Number(sum(service)) - shares + program).toFixed(0)} MiB`);
npm.kill('SIGTERM');
await ended;
while (await isReady()) await sleep(50);
await sleep(1000);
await rm(dataDir, { recursive: true, force: true });

async function isReady(): Promise<boolean> {
  return (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.status === 200;
}

/** Returns a process and all that it has started, directly or not. */
async function processTree(first: number): Promise<number[]> {
  const children = new Map<number, number[]>();
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
    const parent = Number(/^\d+ \(.*\) \S (\d+)/s.exec(stat)?.[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  const tree = [first];
  for (const pid of tree) tree.push(...(children.get(pid) ?? []));
  return tree;
}

async function nameOf(pid: number): Promise<string> {
  const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ').trim();
  return command
    .split(' ')
    .map((word) => (word.startsWith('/') ? path.basename(word) : word))
    .join(' ')
    .slice(0, 60);
}

/**
 * Memory of a process in MiB: its proportional set size, the part that only it uses, and the pages
 * of files that it shares.
 */
async function memoryOf(pid: number): Promise<{ pss: number; own: number; file: number }> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8');
  const mib = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(rollup)?.[1]) / 1024;
  return { pss: mib('Pss'), own: mib('Private_Dirty') + mib('Private_Clean'), file: mib('Shared_Clean') };
}
