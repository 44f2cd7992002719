import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginAttempt, endAttempt, type Attempt } from '#features/callbacks/store/attempt-store.ts';
import { createDeliveries } from '#features/callbacks/deliveries.ts';
import {
  attemptsPerAccount,
  attemptsPerReceiver,
  giveSlotsToParked,
} from '#features/callbacks/store/delivery-slots.ts';
import { concurrentDeliveries } from '#features/callbacks/index.ts';
import { until } from '../crash/wait.ts';
import { forFile } from '../support/for-file.ts';
import type { TestAccount } from '../support/service.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import {
  waitForAttempts,
  callback,
  deliver,
  waitForDelivery,
  deleteDeliveries,
  startDeliveryService,
} from './support.ts';

let stack: AsyncDisposableStack;

const service = await forFile(startDeliveryService());
beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(async () => {
  await stack.disposeAsync();
  await deleteDeliveries(service.context);
});

const startJobs = () => stack.use(service.startJobs());

/** A receiver that answers on demand: all requests with `release`, or the next one with `next`. */
async function receiverOnDemand(
  options: { host?: string } = {},
): Promise<Receiver & { release: () => void; next: () => void }> {
  const released = Promise.withResolvers<void>();
  const waiting: (() => void)[] = [];
  const receiver = await startReceiver(async (response) => {
    await Promise.race([released.promise, new Promise<void>((resolve) => waiting.push(resolve))]);
    response.end();
  }, options);
  stack.use(receiver);
  return Object.assign(receiver, { release: released.resolve, next: () => waiting.shift()?.() });
}

/** Every loopback address counts as a separate receiver. */
const everyName = { host: '0.0.0.0' };
const nameOf = (index: number): string => `127.0.1.${index + 1}`;

async function phases(): Promise<Record<string, number>> {
  const rows = await service.context.db.selectFrom('deliveries').select('phase').execute();
  const counts: Record<string, number> = {};
  for (const { phase } of rows) if (phase !== null) counts[phase] = (counts[phase] ?? 0) + 1;
  return counts;
}

test('a receiver that does not answer gets at most its share of attempts, and does not delay other receivers', async () => {
  const dead = await receiverOnDemand();
  const alive = stack.use(await startReceiver());
  startJobs();
  startJobs();
  // There are more deliveries than both processes have slots. Without the limit no slot would be
  // free.
  const count = 2 * concurrentDeliveries + 10;
  const { context, first } = service;
  const stuck = [];
  for (let index = 0; index < count; index++)
    stuck.push(await deliver(context, `http://one.test:${dead.port}/${index}`));
  const others = [];
  for (let index = 0; index < 10; index++) others.push(await deliver(context, `http://two.test:${alive.port}/`));

  for (const deliveryId of others) await waitForDelivery(first, deliveryId, ({ status }) => status === 'delivered');
  await until('the rest is parked', 15_000, async () => (await phases())['parked'] === count - attemptsPerReceiver);
  expect(await phases()).toEqual({ sending: attemptsPerReceiver, parked: count - attemptsPerReceiver });
  expect((await dead.reached(attemptsPerReceiver)).length).toBe(attemptsPerReceiver);

  // Each attempt that ends gives its slot to a parked delivery.
  dead.release();
  for (const deliveryId of stuck) await waitForDelivery(first, deliveryId, ({ status }) => status === 'delivered');
  expect(dead.requests.length).toBe(count);
  expect(dead.mostAtOnce).toBe(attemptsPerReceiver);
  expect(await phases()).toEqual({});
});

test('a failed attempt gives its slot to the next delivery, too', async () => {
  const failing = stack.use(
    // The long pause prevents a second attempt during the test.
    await startReceiver((response) => void response.writeHead(500, { 'retry-after': '7200' }).end()),
  );
  const ids = [];
  for (let index = 0; index < 3 * attemptsPerReceiver; index++) {
    ids.push(await deliver(service.context, `http://one.test:${failing.port}/${index}`));
  }
  startJobs();
  for (const deliveryId of ids) await waitForAttempts(service.first, deliveryId, 1);
  expect(failing.mostAtOnce).toBeLessThanOrEqual(attemptsPerReceiver);
  expect(failing.requests.length).toBe(ids.length);
  expect(await phases()).toEqual({ waiting: ids.length });
});

