import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { Import } from '@roster/contract';
import { expect, test } from 'vitest';
import { until } from '../crash/wait.ts';
import { startImportService } from '../imports/import-service.ts';
import { testAdminToken } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';
import { guardedEnvironment } from '../support/guarded-environment.ts';
import { listening } from '../support/listening.ts';
import { run as runHere } from './in-process.ts';

const program = path.join(import.meta.dirname, '../../src/app/bin/roster.ts');
const mebibyte = 1024 * 1024;

/** The rows of the file. Together they take two parts of an upload. */
const rows = 45;
const content = `EMAIL,REMARKS\r\n${Array.from({ length: rows }, (_, n) => `resumed-${n}@example.com,${'x'.repeat(200_000)}\r\n`).join('')}`;
const size = content.length;

const parts: string[] = [];
const { path: directory } = await forFile(mkdtempDisposable(path.join(os.tmpdir(), 'roster-resume-')));
const imports = await forFile(startImportService());
const proxy = await forFile(startProxy(await listening(imports.service)));
imports.service.app.server.on('request', ({ method, headers }: { method: string; headers: Record<string, string> }) => {
  if (method === 'PUT') parts.push(headers['content-range'] ?? 'whole');
});
// The name needs quoting in a shell.
const file = path.join(directory, "asha's people.csv");
await writeFile(file, content);

/** A proxy to the service whose connections a test can break. */
interface BreakableProxy extends AsyncDisposable {
  readonly url: string;
  /**
   * Breaks the next connection after it has carried so many bytes to the service. With `forGood`,
   * new connections fail until {@link restore}.
   */
  breakAfter(bytes: number, forGood: boolean): void;
  restore(): void;
  /** Stops forwarding after so many bytes to the service, until {@link restore}. */
  stallAfter(bytes: number): void;
  readonly isStalled: boolean;
}

