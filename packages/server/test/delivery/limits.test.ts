import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { attemptsPerReceiver } from '../../src/delivery/attempt-store.ts';
import { jobConcurrency } from '../../src/jobs/job-table.ts';
import { until } from '../crash/wait.ts';
import type { TestService } from '../support/service.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import { afterAttempts, deliver, deliveryThat, forgetDeliveries, startDeliveryService } from './support.ts';

let service: TestService;
let stack: AsyncDisposableStack;

beforeAll(async () => {
  service = await startDeliveryService();
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(async () => {
  await stack.disposeAsync();
  await forgetDeliveries(service.context);
});

const run = () => stack.use(service.startJobs());

/** A receiver that answers when it is told to. */
async function silent(): Promise<Receiver & { release: () => void }> {
  const released = Promise.withResolvers<void>();
  const receiver = await startReceiver(async (response) => {
    await released.promise;
    response.end();
  });
  stack.use(receiver);
  return Object.assign(receiver, { release: released.resolve });
}

async function phases(): Promise<Record<string, number>> {
  const rows = await service.context.db.selectFrom('deliveries').select('phase').execute();
  const counts: Record<string, number> = {};
  for (const { phase } of rows) if (phase !== null) counts[phase] = (counts[phase] ?? 0) + 1;
  return counts;
}

test('a receiver that does not answer gets no more than its share, in all processes together, and holds up nobody else', async () => {
  const dead = await silent();
  const alive = stack.use(await startReceiver());
  run();
  run();
  // More than both processes have places: without the limit none would be left.
  const count = 2 * jobConcurrency.deliver + 10;
  const { context, first } = service;
  const stuck = [];
  for (let index = 0; index < count; index++)
    stuck.push(await deliver(context, `http://one.test:${dead.port}/${index}`));
  const others = [];
  for (let index = 0; index < 10; index++) others.push(await deliver(context, `http://two.test:${alive.port}/`));

  for (const deliveryId of others) await deliveryThat(first, deliveryId, ({ status }) => status === 'delivered');
  await until('the rest is parked', 15_000, async () => (await phases())['parked'] === count - attemptsPerReceiver);
  expect(await phases()).toEqual({ sending: attemptsPerReceiver, parked: count - attemptsPerReceiver });
  expect(dead.requests.length).toBe(attemptsPerReceiver);

  // Whoever ends passes the place on.
  dead.release();
  for (const deliveryId of stuck) await deliveryThat(first, deliveryId, ({ status }) => status === 'delivered');
  expect(dead.requests.length).toBe(count);
  expect(dead.mostAtOnce).toBe(attemptsPerReceiver);
  expect(await phases()).toEqual({});
});

test('a place is passed on by an attempt that fails, too', async () => {
  const failing = stack.use(
    // No second attempt comes while the test looks.
    await startReceiver((response) => void response.writeHead(500, { 'retry-after': '7200' }).end()),
  );
  const ids = [];
  for (let index = 0; index < 3 * attemptsPerReceiver; index++) {
    ids.push(await deliver(service.context, `http://one.test:${failing.port}/${index}`));
  }
  run();
  for (const deliveryId of ids) await afterAttempts(service.first, deliveryId, 1);
  expect(failing.mostAtOnce).toBeLessThanOrEqual(attemptsPerReceiver);
  expect(failing.requests.length).toBe(ids.length);
  expect(await phases()).toEqual({ waiting: ids.length });
});

test('a port is a receiver of its own, and a name is the same in every spelling', async () => {
  const { context } = service;
  const urls = [
    'http://one.test/',
    'http://ONE.test.:80/x',
    'https://one.test:80',
    'http://one.test:81/',
    'https://one.test/',
  ];
  for (const url of urls) await deliver(context, url);
  const rows = await context.db.selectFrom('deliveries').select('receiver').orderBy('delivery_id').execute();
  expect(rows.map(({ receiver }) => receiver)).toEqual([
    'one.test:80',
    'one.test:80',
    'one.test:80',
    'one.test:81',
    'one.test:443',
  ]);
});
