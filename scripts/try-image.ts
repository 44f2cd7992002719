// `npm run try:image`: does what the Dockerfile says in directories, as far as that goes without a container engine (it needs the npm
// registry), then starts the service from the result as the image would, stores a contact, finds it, and stops it.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildImage, type Stage } from './image/build.ts';

const root = path.dirname(import.meta.dirname);
const port = 20_000 + Math.floor(Math.random() * 20_000);
const apiKey = 'api-key-of-the-trial-of-the-image';
const patience = 60_000;

const directory = await mkdtemp(path.join(os.tmpdir(), 'roster-image-'));
// Started as root, PostgreSQL runs as another user, who must be able to pass.
await chmod(directory, 0o711);
try {
  const stage = await buildImage(root, directory);
  if (stage.user === 'root') throw new Error('the image would run as root');
  const size = spawnSync('du', ['--summarize', '--human-readable', stage.root], { encoding: 'utf8' }).stdout;
  console.log(`built, without the base image ${size.split('\t')[0]}`);
  const service = start(stage, [...stage.entrypoint, ...stage.command]);
  await healthy(stage, service);
  console.log('the health check passes');
  await storeAndFind();
  console.log('a contact was stored and found');
  service.kill('SIGTERM');
  const [code] = (await once(service, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`the service ended with ${code}`);
  console.log('stopped');
} finally {
  await rm(directory, { recursive: true, force: true });
}

/** Starts a command of the image. Absolute paths below the working directory and the data directory are those in the stage. */
function start(stage: Stage, [program, ...args]: readonly string[]): ChildProcess {
  return spawn(
    program === 'node' ? process.execPath : program!,
    args.map((arg) => inStage(stage, arg)),
    {
      cwd: path.join(stage.root, stage.workdir),
      env: {
        PATH: process.env['PATH'],
        ...stage.env,
        HOST: '127.0.0.1',
        PORT: String(port),
        ROSTER_DATA_DIR: inStage(stage, stage.env['ROSTER_DATA_DIR']!),
        ROSTER_API_KEY: apiKey,
        LOG_LEVEL: 'warn',
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
}

function inStage({ root: stageRoot, workdir, env }: Stage, text: string): string {
  const isInside = [workdir, env['ROSTER_DATA_DIR']!].some((place) => text === place || text.startsWith(`${place}/`));
  return isInside ? path.join(stageRoot, text) : text;
}

async function healthy(stage: Stage, service: ChildProcess): Promise<void> {
  for (const end = performance.now() + patience; performance.now() < end; await sleep(200)) {
    if (service.exitCode !== null) throw new Error('the service ended');
    const [code] = (await once(start(stage, stage.healthcheck), 'exit')) as [number | null];
    if (code === 0) return;
  }
  throw new Error('the health check does not pass');
}

async function storeAndFind(): Promise<void> {
  const identity = 'asha@example.com';
  await post('/v5/contact/create', { data: { contact_type: 'identified', contacts: [{ identity }] } });
  const condition = { field: 'identity', operation: 'equals', value: identity };
  const search = { filtering_criteria: [{ condition_details: [condition] }], output: { fields: ['contact_id'] } };
  for (const end = performance.now() + patience; performance.now() < end; await sleep(100)) {
    const { data } = (await post('/v5/contact/search', search)) as { data: unknown[] };
    if (data.length === 1) return;
  }
  throw new Error('the contact is not found');
}

async function post(address: string, body: object): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${port}${address}`, {
    method: 'POST',
    headers: { 'api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}
