import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { deleteOldEvents } from '#features/events/event-retention.ts';
import { sendTestEvent } from '#features/event-subscriptions/sending/test-event.ts';
import { wakeSubscriptions } from '#features/event-subscriptions/sending/wake.ts';
import { useLongPauses } from '../callbacks/support.ts';
import { closedPort, startReceiver } from '../callbacks/receiver.ts';
import { contactId, erased, finished } from '../erasures/support.ts';
import { forFile } from '../support/for-file.ts';
import type { TestAccount } from '../support/service.ts';
import { verify } from '../support/standard-webhooks.ts';
import {
  accountWithEvents,
  bodies,
  create,
  deliveriesOf,
  eventsAt,
  kinds,
  skipPauses,
  startSendingService,
  subscribe,
  subscriptionOf,
  update,
  waitForSubscription,
  waitUntilSent,
} from './support.ts';

const service = await forFile(startSendingService());

const people = (count: number) => Array.from({ length: count }, (_, at) => ({ identity: `p${at}@example.com` }));
const cities = async (account: TestAccount, ...names: string[]): Promise<void> => {
  for (const name of names) {
    await update(account, ...people(3).map((one) => ({ ...one, attributes: { CITY: name } })));
  }
};

test('a subscription gets every event once, in order, in signed batches', async () => {
  const account = await accountWithEvents(service);
  await using receiver = await startReceiver();
  const { subscription_id: id, secret } = await subscribe(account, receiver, { max_events: 2 });
  await create(account, ...people(3));
  await cities(account, 'Ulm', 'Bonn');
  const after = await waitUntilSent(service.context, account, id);
  const { body: feed } = await account.operator('GET', '/event-feed');
  expect(eventsAt(receiver)).toEqual(feed.data);
  expect(feed.data).toHaveLength(9);
  expect(after).toMatchObject({ position: 9, last_position: 9, lag: { events: 0, seconds: 0 } });
  const sent = bodies(receiver);
  expect(sent.map(({ data }) => data.events.length)).toEqual([2, 2, 2, 2, 1]);
  expect(sent[0]).toMatchObject({ type: 'events', data: { account_id: account.accountId, subscription_id: id } });
  const deliveries = await deliveriesOf(account, id);
  expect(deliveries.map(({ status, events, attempts }) => [status, events, attempts])).toEqual(
    [2, 2, 2, 2, 1].map((events) => ['delivered', events, 1]),
  );
  for (const [index, { headers, body }] of receiver.requests.entries()) {
    expect(headers['webhook-id']).toBe(deliveries[index]!.delivery_id);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Roster/),
    });
    expect(verify(secret, body, headers)).toEqual(sent[index]);
    expect(() => verify(secret, `${body} `, headers)).toThrow('No matching signature');
    expect(() => verify(secret, body, { ...headers, 'webhook-id': 'another' })).toThrow('No matching signature');
    const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    expect(() => verify(other, body, headers)).toThrow('No matching signature');
  }
});

test('a batch that fails is sent again with the same id and the same events before later events', async () => {
  useLongPauses();
  const account = await accountWithEvents(service);
  let fails = true;
  await using receiver = await startReceiver((response) => {
    response.statusCode = fails ? 503 : 204;
    response.end();
  });
  const { subscription_id: id } = await subscribe(account, receiver);
  await create(account, ...people(3));
  const failing = await waitForSubscription(
    service.context,
    account,
    id,
    ({ pending }) => pending?.status_code === 503,
  );
  expect(failing).toMatchObject({
    position: 0,
    lag: { events: 3 },
    pending: { attempts: 1, error: { code: 'bad_status' } },
  });
  await cities(account, 'Ulm');
  await wakeSubscriptions(service.context);
  fails = false;
  await skipPauses(service.context);
  await waitUntilSent(service.context, account, id);
  const sent = bodies(receiver);
  expect(sent).toHaveLength(3);
  expect(sent[1]!.data).toEqual(sent[0]!.data);
  const ids = receiver.requests.map(({ headers }) => headers['webhook-id']);
  expect(ids[1]).toBe(ids[0]);
  expect(ids[2]).not.toBe(ids[0]);
  expect(sent[2]!.data.events.map(({ position }) => position)).toEqual([4, 5, 6]);
});

