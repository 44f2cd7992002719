import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginAttempt } from '#features/callbacks/store/attempt-store.ts';
import { attemptsPerReceiver } from '#features/callbacks/store/delivery-slots.ts';
import { leftRunning } from '../jobs/runs.ts';
import { forFile } from '../support/for-file.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import {
  waitForAttempts,
  deliver,
  deliveryOf,
  waitForDelivery,
  deleteDeliveries,
  startDeliveryService,
} from './support.ts';
import { testLayout } from '../support/context.ts';

let stack: AsyncDisposableStack;

const service = await forFile(startDeliveryService());
beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(async () => {
  await stack.disposeAsync();
  await deleteDeliveries(service.context);
});

/**
 * A receiver that answers the first `count` requests only after `release`, and all others at once.
 */
async function receiverWithDelay(count: number): Promise<Receiver & { release: () => void }> {
  const released = Promise.withResolvers<void>();
  const receiver = await startReceiver(async (response) => {
    if (receiver.requests.length <= count) await released.promise;
    response.end();
  });
  stack.use(receiver);
  return Object.assign(receiver, { release: released.resolve });
}

test('a stop waits for the attempt under way, and starts no other', async () => {
  const receiver = await receiverWithDelay(1);
  const jobs = service.startJobs();
  const under = await deliver(service.context, `http://127.0.0.1:${receiver.port}/`);
  await receiver.reached(1);
  const stopped = jobs[Symbol.asyncDispose]();
  const waiting = await deliver(service.context, `http://127.0.0.1:${receiver.port}/`);
  receiver.release();
  await stopped;
  expect(await deliveryOf(service.first, under)).toMatchObject({ status: 'delivered', attempts: 1 });
  expect(await deliveryOf(service.first, waiting)).toMatchObject({ status: 'pending', attempts: 0 });
});

test('a stop interrupts an attempt that gets no answer, and the next process makes another attempt', async () => {
  const receiver = await receiverWithDelay(1);
  const jobs = service.startJobs();
  const deliveryId = await deliver(service.context, `http://127.0.0.1:${receiver.port}/`);
  await receiver.reached(1);
  const began = performance.now();
  await jobs[Symbol.asyncDispose]();
  expect(performance.now() - began).toBeLessThan(6000);
  expect(await deliveryOf(service.first, deliveryId)).toMatchObject({ status: 'pending', attempts: 1 });

  stack.use(service.startJobs());
  const delivered = await waitForDelivery(service.first, deliveryId, ({ status }) => status === 'delivered');
  expect(delivered.attempt_log).toMatchObject([
    { duration_ms: null, status_code: null, error: { code: 'interrupted' } },
    { status_code: 200, error: null },
  ]);
});

test('attempts of a killed process are repeated by the next process with the same delivery ids', async () => {
  // The killed process has taken all slots of the receiver.
  const receiver = await receiverWithDelay(attemptsPerReceiver);
  const program = path.join(import.meta.dirname, 'programs/sender.ts');
  const sender = spawn(process.execPath, [program], {
    env: {
      ...process.env,
      DATABASE_URL: service.context.config.databaseUrl!,
      ...testLayout,
      ROSTER_CALLBACK_ALLOW: '127.0.0.1',
    },
    stdio: 'inherit',
  });
  const ids: string[] = [];
  for (let index = 0; index < attemptsPerReceiver + 2; index++) {
    ids.push(await deliver(service.context, `http://127.0.0.1:${receiver.port}/`));
  }
  const under = (await receiver.reached(attemptsPerReceiver)).map(({ headers }) => headers['x-roster-delivery']);
  const before = new Set(under);
  sender.kill('SIGKILL');
  await once(sender, 'exit');
  await leftRunning(service.context, 0);

  stack.use(service.startJobs());
  for (const deliveryId of ids) {
    const killed = before.has(deliveryId);
    const { attempt_log } = await waitForAttempts(service.first, deliveryId, 1);
    expect(attempt_log.map(({ error }) => error?.code)).toEqual(killed ? ['interrupted', undefined] : [undefined]);
  }
  const after = receiver.requests.slice(attemptsPerReceiver).map(({ headers }) => headers['x-roster-delivery']);
  expect(after.length).toBe(ids.length);
  expect(new Set(after)).toEqual(new Set(ids));
});

test('a second job does not interrupt an attempt under way, and the next run of the same job does', async () => {
  const { context, first } = service;
  const deliveryId = await deliver(context, 'http://one.test/');
  const key = { account_id: 1, delivery_id: deliveryId };
  const begin = async (jobId: string) => (await beginAttempt(context.pool, key, jobId, context.now()))!.attempt;
  expect(await begin('1')).toMatchObject({ attempts: 1 });
  expect(await begin('2')).toBeUndefined();
  expect(await begin('1')).toMatchObject({ attempts: 2 });
  const { attempt_log } = await deliveryOf(first, deliveryId);
  expect(attempt_log.map(({ error }) => error?.code)).toEqual(['interrupted', undefined]);
});
