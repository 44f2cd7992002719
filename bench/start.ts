/**
 * Measures a cold start: from `npm start` until the console is served and the first search has
 * status 200. In a clone that was never started, on a new and on an existing data directory.
 *
 * `npm run bench:start -- [--runs 5]`
 */
import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { quantile } from './support.ts';

const { values: options } = parseArgs({ options: { runs: { type: 'string', default: '5' } } });
const port = 20_000 + Math.floor(Math.random() * 20_000);
const apiKey = 'api-key-of-the-benchmark-of-roster';
const root = path.dirname(import.meta.dirname);
const fresh: number[] = [];
const first: number[] = [];
const later: number[] = [];
for (let run = 0; run < Number(options.runs); run++) {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'roster-start-'));
  // If root starts it, PostgreSQL runs as another user, who must have access to the directory.
  await chmod(dataDir, 0o711);
  // What the first start in a clone makes: the console, the build of the service, and compiled code.
  for (const made of ['packages/console/dist', 'packages/server/dist', 'node_modules/.cache/roster']) {
    await rm(path.join(root, made), { recursive: true, force: true });
  }
  // The processes write their compiled code ten seconds after the start.
  fresh.push(await start(path.join(dataDir, 'fresh'), 12_000));
  first.push(await start(path.join(dataDir, 'new')));
  later.push(await start(path.join(dataDir, 'new')));
  await rm(dataDir, { recursive: true, force: true });
}
const shown = (seconds: readonly number[]): string =>
  `median ${quantile(seconds, 0.5).toFixed(2)} s, from ${Math.min(...seconds).toFixed(2)} to ${Math.max(...seconds).toFixed(2)} s`;
console.log(`first start in a clone, with the builds: ${shown(fresh)}`);
console.log(`new data directory: ${shown(first)}\nexisting data directory: ${shown(later)}`);

/**
 * Starts the service, waits until it answers, and stops it after `runFor` milliseconds. Returns the seconds of the start.
 */
async function start(dataDir: string, runFor = 0): Promise<number> {
  const started = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: { ...process.env, PORT: String(port), ROSTER_DATA_DIR: dataDir, ROSTER_API_KEY: apiKey, LOG_LEVEL: 'warn' },
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  while ((await search()) !== 200 || (await openConsole()) !== 200) await sleep(5);
  const seconds = (performance.now() - started) / 1000;
  await sleep(runFor);
  child.kill('SIGTERM');
  await ended;
  // npm ends before the service does. Wait until the service has ended.
  while ((await search()) !== undefined) await sleep(20);
  await sleep(1000);
  return seconds;
}

function openConsole(): Promise<number | undefined> {
  return call('/console/', {});
}

function search(): Promise<number | undefined> {
  return call('/v5/contact/search', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'api-key': apiKey },
    body: '{}',
  });
}

async function call(address: string, request: RequestInit): Promise<number | undefined> {
  const answer = await fetch(`http://127.0.0.1:${port}${address}`, request).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.status;
}