test('events of each contact stay in order while the receiver fails at random', async () => {
  const account = await accountWithEvents(service);
  let count = 0;
  const accepted: number[] = [];
  await using receiver = await startReceiver((response, { body }) => {
    const isGood = ++count % 3 === 0;
    response.statusCode = isGood ? 200 : 500;
    const { data } = JSON.parse(body) as { data: { events: { position: number }[] } };
    if (isGood) accepted.push(...data.events.map(({ position }) => position));
    response.end();
  });
  const { subscription_id: id } = await subscribe(account, receiver, { max_events: 4 });
  await create(account, ...people(3));
  await cities(account, 'Ulm', 'Bonn', 'Kiel', 'Jena', 'Köln');
  await waitForSubscription(service.context, account, id, ({ lag, pending }) => {
    void skipPauses(service.context);
    return lag.events === 0 && pending === null;
  });
  expect(accepted).toEqual(Array.from({ length: 18 }, (_, at) => at + 1));
});

test('kinds and a filter choose the events, and fields show the contact as it is now', async () => {
  const account = await accountWithEvents(service);
  await using receiver = await startReceiver();
  const filter = {
    filtering_criteria: [{ condition_details: [{ field: 'CITY', operation: 'equals', value: ['Ulm'] }] }],
  };
  const { subscription_id: id } = await subscribe(account, receiver, {
    kinds: ['contact.updated', 'contact.deleted'],
    filter,
    fields: ['email', 'CITY', 'list_id'],
  });
  await create(account, ...people(3));
  await update(account, { identity: 'p0@example.com', attributes: { CITY: 'Ulm' } });
  await update(account, { identity: 'p1@example.com', attributes: { CITY: 'Bonn' } });
  await account.apply('/contact/delete', { data: { contacts: [{ identity: 'p2@example.com' }] } });
  await waitUntilSent(service.context, account, id);
  const events = eventsAt(receiver);
  expect(events.map(({ kind, contact }) => [kind, contact])).toEqual([
    ['contact.updated', { email: 'p0@example.com', CITY: 'Ulm', list_id: [] }],
    ['contact.deleted', null],
  ]);
  expect(await subscriptionOf(account, id)).toMatchObject({
    filter: { ...filter },
    fields: ['email', 'CITY', 'list_id'],
  });
});

test('a subscription learns that events were off, also with a filter and fields', async () => {
  const account = await accountWithEvents(service);
  await using receiver = await startReceiver();
  const { subscription_id: id } = await subscribe(account, receiver, {
    filter: { filtering_criteria: [{ condition_details: [{ field: 'CITY', operation: 'equals', value: ['Ulm'] }] }] },
    fields: ['EMAIL'],
  });
  for (const events of [false, true]) await account.operator('PATCH', '', { settings: { events } });
  await waitUntilSent(service.context, account, id);
  expect(kinds(eventsAt(receiver))).toEqual(['events.stopped', 'events.started']);
});