test('an account with many receivers that do not answer gets at most its share, and does not delay other accounts', async () => {
  const { context, first } = service;
  const second = await service.createAccount();
  const dead = await receiverOnDemand(everyName);
  const alive = stack.use(await startReceiver());
  startJobs();
  startJobs();
  const count = 2 * concurrentDeliveries + 10;
  const stuck = [];
  for (let index = 0; index < count; index++) {
    stuck.push(await deliver(context, `http://${nameOf(index)}:${dead.port}/`));
  }
  await until('the rest is parked', 15_000, async () => (await phases())['parked'] === count - attemptsPerAccount);
  const { accountId } = second;
  const other = await deliver(context, `http://two.test:${alive.port}/`, { accountId });
  await waitForDelivery(second, other, ({ status }) => status === 'delivered');
  expect(await phases()).toEqual({ sending: attemptsPerAccount, parked: count - attemptsPerAccount });
  expect((await dead.reached(attemptsPerAccount)).length).toBe(attemptsPerAccount);

  dead.release();
  for (const deliveryId of stuck) await waitForDelivery(first, deliveryId, ({ status }) => status === 'delivered');
  expect(dead.mostAtOnce).toBe(attemptsPerAccount);
  expect(await phases()).toEqual({});
});

test('accounts that wait for one receiver get its slots in turn, however many deliveries each has', async () => {
  const { context } = service;
  const second = await service.createAccount();
  const relay = await receiverOnDemand();
  startJobs();
  const send = async (path: string, accountId = 1) =>
    deliver(context, `http://one.test:${relay.port}/${path}`, { accountId });
  for (let index = 0; index < 5 * attemptsPerReceiver; index++) await send('many');
  await until('the first wait', 15_000, async () => (await phases())['parked'] === 4 * attemptsPerReceiver);
  // The receiver can answer a request only when it has arrived, which is after the attempt has
  // started.
  await relay.reached(attemptsPerReceiver);
  await send('few', second.accountId);
  await send('few', second.accountId);
  await until('all wait', 15_000, async () => (await phases())['parked'] === 4 * attemptsPerReceiver + 2);

  for (let ended = 1; ended <= 2; ended++) {
    relay.next();
    await relay.reached(attemptsPerReceiver + ended);
  }
  expect(relay.requests.slice(attemptsPerReceiver).map(({ path }) => path)).toEqual(['/few', '/few']);
});

test('no delivery stays parked when attempts of many accounts to many receivers end at the same time', async () => {
  const { context, first } = service;
  const accounts = [first, await service.createAccount(), await service.createAccount()];
  const receiver = stack.use(await startReceiver(undefined, everyName));
  startJobs();
  startJobs();
  const made: (readonly [TestAccount, string])[] = [];
  for (let index = 0; index < 240; index++) {
    const account = accounts[index % 3]!;
    const url = `http://${nameOf(Math.floor(index / 3) % 5)}:${receiver.port}/`;
    made.push([account, await deliver(context, url, { accountId: account.accountId })]);
  }
  for (const [account, deliveryId] of made) {
    await waitForDelivery(account, deliveryId, ({ status }) => status === 'delivered');
  }
  expect(receiver.mostAtOnce).toBeLessThanOrEqual(3 * attemptsPerAccount);
  expect(await phases()).toEqual({});
});

