import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { freePort } from '@roster/embedded-postgres';
import { expect, onTestFinished, test, vi } from 'vitest';
import { standardWebhookHeaders } from '#features/callbacks/sending/signature.ts';
import { startDeliveryService } from '../callbacks/support.ts';
import { until } from '../crash/wait.ts';
import { forFile } from '../support/for-file.ts';
import { guardedEnvironment } from '../support/guarded-environment.ts';
import { accountWithEvents, create, subscribe, waitUntilSent } from './support.ts';

const service = await forFile(startDeliveryService({ worker: true }));

const page = readFileSync(path.join(import.meta.dirname, '../../../../docs/event-subscriptions.md'), 'utf8');
const example = (language: string, word: string): string =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))]
    .map(([, code]) => code!)
    .find((code) => code.includes(word))!;

test('the documented receiver prints each event once, and refuses forged deliveries', async () => {
  const account = await accountWithEvents(service);
  const port = await freePort();
  const { subscription_id: id, secret } = await subscribe(account, { port }, { max_events: 2 });
  const receiver = spawn(process.execPath, ['--input-type=module', '-e', example('js', 'createServer')], {
    env: { ...guardedEnvironment, PATH: process.env['PATH'], PORT: String(port), ROSTER_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const lines: string[] = [];
    readline.createInterface(receiver.stdout).on('line', (line) => lines.push(line));
    const forged = () => fetch(`http://127.0.0.1:${port}/events`, { method: 'POST', body: '{}' });
    const answer = await until('the receiver listens', 10_000, () => forged().catch(() => undefined));
    expect(answer.status).toBe(401);
    await using _jobs = service.startJobs();
    await create(account, ...Array.from({ length: 5 }, (_, at) => ({ identity: `p${at}@example.com` })));
    expect(await account.operator('POST', `/event-subscriptions/${id}/test`)).toMatchObject({
      body: { delivered: true },
    });
    await waitUntilSent(service.context, account, id);
    await account.operator('POST', `/event-subscriptions/${id}/replay`, { after: 0 });
    await waitUntilSent(service.context, account, id);
    expect(lines.map((line) => line.split(' ').slice(0, 2))).toEqual(
      [1, 2, 3, 4, 5].map((position) => [String(position), 'contact.created']),
    );
  } finally {
    receiver.kill();
    await once(receiver, 'exit');
  }
});

test('the documented function for Node verifies our signature, and no other', async () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  vi.stubEnv('ROSTER_SECRET', secret);
  onTestFinished(() => void vi.unstubAllEnvs());
  const code = example('js', 'isAuthentic');
  const { isAuthentic } = (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`)) as {
    isAuthentic: (body: Buffer, headers: object, now?: number) => boolean;
  };
  const body = Buffer.from('{"name":"ü"}');
  const headersOf = (by: string) => Object.fromEntries(standardWebhookHeaders('one', body, [by], new Date()));
  const headers = headersOf(secret);
  expect(isAuthentic(body, headers)).toBe(true);
  expect(isAuthentic(body, headersOf('whsec_AAAA'))).toBe(false);
  expect(isAuthentic(Buffer.from('{}'), headers)).toBe(false);
  expect(isAuthentic(body, headers, Date.now() / 1000 + 400)).toBe(false);
  expect(isAuthentic(body, {})).toBe(false);
});

const hasPython = spawnSync('python3', ['--version']).status === 0;

test.skipIf(!hasPython)('the documented function in Python verifies our signature, and no other', () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const body = '{"name":"ü"}';
  const headers = Object.fromEntries(standardWebhookHeaders('one', body, [secret], new Date()));
  const program = `${example('python', 'is_authentic')}
import json, sys
secret, body, headers = json.load(sys.stdin)
data = body.encode()
print(is_authentic(secret, data, headers), is_authentic(secret, data + b" ", headers), is_authentic(secret, data, headers, time.time() + 400))`;
  const { stdout } = spawnSync('python3', ['-c', program], { input: JSON.stringify([secret, body, headers]) });
  expect(stdout.toString()).toBe('True False False\n');
});