test('masked values stay masked, and a subscription that shows them needs the right of its author', async () => {
  const account = await accountWithEvents(service);
  await using receiver = await startReceiver();
  await using open = await startReceiver();
  await create(account, { identity: 'ada@example.com', attributes: { CITY: 'Ulm' } });
  await service.context.db
    .updateTable('attributes')
    .where('account_id', '=', account.accountId)
    .where('name', '=', 'CITY')
    .set({ data_masking: 'full' as never })
    .execute();
  const masked = await subscribe(account, receiver, { fields: ['CITY'], after: 0 });
  const unmasked = await subscribe(account, open, { fields: ['CITY'], unmasked: true, after: 0 });
  await waitUntilSent(service.context, account, masked.subscription_id);
  await waitUntilSent(service.context, account, unmasked.subscription_id);
  expect(JSON.stringify(eventsAt(receiver)[0]!.contact)).not.toContain('Ulm');
  expect(eventsAt(open)[0]!.contact).toEqual({ CITY: 'Ulm' });
  await sql`update event_subscriptions set author = 'user:999' where subscription_id = ${unmasked.subscription_id}`.execute(
    service.context.db,
  );
  await update(account, { identity: 'ada@example.com', attributes: { CITY: 'Bonn' } });
  const paused = await waitForSubscription(
    service.context,
    account,
    unmasked.subscription_id,
    ({ status }) => status === 'paused',
  );
  expect(paused.pause).toMatchObject({ reason: 'author_rights' });
  expect(open.requests).toHaveLength(1);
});

test('an erased person leaves events without details, in retries and replays too', async () => {
  useLongPauses();
  const account = await accountWithEvents(service);
  let fails = true;
  await using receiver = await startReceiver((response) => {
    response.statusCode = fails ? 500 : 200;
    response.end();
  });
  const { subscription_id: id } = await subscribe(account, receiver, { fields: ['EMAIL'] });
  await create(account, { identity: 'ada@example.com' });
  await waitForSubscription(service.context, account, id, ({ pending }) => pending?.status_code === 500);
  expect(receiver.requests[0]!.body).toContain('ada@example.com');
  await finished(account, (await erased(account, await contactId(account, 'ada@example.com'))).request_id);
  const { rows } = await sql<{ text: string }>`
    select row_to_json(d)::text as text from event_deliveries d where account_id = ${account.accountId}
    union all select row_to_json(s)::text from event_subscriptions s where account_id = ${account.accountId}`.execute(
    service.context.db,
  );
  expect(rows.map(({ text }) => text).join('')).not.toContain('ada@example.com');
  fails = false;
  await skipPauses(service.context);
  await waitUntilSent(service.context, account, id);
  const again = bodies(receiver)[1]!.data.events;
  expect(again.map(({ kind, details, contact }) => [kind, details, contact])).toEqual([['contact.created', {}, null]]);
  expect(kinds(eventsAt(receiver).slice(2))).toEqual(['contact.erased']);
});

test('after the last attempt a subscription is paused, and resuming sends the same batch', async () => {
  const account = await accountWithEvents(service);
  let fails = true;
  await using receiver = await startReceiver((response) => {
    response.statusCode = fails ? 500 : 200;
    response.end();
  });
  const { subscription_id: id } = await subscribe(account, receiver);
  await create(account, ...people(3));
  await waitForSubscription(service.context, account, id, ({ pending }) => pending?.status_code === 500);
  await sql`update event_deliveries set cycle_started_at = now() - interval '25 hours' where subscription_id = ${id}`.execute(
    service.context.db,
  );
  await skipPauses(service.context);
  const paused = await waitForSubscription(service.context, account, id, ({ status }) => status === 'paused');
  expect(paused).toMatchObject({
    position: 0,
    pause: { reason: 'retries_ended', message: 'All attempts in 24 hours failed.' },
    pending: { next_attempt_at: null, attempts: 2 },
  });
  fails = false;
  expect((await account.operator('PATCH', `/event-subscriptions/${id}`, { paused: false })).body).toMatchObject({
    status: 'active',
    pause: null,
  });
  await waitUntilSent(service.context, account, id);
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(
    eventsAt(receiver)
      .slice(-3)
      .map(({ position }) => position),
  ).toEqual([1, 2, 3]);
});

