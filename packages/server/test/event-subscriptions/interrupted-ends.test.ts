import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { sendEvents } from '#features/event-subscriptions/sending/send-events.ts';
import { wakeSubscriptions } from '#features/event-subscriptions/sending/wake.ts';
import { cancelPending } from '#features/event-subscriptions/store/event-delivery-store.ts';
import {
  changeSubscription,
  requireLockedSubscription,
} from '#features/event-subscriptions/store/subscription-store.ts';
import { listQueued, queueSubscriptions } from '#features/event-subscriptions/store/wake-store.ts';
import type { Context } from '#platform/context.ts';
import { startReceiver } from '../callbacks/receiver.ts';
import { startDeliveryService } from '../callbacks/support.ts';
import { forFile } from '../support/for-file.ts';
import { lockWaits } from '../support/lock-waits.ts';
import type { TestAccount } from '../support/service.ts';
import { accountWithEvents, create, deliveriesOf, eventsAt, subscribe, subscriptionOf } from './support.ts';

const service = await forFile(startDeliveryService({ worker: true }));

/** Wakes the subscriptions, and does what the job of one of them does. */
async function send(context: Context, { accountId }: TestAccount, id: string): Promise<void> {
  await wakeSubscriptions(context);
  const payload = { account_id: accountId, subscription_id: id };
  const { signal } = new AbortController();
  await sendEvents(context, payload, { jobId: '1', signal } as Parameters<typeof sendEvents>[2]);
}

test('a subscription that is moved while an attempt ends causes no deadlock', async () => {
  const { context } = service;
  const account = await accountWithEvents(service);
  const released = Promise.withResolvers<void>();
  await using receiver = await startReceiver(async (response) => {
    await released.promise;
    response.end();
  });
  const { subscription_id: id } = await subscribe(account, receiver);
  await create(account, { identity: 'asha@example.com' });
  const key = { accountId: account.accountId, subscriptionId: id };
  const sent = send(context, account, id);
  await receiver.reached(1);
  const moved = context.db.transaction().execute(async (trx) => {
    await requireLockedSubscription(trx, key);
    released.resolve();
    await expect.poll(async () => (await context.pool.query(lockWaits)).rows.length).toBeGreaterThan(0);
    await cancelPending(trx, key, context.now());
    await changeSubscription(trx, key, { position: 1 });
  });
  await expect(Promise.allSettled([moved, sent])).resolves.toEqual([
    { status: 'fulfilled', value: undefined },
    { status: 'fulfilled', value: undefined },
  ]);
  expect(await deliveriesOf(account, id)).toMatchObject([{ status: 'cancelled' }]);
  expect(await subscriptionOf(account, id)).toMatchObject({ status: 'active', position: 1 });
});

test('two processes that wake the same subscriptions do not wait for each other', async () => {
  const { context } = service;
  const account = await accountWithEvents(service);
  await using receiver = await startReceiver();
  const keyOf = async () => {
    const { subscription_id: subscriptionId } = await subscribe(account, receiver);
    return { accountId: account.accountId, subscriptionId };
  };
  const [first, second] = [await keyOf(), await keyOf()];
  const queued = async () => (await listQueued(context.db)).map(({ subscriptionId }) => subscriptionId).toSorted();
  await context.db.transaction().execute(async (trx) => {
    // What the other process has locked so far.
    await requireLockedSubscription(trx, second);
    const waits = vi.waitUntil(async () => (await context.pool.query(lockWaits)).rows.length > 0, { timeout: 20_000 });
    waits.catch(() => undefined);
    const woken = queueSubscriptions(context.db, [first, second]);
    expect(await Promise.race([woken, waits])).toBeUndefined();
    expect(await queued()).toEqual([first.subscriptionId]);
  });
  await queueSubscriptions(context.db, [first, second]);
  expect(await queued()).toEqual([first.subscriptionId, second.subscriptionId].toSorted());
});

test('a subscription whose receiver is gone is paused, even if the first attempt to pause it fails', async () => {
  const { context } = service;
  const account = await accountWithEvents(service);
  await using receiver = await startReceiver((response) => {
    response.statusCode = 410;
    response.end();
  });
  const { subscription_id: id } = await subscribe(account, receiver);
  await create(account, { identity: 'asha@example.com' });
  await sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`.execute(
    context.db,
  );
  await sql`
    create trigger refuse before update on event_subscriptions for each row
    when (new.paused_at is not null) execute function refuse()`.execute(context.db);
  await expect(send(context, account, id)).rejects.toThrow('refused');
  await sql`drop trigger refuse on event_subscriptions`.execute(context.db);
  await send(context, account, id);
  expect(await subscriptionOf(account, id)).toMatchObject({
    status: 'paused',
    pause: { reason: 'receiver_gone' },
    pending: { status_code: 410, next_attempt_at: null },
  });
});

test('a job that skips events for long gives its place to other subscriptions', async () => {
  const { context } = service;
  const account = await accountWithEvents(service);
  await using receiver = await startReceiver();
  const filter = {
    filtering_criteria: [
      {
        condition_details: [
          { field: 'contact_type', field_category: 'config', operation: 'equals', value: ['identified'] },
        ],
      },
    ],
  };
  const { subscription_id: id } = await subscribe(account, receiver, { max_events: 1, filter });
  const data = { contact_type: 'anonymous', contacts: [{ email: 'asha@example.com' }] };
  expect((await account.v5('/contact/create', { data })).status).toBe(200);
  await create(account, { identity: 'ben@example.com' });
  const at = performance.now();
  using clock = vi.spyOn(performance, 'now').mockReturnValue(at);
  // Each read of events takes a minute.
  const slow: Context = {
    ...context,
    newId() {
      clock.mockReturnValue(performance.now() + 60_000);
      return context.newId();
    },
  };
  await send(slow, account, id);
  expect(receiver.requests).toHaveLength(0);
  expect(await subscriptionOf(account, id)).toMatchObject({ status: 'active', position: 1 });
  await send(slow, account, id);
  expect(eventsAt(receiver).map(({ position }) => position)).toEqual([2]);
});
