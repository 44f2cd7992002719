import type { AccountEvent } from '@roster/contract';
import { afterAll, expect, test } from 'vitest';
import { deleteOldEvents } from '#features/events/event-retention.ts';
import { eventWrites } from '#features/events/event-store.ts';
import { contactId, erased, finished } from '../erasures/support.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { onEachServer } from '../support/cluster.ts';
import { lockWaits } from '../support/lock-waits.ts';

const service = await forFile(startTestService());
let jobs = service.startJobs();
afterAll(() => jobs[Symbol.asyncDispose]());

async function accountWith(settings: object = { events: true }): Promise<TestAccount> {
  const account = await service.createAccount();
  expect((await account.operator('PATCH', '', { settings })).status).toBe(200);
  return account;
}
const create = (account: TestAccount, ...contacts: object[]) => account.createContacts(contacts);
const update = (account: TestAccount, ...contacts: object[]) => account.updateContacts(contacts);

/** Reads the whole feed page by page. */
async function feed(account: TestAccount, limit = 1000): Promise<AccountEvent[]> {
  const all: AccountEvent[] = [];
  for (let after = 0; ;) {
    const { body } = await account.operator('GET', `/event-feed?after=${after}&limit=${limit}`);
    if (body.data.length === 0) return all;
    all.push(...body.data);
    after = body.next_after;
  }
}
const short = (events: readonly AccountEvent[]) => events.map(({ kind, details }) => [kind, details]);