test('with when_failed continue, a failed batch is a dead letter, and can be sent again', async () => {
  const account = await accountWithEvents(service);
  let fails = true;
  await using receiver = await startReceiver((response) => {
    response.statusCode = fails ? 500 : 200;
    response.end();
  });
  const { subscription_id: id } = await subscribe(account, receiver, { when_failed: 'continue' });
  await create(account, ...people(3));
  await waitForSubscription(service.context, account, id, ({ pending }) => pending?.status_code === 500);
  await sql`update event_deliveries set cycle_started_at = now() - interval '25 hours' where subscription_id = ${id}`.execute(
    service.context.db,
  );
  await skipPauses(service.context);
  const after = await waitForSubscription(
    service.context,
    account,
    id,
    ({ dead_letters: dead, lag }) => dead === 1 && lag.events === 0,
  );
  expect(after).toMatchObject({ status: 'active', position: 3, lag: { events: 0 }, pending: null });
  const [dead] = await deliveriesOf(account, id, '?status=failed');
  expect(dead).toMatchObject({
    first_position: 1,
    last_position: 3,
    events: 3,
    attempts: 2,
    error: { code: 'bad_status' },
  });
  fails = false;
  await cities(account, 'Ulm');
  await waitUntilSent(service.context, account, id);
  const path = `/event-subscriptions/${id}/deliveries/${dead!.delivery_id}/replay`;
  expect((await account.operator('POST', path)).body).toMatchObject({ status: 'pending', replayed: true });
  expect((await account.operator('POST', path)).status).toBe(409);
  await waitForSubscription(service.context, account, id, () => receiver.requests.length === 4);
  await waitForSubscription(service.context, account, id, ({ dead_letters: left }) => left === 0);
  const last = receiver.requests.at(-1)!;
  expect(last.headers['webhook-id']).toBe(dead!.delivery_id);
  expect(
    bodies(receiver)
      .at(-1)!
      .data.events.map(({ position }) => position),
  ).toEqual([1, 2, 3]);
  expect(await subscriptionOf(account, id)).toMatchObject({ position: 6 });
});

test('a receiver that returns 410 pauses its subscription at once', async () => {
  const account = await accountWithEvents(service);
  await using receiver = await startReceiver((response) => void response.writeHead(410).end());
  const { subscription_id: id } = await subscribe(account, receiver, { when_failed: 'continue' });
  await create(account, ...people(1));
  const paused = await waitForSubscription(service.context, account, id, ({ status }) => status === 'paused');
  expect(paused.pause).toMatchObject({ reason: 'receiver_gone' });
  expect(receiver.requests).toHaveLength(1);
});

test('a paused subscription sends nothing, and catches up when it is resumed', async () => {
  const account = await accountWithEvents(service);
  await using receiver = await startReceiver();
  const { subscription_id: id } = await subscribe(account, receiver);
  const paused = await account.operator('PATCH', `/event-subscriptions/${id}`, { paused: true });
  expect(paused.body).toMatchObject({ status: 'paused', pause: { reason: 'by_hand' } });
  await create(account, ...people(3));
  await wakeSubscriptions(service.context);
  expect(await subscriptionOf(account, id)).toMatchObject({ lag: { events: 3 }, position: 0 });
  expect(receiver.requests).toHaveLength(0);
  await account.operator('PATCH', `/event-subscriptions/${id}`, { paused: false });
  await waitUntilSent(service.context, account, id);
  expect(kinds(eventsAt(receiver))).toEqual(Array.from({ length: 3 }, () => 'contact.created'));
});

test('a subscription that is paused while a batch waits shows no time of an attempt', async () => {
  useLongPauses();
  const account = await accountWithEvents(service);
  await using receiver = await startReceiver((response) => {
    response.statusCode = 500;
    response.end();
  });
  const { subscription_id: id } = await subscribe(account, receiver);
  await create(account, ...people(1));
  const failed = await waitForSubscription(service.context, account, id, ({ pending }) => pending?.status_code === 500);
  expect(failed.pending?.next_attempt_at).not.toBeNull();
  const set = (paused: boolean) => account.operator('PATCH', `/event-subscriptions/${id}`, { paused });
  expect((await set(true)).body.pending).toMatchObject({ attempts: 1, next_attempt_at: null });
  // The next attempt is due at once.
  expect((await set(false)).body.pending.next_attempt_at).not.toBeNull();
});