test('a parked delivery gets the slot of an ending attempt, whichever of the two commits last', async () => {
  const { context } = service;
  const { pool, db } = context;
  const under: Attempt[] = [];
  const begin = async (delivery_id: string) =>
    (await beginAttempt(pool, { account_id: 1, delivery_id }, '1', context.now()))!;
  for (let index = 0; index < attemptsPerReceiver; index++) {
    under.push((await begin(await deliver(context, 'http://one.test/'))).attempt!);
  }
  const end = async (attempt: Attempt) =>
    endAttempt(
      pool,
      attempt,
      { duration_ms: 1, status_code: 200, error_code: null, error_detail: null, address: null },
      { status: 'delivered', at: context.now() },
    );
  const waiting = await deliver(context, 'http://one.test/');

  // The delivery is parked first, so the ending attempt sees it.
  const parked = await begin(waiting);
  expect(parked.attempt).toBeUndefined();
  await giveSlotsToParked(pool, parked.owners);
  expect(await phases()).toEqual({ sending: attemptsPerReceiver, parked: 1 });
  expect(await end(under.pop()!)).toEqual({ decided: true, othersParked: true });
  await giveSlotsToParked(pool, parked.owners);
  expect(await phases()).toEqual({ sending: attemptsPerReceiver - 1, waiting: 1 });
  expect((await begin(waiting)).attempt).toMatchObject({ delivery_id: waiting, attempts: 1 });

  // The attempt ends first, so the process that parks the delivery looks again.
  await db
    .updateTable('deliveries')
    .where('delivery_id', '=', waiting)
    .set({ phase: 'parked', sending_job: null })
    .execute();
  await giveSlotsToParked(pool, parked.owners);
  expect(await phases()).toEqual({ sending: attemptsPerReceiver - 1, waiting: 1 });
});

/** Creates deliveries in one transaction, as batch adds that end together do. Returns their ids. */
async function deliverTogether(urls: readonly string[]): Promise<string[]> {
  const { context } = service;
  return context.db.transaction().execute((trx) =>
    createDeliveries(
      trx,
      context,
      urls.map((url) => callback(url)),
    ),
  );
}

test('deliveries that one transaction creates are all sent within the limits', async () => {
  const receiver = stack.use(await startReceiver(undefined, everyName));
  const toOne = Array.from({ length: 5 * attemptsPerReceiver }, () => `http://one.test:${receiver.port}/`);
  const toMany = Array.from({ length: 3 * attemptsPerAccount }, (_, at) => `http://${nameOf(at)}:${receiver.port}/`);
  const ids = await deliverTogether([...toOne, ...toMany]);
  startJobs();
  startJobs();
  for (const deliveryId of ids)
    await waitForDelivery(service.first, deliveryId, ({ status }) => status === 'delivered');
  expect(receiver.requests.length).toBe(ids.length);
  expect(receiver.mostAtOnce).toBeLessThanOrEqual(attemptsPerAccount);
  expect(await phases()).toEqual({});
});

test('attempts that start at the same moment do not get the same slot', async () => {
  const { context } = service;
  const ids = [];
  for (let index = 0; index < 3 * attemptsPerReceiver; index++) ids.push(await deliver(context, 'http://one.test/'));
  await Promise.all(
    ids.map((delivery_id) => beginAttempt(context.pool, { account_id: 1, delivery_id }, '1', context.now())),
  );
  expect(await phases()).toEqual({ sending: attemptsPerReceiver, parked: 2 * attemptsPerReceiver });
});

test('if a process is killed before it gives its slot to the next delivery, the next run of its job does that', async () => {
  const { context, first } = service;
  const receiver = stack.use(await startReceiver());
  const ended = await deliver(context, `http://one.test:${receiver.port}/`);
  const parked = await deliver(context, `http://one.test:${receiver.port}/`);
  const { db } = context;
  // This is the state after the kill: the attempt has ended, its job has not, and the parked
  // delivery has no job.
  await db
    .updateTable('deliveries')
    .where('delivery_id', '=', ended)
    .set({ status: 'delivered', phase: null, next_attempt_at: null, finished_at: context.now() })
    .execute();
  await db.updateTable('deliveries').where('delivery_id', '=', parked).set({ phase: 'parked' }).execute();
  await sql`delete from roster_jobs._private_jobs where payload->>'delivery_id' = ${parked}`.execute(db);
  startJobs();
  await waitForDelivery(first, parked, ({ status }) => status === 'delivered');
  expect(receiver.requests.length).toBe(1);
});

test('each port is a separate receiver, and all spellings of a host name are the same receiver', async () => {
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