test('every change of a contact is an event, in order, and names what changed', async () => {
  const account = await accountWith();
  const list = await account.createList('News');
  const identity = 'ada@example.com';
  await create(account, { identity, attributes: { CITY: 'Pune' }, audience_details: [{ audience_id: list }] });
  await update(account, { identity, attributes: { CITY: 'Ulm' }, mobile: '491701234567' });
  await update(account, { identity, attributes: { CITY: 'Ulm' } });
  await update(account, { identity, subscriptions: { sms: false } });
  await update(account, { identity, subscriptions: { sms: true } });
  await update(account, { identity, audience_details: [{ audience_id: list, action: 'remove' }] });
  const id = await contactId(account, identity);
  await account.apply('/contact/delete', { data: { contacts: [{ identity }] } });
  const events = await feed(account, 2);
  expect(short(events)).toEqual([
    ['contact.created', { contact_type: 'identified' }],
    ['contact.joined_list', { list_id: list }],
    ['contact.updated', { fields: ['mobile', 'attributes.CITY'] }],
    ['contact.opted_out', { channel: 'sms' }],
    ['contact.opted_in', { channel: 'sms' }],
    ['contact.left_list', { list_id: list }],
    ['contact.deleted', {}],
  ]);
  expect(events.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(new Set(events.map(({ contact_id }) => contact_id))).toEqual(new Set([id]));
  expect(events.every(({ request_id }) => request_id !== null)).toBe(true);
});

test('an item that fails, and an account without the setting, write no events', async () => {
  const account = await accountWith();
  await update(account, { identity: 'nobody@example.com', attributes: { CITY: 'Ulm' } });
  expect(await feed(account)).toEqual([]);
  const without = await service.createAccount();
  await create(without, { identity: 'a@example.com' });
  const { body } = await without.operator('GET', '/event-feed');
  expect(body).toEqual({ data: [], next_after: 0, last_position: 0 });
});

test('switching events off and on again leaves two marks, with the time of the gap', async () => {
  const account = await accountWith();
  const change = (settings: object) => account.operator('PATCH', '', { settings });
  await create(account, { identity: 'before@example.com' });
  await change({ events: false });
  await change({ events: false, event_retention_days: 8 });
  await create(account, { identity: 'between@example.com' });
  await Promise.all([change({ events: true }), change({ events: true })]);
  await create(account, { identity: 'after@example.com' });
  const events = await feed(account);
  expect(events.map(({ kind }) => kind)).toEqual([
    'contact.created',
    'events.stopped',
    'events.started',
    'contact.created',
  ]);
  const [, stopped, started] = events;
  expect(stopped).toMatchObject({ position: 2, contact_id: null, request_id: null, details: {} });
  expect(started).toMatchObject({ details: { since: stopped!.occurred_at, until: started!.occurred_at } });
});

test('the end of a gap has no beginning when the events before it are deleted', async () => {
  const account = await accountWith();
  await account.operator('PATCH', '', { settings: { events: false } });
  await service.context.db.deleteFrom('event_groups').where('account_id', '=', account.accountId).execute();
  await account.operator('PATCH', '', { settings: { events: true } });
  const { body } = await account.operator('GET', '/event-feed?after=1');
  expect(body.data).toMatchObject([{ kind: 'events.started', position: 2, details: { since: null } }]);
});

test('an account that never had events has no marks in its feed', async () => {
  const account = await accountWith();
  expect(await feed(account)).toEqual([]);
  const other = await service.createAccount();
  await other.operator('PATCH', '', { settings: { events: false } });
  expect(await feed(other)).toEqual([]);
});

test('an event never shows whether a guessed value of a masked attribute is right', async () => {
  const account = await accountWith();
  const identity = 'ada@example.com';
  await create(account, { identity, attributes: { CITY: 'Pune' } });
  const { attribute_id: city } = await service.context.db
    .updateTable('attributes')
    .where('account_id', '=', account.accountId)
    .where('name', '=', 'CITY')
    .set({ data_masking: 'full' as never })
    .returning('attribute_id')
    .executeTakeFirstOrThrow();
  expect(city).toBeGreaterThan(0);
  await update(account, { identity, attributes: { CITY: 'Pune' } });
  await update(account, { identity, attributes: { CITY: 'Ulm' } });
  expect(short(await feed(account)).slice(1)).toEqual([
    ['contact.updated', { fields: [] }],
    ['contact.updated', { fields: [] }],
  ]);
});

test('deleting a list or an attribute, and taking a contact from the blacklist, are events', async () => {
  const account = await accountWith();
  const list = await account.createList('News');
  const identity = 'ada@example.com';
  await account.createAttributes([{ name: 'SHOE_SIZE', data_type: 'number' }]);
  await create(account, { identity, attributes: { SHOE_SIZE: 41 } });
  await update(account, { identity, subscriptions: { email: false, sms: false, whatsapp: false } });
  await update(account, { identity, subscriptions: { email: true, sms: true, whatsapp: true } });
  await account.operator('DELETE', `/lists/${list}`);
  await account.apply('/client/attribute/delete', { data: [{ name: 'SHOE_SIZE' }] });
  const events = short(await feed(account));
  expect(events.slice(-2)).toEqual([
    ['list.deleted', { list_id: list }],
    ['attribute.deleted', { name: 'SHOE_SIZE' }],
  ]);
  const kinds = events.map(([kind]) => kind);
  expect(kinds).toContain('contact.blacklisted');
  expect(kinds.indexOf('contact.unblacklisted')).toBeGreaterThan(kinds.indexOf('contact.blacklisted'));
});

test('imports and exports that fail or are cancelled are events', async () => {
  const account = await accountWith();
  const { body } = await account.operator('POST', '/imports', {});
  await account.operator('POST', `/imports/${body.import_id}/cancel`);
  const list = await account.createList('News');
  await jobs[Symbol.asyncDispose]();
  const exported = await account.operator('POST', '/exports', { audience_type: 'list', audience_id: list });
  await account.operator('POST', `/exports/${exported.body.request_id}/cancel`);
  jobs = service.startJobs();
  expect(short(await feed(account))).toEqual([
    ['import.cancelled', { import_id: body.import_id }],
    ['export.cancelled', { audience_type: 'list', audience_id: list }],
  ]);
});

test('an erased person leaves events without details', async () => {
  const account = await accountWith();
  const list = await account.createList('News');
  const listed = { audience_details: [{ audience_id: list }] };
  await create(account, { identity: 'ada@example.com', ...listed }, { identity: 'bob@example.com', ...listed });
  const id = await contactId(account, 'ada@example.com');
  await finished(account, (await erased(account, id)).request_id);
  const events = await feed(account);
  expect(short(events.filter(({ contact_id }) => contact_id === id))).toEqual([
    ['contact.created', {}],
    ['contact.joined_list', {}],
    ['contact.erased', {}],
  ]);
  expect(short(events.filter(({ contact_id }) => contact_id !== id))).toEqual([
    ['contact.created', { contact_type: 'identified' }],
    ['contact.joined_list', { list_id: list }],
  ]);
});

test('a reader sees no position before all earlier positions are committed', async () => {
  const account = await accountWith();
  const { accountId } = account;
  const requestId = '0197a1c0-0000-7000-8000-000000000001';
  const event = { kind: 'contact.updated', contactId: 7, requestId, details: {} } as const;
  const [write] = eventWrites(accountId, [event], new Date());
  const first = await service.context.pool.connect();
  const second = await service.context.pool.connect();
  try {
    await first.query('begin');
    await write!(first);
    await second.query('begin');
    let written = false;
    const waiting = write!(second).then(async () => {
      written = true;
      return second.query('commit');
    });
    await expect
      .poll(async () => {
        return (await onEachServer(service.context.config.databaseUrl!, lockWaits)).length;
      })
      .toBeGreaterThan(0);
    expect(written).toBe(false);
    expect(await feed(account)).toEqual([]);
    await first.query('commit');
    await waiting;
  } finally {
    first.release();
    second.release();
  }
  expect((await feed(account)).map(({ position }) => position)).toEqual([1, 2]);
});

test('sixteen lanes write each change once, in order for each contact, without gaps', async () => {
  const account = await accountWith({ events: true, buckets: 16 });
  const people = Array.from({ length: 200 }, (_, at) => ({ identity: `p${at}@example.com` }));
  await using _second = service.startWorker(3, 50);
  await create(account, ...people);
  const cities = ['Ulm', 'Bonn', 'Kiel'];
  for (const name of cities) {
    const contacts = people.map((one) => ({ ...one, attributes: { CITY: name } }));
    expect((await account.v5('/contact/update', { data: { contacts } })).status).toBe(200);
  }
  await service.settled();
  const events = await feed(account, 100);
  expect(events.map(({ position }) => position)).toEqual(Array.from({ length: 800 }, (_, at) => at + 1));
  const kindsOf = Map.groupBy(events, ({ contact_id }) => contact_id);
  expect(kindsOf.size).toBe(200);
  for (const own of kindsOf.values()) {
    expect(own.map(({ kind }) => kind)).toEqual(['contact.created', ...cities.map(() => 'contact.updated')]);
    expect(new Set(own.map(({ request_id }) => request_id)).size).toBe(4);
  }
});

test('a position after the newest event is refused', async () => {
  const account = await accountWith({ events: true });
  await create(account, { identity: 'one@example.com' });
  expect((await account.operator('GET', '/event-feed?after=1')).body).toMatchObject({ data: [], next_after: 1 });
  expect(await account.operator('GET', '/event-feed?after=2')).toMatchObject({
    status: 400,
    body: { errors: [{ code: 'out_of_range', field: 'after', message: expect.stringContaining('position 1') }] },
  });
});

test('a position whose next events are deleted is an error', async () => {
  const account = await accountWith({ events: true, event_retention_days: 3 });
  await create(account, { identity: 'old@example.com' }, { identity: 'older@example.com' });
  await service.context.db
    .updateTable('event_groups')
    .where('account_id', '=', account.accountId)
    .set({ occurred_at: new Date(service.context.now().getTime() - 4 * 86_400_000) })
    .execute();
  await create(account, { identity: 'new@example.com' });
  await deleteOldEvents(service.context, new AbortController().signal);
  const expired = await account.operator('GET', '/event-feed?after=1');
  expect(expired.status).toBe(410);
  expect(JSON.stringify(expired.body)).toContain('Events up to position 2 are deleted');
  for (const query of ['', '?after=2']) {
    const { body } = await account.operator('GET', `/event-feed${query}`);
    expect(body.data.map(({ position }: AccountEvent) => position)).toEqual([3]);
    expect(body).toMatchObject({ next_after: 3, last_position: 3 });
  }
});

test('a reader begins at a time, for each time', async () => {
  const account = await accountWith({ events: true });
  const other = await accountWith({ events: true });
  for (let n = 0; n < 9; n++) {
    for (const one of [account, other])
      await create(one, { identity: `${n}a@example.com` }, { identity: `${n}b@example.com` });
  }
  const { db } = service.context;
  const moment = (minute: number) => new Date(Date.UTC(2026, 2, 1, 9, minute));
  // Two events each minute, in the other account an hour earlier. Two groups have the same time.
  const minutes = [0, 1, 2, 3, 3, 5, 6, 7, 8];
  for (const [one, hours] of [
    [account, 0],
    [other, -1],
  ] as const) {
    for (const [at, minute] of minutes.entries()) {
      await db
        .updateTable('event_groups')
        .where('account_id', '=', one.accountId)
        .where('last_position', '=', 2 * at + 2)
        .set({ occurred_at: moment(minute + 60 * hours) })
        .execute();
    }
  }
  const since = async (time: string) => {
    const { body } = await account.operator('GET', `/event-feed?limit=1&since=${encodeURIComponent(time)}`);
    return [body.data[0]?.position ?? null, body.next_after];
  };
  for (const [at, minute] of minutes.entries()) {
    const first = 2 * minutes.indexOf(minute) + 1;
    expect(await since(moment(minute).toISOString())).toEqual([first, first]);
    const next = 2 * minutes.findLastIndex((one) => one === minute) + 3;
    const later = new Date(moment(minute).getTime() + 1).toISOString();
    expect([at, ...(await since(later))]).toEqual(at === 8 ? [at, null, 18] : [at, next, next]);
  }
  expect(await since('2020-01-01T00:00:00Z')).toEqual([1, 1]);
  expect(await since('2026-03-01T10:05:00+01:00')).toEqual([11, 11]);
  expect(await since('2096-03-01T09:05:00Z')).toEqual([null, 18]);
  // Deleted events are left out.
  await db
    .deleteFrom('event_groups')
    .where('account_id', '=', account.accountId)
    .where('last_position', '<=', 6)
    .execute();
  await db
    .updateTable('event_feeds')
    .where('account_id', '=', account.accountId)
    .set({ expired_position: 6 })
    .execute();
  expect(await since('2020-01-01T00:00:00Z')).toEqual([7, 7]);
  expect(await since('2026-03-01T09:06:30Z')).toEqual([15, 15]);
  const empty = await accountWith({ events: true });
  const { body } = await empty.operator('GET', '/event-feed?since=2026-03-01T09:05:00Z');
  expect(body).toEqual({ data: [], next_after: 0, last_position: 0 });
});

test.for([
  ['since=2026-03-01', 'invalid_format'],
  ['since=yesterday', 'invalid_format'],
  ['since=2026-03-01T09:00:00Z&after=1', 'not_allowed'],
])('the feed refuses %s', async ([query, code]) => {
  const account = await accountWith();
  expect(await account.operator('GET', `/event-feed?${query}`)).toMatchObject({
    status: 400,
    body: { errors: [{ code, field: 'since' }] },
  });
});