async function startProxy(to: string): Promise<BreakableProxy> {
  const sockets = new Set<Socket>();
  const state = {
    limit: Infinity,
    action: 'break' as 'break' | 'break for good' | 'stall',
    isDown: false,
    isStalled: false,
  };
  const server = createServer((client) => {
    if (state.isDown) return void client.destroy();
    const service = connect(Number(new URL(to).port), '127.0.0.1');
    let carried = 0;
    for (const [one, other] of [
      [client, service],
      [service, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
    service.on('data', (bytes) => client.write(bytes));
    client.on('data', (bytes) => {
      carried += bytes.length;
      if (carried < state.limit) {
        if (!service.write(bytes)) {
          client.pause();
          service.once('drain', () => client.resume());
        }
        return;
      }
      if (state.action === 'stall') {
        state.isStalled = true;
        client.pause();
        return;
      }
      state.limit = Infinity;
      state.isDown = state.action === 'break for good';
      client.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    breakAfter: (limit, forGood) => Object.assign(state, { limit, action: forGood ? 'break for good' : 'break' }),
    stallAfter: (limit) => Object.assign(state, { limit, action: 'stall' }),
    restore: () => Object.assign(state, { limit: Infinity, isDown: false, isStalled: false }),
    get isStalled() {
      return state.isStalled;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

const env = () => ({ ...guardedEnvironment, PATH: process.env['PATH'], ROSTER_ADMIN_TOKEN: testAdminToken });

function startShell(command: string) {
  // The test types a command as it is printed. This shell function stands for `roster`.
  const child = spawn('sh', ['-c', `roster() { exec "$NODE" "$PROGRAM" "$@"; }\n${command}`], {
    env: { ...env(), NODE: process.execPath, PROGRAM: program },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }));
  return { child, ended };
}

const run = (command: string) => startShell(command).ended;
const quoted = () => `'${file.replace("'", String.raw`'\''`)}'`;
const where = () => `--account 1 --url ${proxy.url}`;
const newImport = () => `roster import ${quoted()} --column REMARKS= ${where()} --json`;

async function newestImport(): Promise<Import> {
  return (await imports.account.operator('GET', '/imports?limit=1')).body.data[0];
}

/**
 * Breaks a new upload after its first part, until the proxy is restored, and returns its import.
 */
async function brokenImport(): Promise<Import> {
  proxy.breakAfter(8.3 * mebibyte, true);
  expect((await run(newImport())).code).toBe(4);
  proxy.restore();
  const found = await newestImport();
  expect(found).toMatchObject({ status: 'awaiting_file', received_bytes: 8 * mebibyte });
  return found;
}

const rangeOf = (start: number): string => `bytes ${start}-${Math.min(start + 8 * mebibyte, size) - 1}/${size}`;
const [first, second] = [0, 8 * mebibyte].map(rangeOf);

test(
  'an import continues by itself when its connection breaks in the middle of a part',
  { timeout: 120_000 },
  async () => {
    parts.length = 0;
    proxy.breakAfter(8.3 * mebibyte, false);
    const { code, stdout, stderr } = await run(newImport());
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'completed',
      file_size: size,
      counts: { created: rows, failed: 0 },
    });
    expect(parts).toEqual([first, second, second]);
  },
);

test('an import that cannot continue prints the command that sends the rest', { timeout: 120_000 }, async () => {
  proxy.breakAfter(8.3 * mebibyte, true);
  const broken = await run(newImport());
  const { import_id: importId, status } = await newestImport();
  expect(status).toBe('awaiting_file');
  expect(broken).toMatchObject({ code: 4, stdout: '' });
  const [says, command, error] = broken.stderr.split('\n');
  expect(says).toBe('You can send the rest of the file within 24 hours:');
  expect(command).toBe(`  roster import ${quoted()} ${where()} --resume ${importId}`);
  expect(JSON.parse(error!)).toMatchObject({
    error: {
      code: 'network',
      message: expect.stringContaining(`${proxy.url} cannot be reached, or the connection broke`),
    },
  });

  // The service is still unreachable, so the printed command fails in the same way and keeps the
  // received part.
  expect(await run(command!)).toMatchObject({ code: 4, stdout: '' });
  proxy.restore();
  parts.length = 0;
  const resumed = await run(command!);
  expect([resumed.code, resumed.stderr]).toEqual([0, '']);
  expect(resumed.stdout).toMatch(/^status +completed$/m);
  expect(parts).toEqual([second]);
  expect((await imports.find(importId)).counts).toMatchObject({ total: rows, failed: 0 });

  // A second time: the import has its file already, and nothing changes.
  const again = await run(command!);
  expect([again.code, again.stdout]).toEqual([0, resumed.stdout]);
});

test('an import that is resumed with another file keeps its received part', { timeout: 120_000 }, async () => {
  const { import_id: importId } = await brokenImport();
  const before = await imports.find(importId);
  const others = [
    {
      content: `${content}more@example.com,x\r\n`,
      says: `Earlier parts say that the file has ${size} bytes`,
      fails: 3,
    },
    {
      content: 'EMAIL\r\nshort@example.com\r\n',
      says: `The import has ${8 * mebibyte} bytes of its file, and this file has 26. Send the same file.`,
      fails: 1,
    },
  ];
  for (const other of others) {
    const name = path.join(directory, 'other.csv');
    await writeFile(name, other.content);
    const { code, stdout, stderr } = await run(`roster import ${name} ${where()} --resume ${importId}`);
    expect([code, stdout]).toEqual([other.fails, '']);
    expect(stderr).toContain(other.says);
    expect(await imports.find(importId)).toEqual(before);
  }
  const unnamed = await run(`roster import ${where()} --resume ${importId}`);
  expect(unnamed).toEqual({
    code: 2,
    stdout: '',
    stderr: `The import waits for the rest of its file. Name the file: roster import <file> ${where()} --resume ${importId}\n`,
  });
  const { code } = await run(`roster import ${quoted()} ${where()} --resume ${importId}`);
  expect(code).toBe(0);
});

test('an import that is cancelled, missing or resumed with other options is refused', async () => {
  const { import_id: importId } = await imports.create();
  const resume = async (id: string, ...more: string[]) => {
    const place = ['--account', '1', '--url', proxy.url, '--token', testAdminToken];
    const { code, stderr } = await runHere(['import', file, '--resume', id, ...place, ...more]);
    return [code, stderr];
  };
  expect(await resume(importId, '--list', '1')).toEqual([
    2,
    expect.stringContaining("option '--resume <import_id>' cannot be used with option '--list <audience_id>'"),
  ]);
  await imports.account.operator('POST', `/imports/${importId}/cancel`);
  const reason = 'The import is cancelled and does not accept a file. Create another import.\n';
  expect(await resume(importId)).toEqual([3, reason]);
  const missing = '019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11';
  expect(await resume(missing)).toEqual([3, `There is no import ${missing} in account 1\n`]);
});

test('Ctrl-C cancels a new upload, but leaves a resumed one as it was', { timeout: 120_000 }, async () => {
  const { import_id: importId } = await brokenImport();
  const interrupt = async (command: string) => {
    proxy.stallAfter(0.2 * mebibyte);
    const { child, ended } = startShell(command);
    await until('the upload is under way', 30_000, () => proxy.isStalled);
    child.kill('SIGINT');
    const result = await ended;
    proxy.restore();
    return result;
  };
  const command = `roster import ${quoted()} ${where()} --resume ${importId}`;
  expect(await interrupt(command)).toEqual({
    code: 130,
    stdout: '',
    stderr: `You can send the rest of the file within 24 hours:\n  ${command}\nInterrupted.\n`,
  });
  expect(await imports.find(importId)).toMatchObject({ status: 'awaiting_file', received_bytes: 8 * mebibyte });
  expect((await interrupt(newImport())).code).toBe(130);
  expect((await newestImport()).status).toBe('cancelled');
});