test('a subscription that is behind the retention is paused, and continues from a kept position', async () => {
  const account = await accountWithEvents(service);
  await using receiver = await startReceiver();
  const { subscription_id: id } = await subscribe(account, receiver);
  await account.operator('PATCH', `/event-subscriptions/${id}`, { paused: true });
  await create(account, ...people(3));
  const resume = () => account.operator('PATCH', `/event-subscriptions/${id}`, { paused: false });
  await sql`update event_groups set occurred_at = now() - interval '400 days' where account_id = ${account.accountId}`.execute(
    service.context.db,
  );
  await deleteOldEvents(service.context, new AbortController().signal);
  const refused = await resume();
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([
    410,
    expect.stringContaining('Events up to position 3 are deleted'),
  ]);
  // The events can also expire while the subscription is active.
  await sql`update event_subscriptions set paused_at = null, pause_reason = null where subscription_id = ${id}`.execute(
    service.context.db,
  );
  const expired = await waitForSubscription(service.context, account, id, ({ status }) => status === 'paused');
  expect(expired.pause).toMatchObject({ reason: 'events_expired', message: expect.stringContaining('position 3') });
  const tooOld = await account.operator('POST', `/event-subscriptions/${id}/replay`, { after: 2 });
  expect(tooOld.status).toBe(410);
  expect((await account.operator('POST', `/event-subscriptions/${id}/replay`, { after: 3 })).body).toMatchObject({
    position: 3,
    status: 'paused',
  });
  expect((await resume()).status).toBe(200);
  await update(account, { identity: 'p0@example.com', attributes: { CITY: 'Ulm' } });
  await waitUntilSent(service.context, account, id);
  expect(eventsAt(receiver).map(({ position }) => position)).toEqual([4]);
});

test('replaying from a position sends the events after it again, and cancels a waiting delivery', async () => {
  useLongPauses();
  const account = await accountWithEvents(service);
  let fails = false;
  await using receiver = await startReceiver((response) => {
    response.statusCode = fails ? 500 : 200;
    response.end();
  });
  const { subscription_id: id } = await subscribe(account, receiver);
  await create(account, ...people(3));
  await waitUntilSent(service.context, account, id);
  fails = true;
  await cities(account, 'Ulm');
  await waitForSubscription(service.context, account, id, ({ pending }) => pending?.status_code === 500);
  fails = false;
  const moved = await account.operator('POST', `/event-subscriptions/${id}/replay`, { after: 1 });
  expect(moved.body).toMatchObject({ position: 1, pending: null, lag: { events: 5 } });
  await waitUntilSent(service.context, account, id);
  expect(
    bodies(receiver)
      .at(-1)!
      .data.events.map(({ position }) => position),
  ).toEqual([2, 3, 4, 5, 6]);
  expect((await deliveriesOf(account, id)).map(({ status }) => status)).toEqual([
    'delivered',
    'cancelled',
    'delivered',
  ]);
  const beyond = await account.operator('POST', `/event-subscriptions/${id}/replay`, { after: 7 });
  expect([beyond.status, beyond.body.errors[0]]).toMatchObject([400, { code: 'out_of_range', field: 'after' }]);
});

test('a test event is sent once and its outcome is returned', async () => {
  const account = await accountWithEvents(service);
  await using receiver = await startReceiver();
  const { subscription_id: id, secret } = await subscribe(account, receiver);
  const { body } = await account.operator('POST', `/event-subscriptions/${id}/test`);
  expect(body).toMatchObject({ delivered: true, status_code: 200, error: null });
  const [request] = receiver.requests;
  expect(request!.headers['webhook-id']).toBe(body.delivery_id);
  expect(verify(secret, request!.body, request!.headers)).toMatchObject({
    type: 'test',
    data: { events: [{ kind: 'test', position: 0 }] },
  });
  const nobody = { port: await closedPort() };
  const other = await subscribe(account, nobody);
  const failed = await account.operator('POST', `/event-subscriptions/${other.subscription_id}/test`);
  expect(failed.body).toMatchObject({ delivered: false, status_code: null, error: { code: 'connection_failed' } });
});

