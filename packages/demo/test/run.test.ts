import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { freePort } from '@roster/embedded-postgres';
import { guardedEnvironment } from '../../server/test/support/guarded-environment.ts';

const program = path.join(import.meta.dirname, '..', 'src', 'main.ts');
const patience = 180_000;

/**
 * Settings for another service in the environment of a developer. Each of them would break the
 * demo, or make it use the other service.
 */
const otherService = {
  DATABASE_URL: 'postgres://roster:secret@127.0.0.1:1/production',
  ROSTER_ROLE: 'worker',
  ROSTER_API_KEY: 'short',
  ROSTER_ADMIN_TOKEN: 'short',
  ROSTER_PUBLIC_URL: 'no address',
  ROSTER_EXPORT_STORE: 'no place',
  SMTP_URL: 'smtp://mail.example.test',
};

interface RunOptions {
  readonly contacts?: number;
  /** Code that runs before the demo. */
  readonly preload?: string;
  /** When the output matches this, the demo and its service get a Ctrl-C. */
  readonly interruptAt?: RegExp;
}

/** Runs the demo in its own directory, by default with few people. */
async function runDemo({ contacts = 20, preload = '', interruptAt }: RunOptions = {}): Promise<{
  code: number;
  output: string;
  port: number;
}> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'roster-demo-'));
  // PostgreSQL runs as another user if the tests run as root.
  await chmod(directory, 0o711);
  const port = await freePort();
  const args = [
    '--contacts',
    String(contacts),
    '--exit',
    '--port',
    String(port),
    '--data',
    path.join(directory, 'data'),
  ];
  const child = spawn(process.execPath, ['--import', `data:text/javascript,${preload}`, program, ...args], {
    env: { ...guardedEnvironment, PATH: process.env['PATH'], HOME: process.env['HOME'], ...otherService },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A terminal sends its signals to the whole process group.
    detached: interruptAt !== undefined,
    // The demo stops its service when the timeout stops the demo.
    timeout: patience * 0.9,
  });
  try {
    let output = '';
    let isInterrupted = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString('utf8');
        if (isInterrupted || interruptAt?.test(output) !== true) return;
        isInterrupted = true;
        process.kill(-child.pid!, 'SIGINT');
      });
    }
    const [code] = (await once(child, 'close')) as [number];
    return { code, output, port };
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * The answers to the printed commands: a search, the activity of a person, another search, the
 * count of a segment, and requests.
 */
const answersThatWork = [
  expect.objectContaining({ status: 'success', count: expect.any(Number) }),
  expect.objectContaining({
    status: 'success',
    result: expect.objectContaining({ channel_activity: expect.arrayContaining([expect.anything()]) }),
  }),
  expect.objectContaining({ status: 'success', count: expect.any(Number) }),
  expect.objectContaining({ count: expect.any(Number) }),
  expect.objectContaining({ data: expect.arrayContaining([expect.objectContaining({ status: 'done' })]) }),
];

/** Whether a process listens on a port. */
async function isTaken(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const taken = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return taken;
}

/**
 * Starts a command in the root of the project. Resolves with its output when it matches `ready`.
 */
async function startCommand(command: string, env: Record<string, string>, ready: RegExp) {
  const child = spawn('sh', ['-c', command], {
    cwd: path.join(import.meta.dirname, '../../..'),
    env: { ...guardedEnvironment, PATH: process.env['PATH'], HOME: process.env['HOME'], LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const closed = once(child, 'close');
  let output = '';
  const isReady = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString('utf8');
        if (ready.test(output)) resolve();
      });
    }
  });
  await Promise.race([isReady, closed.then(() => Promise.reject(new Error(`it ended: ${output}`)))]);
  return {
    output,
    async [Symbol.asyncDispose]() {
      process.kill(-child.pid!, 'SIGINT');
      await closed;
    },
  };
}

/**
 * Runs the commands that the demo printed, as if they were pasted into a shell. Returns their JSON
 * answers.
 */
