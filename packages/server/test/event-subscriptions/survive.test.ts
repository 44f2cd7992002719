import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { freeAbandoned, wakeSubscriptions } from '#features/event-subscriptions/sending/wake.ts';
import { claimSubscription } from '#features/event-subscriptions/store/progress-store.ts';
import { startReceiver } from '../callbacks/receiver.ts';
import { startDeliveryService } from '../callbacks/support.ts';
import { leftRunning } from '../jobs/runs.ts';
import { forFile } from '../support/for-file.ts';
import {
  accountWithEvents,
  create,
  deliveriesOf,
  eventsAt,
  subscribe,
  subscriptionOf,
  waitUntilSent,
} from './support.ts';
import { testLayout } from '../support/context.ts';

const service = await forFile(startDeliveryService({ worker: true }));

const people = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({ identity: `p${from + at}@example.com` }));

test('a batch of a killed process is sent again by the next process with the same id, and later events follow', async () => {
  const { context } = service;
  const account = await accountWithEvents(service);
  const released = Promise.withResolvers<void>();
  await using receiver = await startReceiver(async (response) => {
    if (receiver.requests.length === 2) await released.promise;
    response.end();
  });
  const { subscription_id: id } = await subscribe(
    account,
    { port: receiver.port },
    { url: `http://127.0.0.1:${receiver.port}/events`, max_events: 2 },
  );
  const program = path.join(import.meta.dirname, '../callbacks/programs/sender.ts');
  const sender = spawn(process.execPath, [program], {
    env: {
      ...process.env,
      DATABASE_URL: context.config.databaseUrl!,
      ...testLayout,
      ROSTER_CALLBACK_ALLOW: '127.0.0.1',
    },
    stdio: 'inherit',
  });
  await create(account, ...people(0, 5));
  await wakeSubscriptions(context);
  await receiver.reached(2);
  sender.kill('SIGKILL');
  await once(sender, 'exit');
  await leftRunning(context, 0);
  await create(account, ...people(5, 2));
  released.resolve();

  await using _jobs = service.startJobs();
  await waitUntilSent(context, account, id);
  expect(eventsAt(receiver).map(({ position }) => position)).toEqual([1, 2, 3, 4, 3, 4, 5, 6, 7]);
  const ids = receiver.requests.map(({ headers }) => headers['webhook-id']);
  expect(ids[2]).toBe(ids[1]);
  expect(new Set(ids).size).toBe(ids.length - 1);
  const deliveries = await deliveriesOf(account, id);
  expect(deliveries.map(({ status, attempts }) => [status, attempts])).toEqual([
    ['delivered', 1],
    ['delivered', 2],
    ['delivered', 1],
    ['delivered', 1],
  ]);
});

test('a stop ends after the attempt under way, and the next process goes on after it', async () => {
  const { context } = service;
  const account = await accountWithEvents(service);
  const released = Promise.withResolvers<void>();
  await using receiver = await startReceiver(async (response) => {
    if (receiver.requests.length === 1) await released.promise;
    response.end();
  });
  const { subscription_id: id } = await subscribe(account, receiver, { max_events: 2 });
  const first = service.startJobs();
  await create(account, ...people(0, 5));
  await wakeSubscriptions(context);
  await receiver.reached(1);
  const stopped = first[Symbol.asyncDispose]();
  released.resolve();
  await stopped;
  expect(await subscriptionOf(account, id)).toMatchObject({ position: 2, pending: null });
  await using _second = service.startJobs();
  await waitUntilSent(context, account, id);
  expect(eventsAt(receiver).map(({ position }) => position)).toEqual([1, 2, 3, 4, 5]);
});

test('only one job at a time sends the events of a subscription', async () => {
  const { context } = service;
  const account = await accountWithEvents(service);
  await using receiver = await startReceiver();
  const { subscription_id: subscriptionId } = await subscribe(account, receiver);
  const claim = (jobId: string) =>
    claimSubscription(context.db, { accountId: account.accountId, subscriptionId, jobId });
  expect(await claim('1')).toBe(false);
  await create(account, ...people(0, 1));
  await Promise.all([wakeSubscriptions(context), wakeSubscriptions(context)]);
  const { rows } = await sql`
    select 1 from roster_jobs._private_jobs where payload ->> 'subscription_id' = ${subscriptionId}`.execute(
    context.db,
  );
  expect(rows).toHaveLength(1);
  expect(await claim('1')).toBe(true);
  expect(await claim('2')).toBe(false);
  expect(await claim('1')).toBe(true);

  // A job that was given up must not block the subscription forever.
  await sql`delete from roster_jobs._private_jobs where payload ->> 'subscription_id' = ${subscriptionId}`.execute(
    context.db,
  );
  await freeAbandoned(context);
  await using _jobs = service.startJobs();
  await waitUntilSent(context, account, subscriptionId);
  expect(eventsAt(receiver)).toHaveLength(1);
});

test('a subscription that is deleted while it sends stops, and its deliveries are gone', async () => {
  const { context } = service;
  const account = await accountWithEvents(service);
  const released = Promise.withResolvers<void>();
  await using receiver = await startReceiver(async (response) => {
    await released.promise;
    response.end();
  });
  const { subscription_id: id } = await subscribe(account, receiver, { max_events: 1 });
  await using _jobs = service.startJobs();
  await create(account, ...people(0, 3));
  await wakeSubscriptions(context);
  await receiver.reached(1);
  expect((await account.operator('DELETE', `/event-subscriptions/${id}`)).status).toBe(204);
  released.resolve();
  await expect
    .poll(async () => (await sql`select 1 from roster_jobs._private_jobs`.execute(context.db)).rows.length)
    .toBe(0);
  expect(receiver.requests).toHaveLength(1);
  const { rows } = await sql`select 1 from event_deliveries where subscription_id = ${id}`.execute(context.db);
  expect(rows).toHaveLength(0);
});

test('an account that is deleted gets no more events sent', async () => {
  const { context } = service;
  const account = await accountWithEvents(service);
  await using receiver = await startReceiver();
  await subscribe(account, receiver);
  await create(account, ...people(0, 1));
  await sql`update accounts set deleted_at = now() where account_id = ${account.accountId}`.execute(context.db);
  await wakeSubscriptions(context);
  const { rows } = await sql`
    select 1 from event_subscriptions where account_id = ${account.accountId} and phase = 'queued'`.execute(context.db);
  expect(rows).toHaveLength(0);
  expect(receiver.requests).toHaveLength(0);
});