test('a verifier refuses a delivery that is older than five minutes', async () => {
  const account = await accountWithEvents(service);
  await using receiver = await startReceiver();
  const { subscription_id: id, secret } = await subscribe(account, receiver);
  const row = await service.context.db
    .selectFrom('event_subscriptions')
    .where('subscription_id', '=', id)
    .selectAll()
    .executeTakeFirstOrThrow();
  for (const minutes of [-6, 6]) {
    await sendTestEvent({ ...service.context, now: () => new Date(Date.now() + minutes * 60_000) }, row);
  }
  const [old, early] = receiver.requests;
  expect(() => verify(secret, old!.body, old!.headers)).toThrow('Message timestamp too old');
  expect(() => verify(secret, early!.body, early!.headers)).toThrow('Message timestamp too new');
});

test('after a rotation both secrets verify for 24 hours', async () => {
  const account = await accountWithEvents(service);
  await using receiver = await startReceiver();
  const { subscription_id: id, secret: first } = await subscribe(account, receiver);
  const rotated = await account.operator('POST', `/event-subscriptions/${id}/secret/rotate`);
  const second = rotated.body.secret as string;
  expect(second).toMatch(/^whsec_/);
  expect(second).not.toBe(first);
  const sendTest = async () => {
    await account.operator('POST', `/event-subscriptions/${id}/test`);
    return receiver.requests.at(-1)!;
  };
  const both = await sendTest();
  for (const secret of [first, second]) expect(verify(secret, both.body, both.headers)).toBeDefined();
  await sql`update event_subscriptions set previous_expires_at = now() - interval '1 second' where subscription_id = ${id}`.execute(
    service.context.db,
  );
  const one = await sendTest();
  expect(verify(second, one.body, one.headers)).toBeDefined();
  expect(() => verify(first, one.body, one.headers)).toThrow('No matching signature');
  expect(JSON.stringify(await subscriptionOf(account, id))).not.toContain('whsec_');
});

test('a receiver that does not respond delays no other subscription', async () => {
  const account = await accountWithEvents(service);
  const release = Promise.withResolvers<void>();
  await using slow = await startReceiver(async (response) => {
    await release.promise;
    response.end();
  });
  await using quick = await startReceiver();
  const { subscription_id: slowId } = await subscribe(account, slow);
  const { subscription_id: quickId } = await subscribe(account, quick);
  await create(account, ...people(1));
  await waitForSubscription(service.context, account, slowId, () => slow.requests.length === 1);
  await create(account, ...people(3));
  await waitUntilSent(service.context, account, quickId);
  expect(eventsAt(quick)).toHaveLength(3);
  expect(await subscriptionOf(account, slowId)).toMatchObject({ position: 0, pending: { attempts: 1 } });
  // One delivery at a time: the second event waits for the response to the first.
  await wakeSubscriptions(service.context);
  expect(slow.requests).toHaveLength(1);
  release.resolve();
  await waitUntilSent(service.context, account, slowId);
  expect(eventsAt(slow).map(({ position }) => position)).toEqual([1, 2, 3]);
});

test('a receiver inside the network is refused when the batch is sent', async () => {
  const account = await accountWithEvents(service);
  const { body } = await account.operator('POST', '/event-subscriptions', {
    name: 'Inside',
    url: 'https://inside.example.com/events',
  });
  await create(account, ...people(1));
  const after = await waitForSubscription(
    service.context,
    account,
    body.subscription_id,
    ({ pending }) => pending?.error != null,
  );
  expect(after.pending).toMatchObject({ error: { code: 'address_refused' }, status_code: null });
});
