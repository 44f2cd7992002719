import type { CreatedEventSubscription, EventDelivery, EventSubscription } from '@roster/contract';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { wakeSubscriptions } from '#features/event-subscriptions/sending/wake.ts';
import type { SentEvent } from '#features/event-subscriptions/sending/compose.ts';
import type { Context } from '#platform/context.ts';
import { until } from '../crash/wait.ts';
import type { Receiver } from '../callbacks/receiver.ts';
import { startDeliveryService } from '../callbacks/support.ts';
import type { TestAccount, TestService } from '../support/service.ts';

/** Starts a service that applies requests and sends events. Receivers are on this machine. */
export async function startSendingService(): Promise<TestService> {
  const service = await startDeliveryService({ worker: true });
  const jobs = service.startJobs();
  return {
    ...service,
    async [Symbol.asyncDispose]() {
      await jobs[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}

/** An account that records events. */
export async function accountWithEvents(service: TestService): Promise<TestAccount> {
  const account = await service.createAccount();
  expect((await account.operator('PATCH', '', { settings: { events: true } })).status).toBe(200);
  return account;
}

/** Creates contacts, each by its identity and other fields. */
export const create = (account: TestAccount, ...contacts: object[]) => account.createContacts(contacts);
/** Updates contacts. */
export const update = (account: TestAccount, ...contacts: object[]) => account.updateContacts(contacts);

/** Creates a subscription whose receiver is on this machine. */
export async function subscribe(
  account: TestAccount,
  { port }: Pick<Receiver, 'port'>,
  body: object = {},
): Promise<CreatedEventSubscription> {
  const url = `http://receiver.test:${port}/events`;
  const answer = await account.operator('POST', '/event-subscriptions', { name: 'Test', url, ...body });
  expect(answer.body).toMatchObject({ status: 'active' });
  return answer.body as CreatedEventSubscription;
}

/** A subscription as operators see it. */
export async function subscriptionOf(account: TestAccount, id: string): Promise<EventSubscription> {
  return (await account.operator('GET', `/event-subscriptions/${id}`)).body as EventSubscription;
}

/** The deliveries of a subscription, oldest first. */
export async function deliveriesOf(account: TestAccount, id: string, query = ''): Promise<EventDelivery[]> {
  const { body } = await account.operator('GET', `/event-subscriptions/${id}/deliveries${query}`);
  return (body.data as EventDelivery[]).toReversed();
}

/** Waits until a subscription fulfils a condition, and returns it. Meanwhile, it wakes subscriptions. */
export async function waitForSubscription(
  context: Context,
  account: TestAccount,
  id: string,
  is: (subscription: EventSubscription) => boolean,
): Promise<EventSubscription> {
  let seen: EventSubscription | undefined;
  try {
    return await until('a subscription as wanted', 25_000, async () => {
      await wakeSubscriptions(context);
      seen = await subscriptionOf(account, id);
      return is(seen) ? seen : undefined;
    });
  } catch (error) {
    throw new Error(`${String(error)}; it is ${JSON.stringify(seen)}`, { cause: error });
  }
}

/** Waits until a subscription has sent every event, and its job has ended. */
export async function waitUntilSent(context: Context, account: TestAccount, id: string): Promise<EventSubscription> {
  return waitForSubscription(
    context,
    account,
    id,
    ({ lag, pending, status }) => status === 'active' && lag.events === 0 && pending === null,
  );
}

/** The body of a delivery. */
export interface Received {
  readonly type: string;
  readonly timestamp: string;
  readonly data: {
    readonly account_id: number;
    readonly subscription_id: string;
    readonly events: readonly SentEvent[];
  };
}

/** The bodies that a receiver got. */
export const bodies = (receiver: Receiver): Received[] =>
  receiver.requests.map(({ body }) => JSON.parse(body) as Received);
/** The events that a receiver got, in order, also those that it refused. */
export const eventsAt = (receiver: Receiver): SentEvent[] => bodies(receiver).flatMap(({ data }) => [...data.events]);
/** The kinds of events. */
export const kinds = (events: readonly SentEvent[]): string[] => events.map(({ kind }) => kind);

/** Ends the pause before the next attempt of each delivery. */
export async function skipPauses({ db }: Context): Promise<void> {
  await sql`update event_deliveries set next_attempt_at = now() - interval '1 second' where status = 'pending'`.execute(
    db,
  );
}

/** Stores a dead letter of a subscription, which covers the first event, and returns its id. */
export async function writeDeadLetter(context: Context, accountId: number, subscriptionId: string): Promise<string> {
  const now = context.now();
  const { delivery_id: id } = await context.db
    .insertInto('event_deliveries')
    .values({
      account_id: accountId,
      subscription_id: subscriptionId,
      delivery_id: context.newId(),
      after_position: 0,
      last_position: 1,
      events: 1,
      status: 'failed',
      attempts: 30,
      status_code: 500,
      error_code: 'bad_status',
      cycle_started_at: now,
      created_at: now,
      finished_at: now,
    })
    .returning('delivery_id')
    .executeTakeFirstOrThrow();
  return id;
}