function runPrinted(output: string): Record<string, unknown>[] {
  const settings = /^ {2}(export .*)$/m.exec(output)![1]!;
  const commands = Array.from(output.matchAll(/^ {2}(curl (?:.*\\\n|.*'\{.*\n)*.*)$/gm), ([, command]) => command!);
  return commands.map((command) => {
    const got = spawnSync('sh', ['-c', `${settings}\n${command}`], { encoding: 'utf8' });
    return JSON.parse(got.stdout) as Record<string, unknown>;
  });
}

describe('npm run demo', () => {
  test(
    'the demo uses PORT and ROSTER_DATA_DIR but no other setting, and its printed commands work, also after the printed restart',
    { timeout: patience },
    async () => {
      const directory = await mkdtemp(path.join(os.tmpdir(), "roster demo's "));
      await chmod(directory, 0o711);
      const port = await freePort();
      const data = path.join(directory, 'data');
      try {
        const env = { ...otherService, PORT: String(port), ROSTER_DATA_DIR: data };
        const command = `${JSON.stringify(process.execPath)} ${program} --contacts 200`;
        let restart = '';
        let printed = '';
        {
          await using demo = await startCommand(command, env, /npm start\n/);
          printed = demo.output;
          expect(printed).toContain(`export URL=http://127.0.0.1:${port} `);
          expect(printed).toMatch(/^200 contacts, [\d,]+ activities, lists [\d, ]+, segments [\d, ]+\.$/m);
          expect(printed.match(/rk_\w+/g)).toHaveLength(1);
          restart = /^ {2}(ROSTER_DATA_DIR=.* npm start)$/m.exec(printed)![1]!;
          const answers = runPrinted(printed);
          expect(answers).toHaveLength(5);
          expect(answers).toEqual(answersThatWork);
          const read = async (address: string): Promise<Record<string, unknown>> => {
            const token = / TOKEN=(\S+)$/m.exec(printed)![1]!;
            const headers = { authorization: `Bearer ${token}` };
            return (await fetch(`http://127.0.0.1:${port}/admin/v1/${address}`, { headers })).json() as never;
          };
          await expect
            .poll(() => read('accounts/1/deliveries?status=failed'), { timeout: 30_000 })
            .toMatchObject({ data: [{ source: 'export' }] });
          expect(await read('system')).toMatchObject({ backups: [{ status: 'completed' }] });
        }
        expect(await readdir(data)).toContain('postgres');
        expect(await isTaken(port)).toBe(false);
        await using again = await startCommand(restart, {}, /Roster is ready/);
        void again;
        expect(runPrinted(printed)).toEqual(answersThatWork);
      } finally {
        await rm(directory, { recursive: true, force: true, maxRetries: 5 });
      }
    },
  );

  test('the demo leaves no service running when loading fails', { timeout: patience }, async () => {
    const refuse = `
      const send = globalThis.fetch;
      globalThis.fetch = async (url, init) =>
        String(url).endsWith('/attribute/create') ? new Response('{"description":"no"}', { status: 403 }) : send(url, init);`;
    const { code, output, port } = await runDemo({ preload: encodeURIComponent(refuse) });
    expect(output).toContain('createAttributes: 403 no');
    expect(code).toBe(1);
    expect(await isTaken(port)).toBe(false);
  });

  test.each([
    ['while the service starts', /Starting Roster/],
    ['while it is filled', /10,000 people/],
  ])('the demo ends with a message when it is interrupted %s', { timeout: patience }, async (_when, interruptAt) => {
    const { code, output, port } = await runDemo({ contacts: 20_000, interruptAt });
    expect(output).toMatch(
      /^Interrupted before everything was loaded\. The service is stopped\. Delete .*data before you try again\.$/m,
    );
    expect(output).not.toMatch(/^ +at |Error/m);
    expect(code).toBe(130);
    expect(await isTaken(port)).toBe(false);
  });
});
