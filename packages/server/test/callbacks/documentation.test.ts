import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { expect, test } from 'vitest';
import { freePort } from '@roster/embedded-postgres';
import { signatureOf } from '#features/callbacks/sending/signature.ts';
import { until } from '../crash/wait.ts';
import { forFile } from '../support/for-file.ts';
import { deliver, waitForDelivery, startDeliveryService } from './support.ts';
import { guardedEnvironment } from '../support/guarded-environment.ts';

const service = await forFile(startDeliveryService());

const page = readFileSync(path.join(import.meta.dirname, '../../../../docs/callbacks.md'), 'utf8');

/**
 * Runs the receiver of docs/callbacks.md in a separate process. Returns its URL and the lines that
 * it prints.
 */
async function startDocumentedReceiver(secret: string) {
  const port = await freePort();
  const example = /```js\n(.*?)```/s.exec(page)![1]!;
  const receiver = spawn(process.execPath, ['--input-type=module', '-e', example], {
    env: { ...guardedEnvironment, PATH: process.env['PATH'], PORT: String(port), SIGNING_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  readline.createInterface(receiver.stdout).on('line', (line) => lines.push(line));
  const url = `http://127.0.0.1:${port}/`;
  await until('the receiver listens', 10_000, () =>
    fetch(url).then(
      () => true,
      () => false,
    ),
  );
  return {
    url,
    lines,
    async [Symbol.asyncDispose]() {
      receiver.kill();
      await once(receiver, 'exit');
    },
  };
}

test('the documented receiver accepts callbacks, handles each once, and refuses forged ones', async () => {
  const { body: old } = await service.first.operator('GET', '/signing-secret');
  await using receiver = await startDocumentedReceiver(old.secret);
  await using jobs = service.startJobs();
  void jobs;
  const { context, first } = service;
  async function deliverAndSee(method: 'POST' | 'GET' = 'POST'): Promise<string> {
    const deliveryId = await deliver(context, receiver.url, { method, body: { status: 'completed', name: 'ü' } });
    await waitForDelivery(first, deliveryId, ({ status }) => status === 'delivered');
    return deliveryId;
  }

  const deliveryId = await deliverAndSee();
  await first.operator('POST', `/deliveries/${deliveryId}/replay`);
  const replayed = await waitForDelivery(first, deliveryId, ({ status }) => status === 'delivered');
  expect(replayed.attempts).toBe(2);
  // After a rotation the receiver still knows only the old secret.
  await first.operator('POST', '/signing-secret/rotate');
  await deliverAndSee();
  await deliverAndSee('GET');
  await until('it has worked on all', 5000, () => receiver.lines.length === 3);
  expect(receiver.lines).toEqual(Array(3).fill("{ status: 'completed', name: 'ü' }"));

  const seconds = Math.floor(Date.now() / 1000);
  for (const signature of [
    undefined,
    '',
    `t=${seconds}`,
    `t=${seconds},v1=`,
    `t=${seconds},v1=${'0'.repeat(64)}`,
    `v1=${'0'.repeat(64)}`,
  ]) {
    const headers = signature === undefined ? {} : { 'x-roster-signature': signature };
    const { status } = await fetch(receiver.url, { method: 'POST', headers, body: '{}' });
    expect(status, signature).toBe(401);
    expect((await fetch(`${receiver.url}?status=completed`, { headers })).status, signature).toBe(401);
  }
});

test('the documented receiver refuses a recorded callback that is sent again later', async () => {
  const { secret } = (await service.first.operator('GET', '/signing-secret')).body;
  await using receiver = await startDocumentedReceiver(secret);
  async function statusOf(signedAt: number, body: string): Promise<number> {
    const headers = { 'x-roster-signature': signatureOf('{}', [secret], new Date(signedAt)) };
    return (await fetch(receiver.url, { method: 'POST', headers, body })).status;
  }
  expect(await statusOf(Date.now(), '{}')).toBe(204);
  expect(await statusOf(Date.now() - 400_000, '{}')).toBe(401);
  expect(await statusOf(Date.now() + 400_000, '{}')).toBe(401);
  expect(await statusOf(Date.now(), '{} ')).toBe(401);
});

test('the documented receiver refuses a GET callback whose query was changed', async () => {
  const { secret } = (await service.first.operator('GET', '/signing-secret')).body;
  await using receiver = await startDocumentedReceiver(secret);
  async function statusOf(query: string): Promise<number> {
    const headers = { 'x-roster-signature': signatureOf('status=failed', [secret], new Date()) };
    return (await fetch(`${receiver.url}?${query}`, { headers })).status;
  }
  expect(await statusOf('status=failed')).toBe(204);
  expect(await statusOf('status=completed')).toBe(401);
  expect(await statusOf('status=failed&row_count=1')).toBe(401);
});
