import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { freePort } from '../../server/src/db/embedded/port.ts';

const program = path.join(import.meta.dirname, '..', 'src', 'main.ts');
const patience = 180_000;

/** What the environment of a developer may say about another service; each of these would keep the demonstration from working, or reach that one. */
const otherService = {
  DATABASE_URL: 'postgres://roster:secret@127.0.0.1:1/production',
  ROSTER_ROLE: 'worker',
  ROSTER_API_KEY: 'short',
  ROSTER_ADMIN_TOKEN: 'short',
  ROSTER_PUBLIC_URL: 'no address',
  ROSTER_EXPORT_STORE: 'no place',
  SMTP_URL: 'smtp://mail.example.com',
  HOST: '192.0.2.1',
};

interface RunOptions {
  readonly contacts?: number;
  /** Code that runs before it. */
  readonly preload?: string;
  /** What it has said when it gets a Ctrl-C, as its service does. */
  readonly interruptAt?: RegExp;
}

/** Runs the demonstration, with a few people unless there are to be more, in a directory of its own. */
async function runDemo({ contacts = 20, preload = '', interruptAt }: RunOptions = {}): Promise<{
  code: number;
  output: string;
  port: number;
  kept: string[];
}> {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'roster-demo-'));
  // PostgreSQL runs as another user when the tests run as root.
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
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...otherService },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A terminal sends its signals to the whole group of processes.
    detached: interruptAt !== undefined,
    // Told to end, it ends its service as well.
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
    return { code, output, port, kept: await readdir(path.join(directory, 'data')).catch(() => []) };
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Whether anybody listens on a port. */
async function isTaken(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const taken = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return taken;
}

describe('npm run demo', () => {
  test(
    'fills a service of its own, whatever the environment says about another, and ends it',
    { timeout: patience },
    async () => {
      const { code, output, port, kept } = await runDemo();
      expect(output).toMatch(/^20 contacts, [\d,]+ activities, lists [\d, ]+, segments [\d, ]+\.$/m);
      expect(code).toBe(0);
      expect(kept).toContain('postgres');
      expect(await isTaken(port)).toBe(false);
    },
  );

  test('leaves no service behind when the loading fails', { timeout: patience }, async () => {
    const refuse = `
      const send = globalThis.fetch;
      globalThis.fetch = async (url, init) =>
        String(url).endsWith('/contact/create') ? new Response('{"description":"no"}', { status: 403 }) : send(url, init);`;
    const { code, output, port } = await runDemo({ preload: encodeURIComponent(refuse) });
    expect(output).toContain('createContacts: 403 no');
    expect(code).toBe(1);
    expect(await isTaken(port)).toBe(false);
  });

  test.each([
    ['while the service starts', /Starting Roster/],
    ['while it is filled', /10,000 contacts/],
  ])('ends with a sentence when it is interrupted %s', { timeout: patience }, async (_when, interruptAt) => {
    const { code, output, port } = await runDemo({ contacts: 1_000_000, interruptAt });
    expect(output).toMatch(
      /^Interrupted: the service is stopped, and not everything is loaded\. Delete .*data before you try again\.$/m,
    );
    expect(output).not.toMatch(/^ +at |Error/m);
    expect(code).toBe(130);
    expect(await isTaken(port)).toBe(false);
  });
});
