import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { applyRetention } from '#features/activities/retention/retention.ts';
import { recountAccounts } from '#features/statistics/recount-upkeep.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { record, recorded } from '../activities/support.ts';
import { compare, expectExactCounts } from './support.ts';

const start = Date.parse('2026-03-29T12:00:00Z');
let now = start;
let account: TestAccount;
const service = await forFile(startTestService({ now: () => new Date(now) }));
beforeEach(async () => {
  now = start;
  account = await service.createAccount({ name: 'Statistics', time_zone: 'Europe/Berlin' });
});

const { signal } = new AbortController();
const none = { contacts: 0, attributes: 0, activities: 0 };
const identity = (name: string) => `${name}@example.com`;
const create = (names: readonly string[], fields: object = {}) =>
  account.createContacts(names.map((name) => ({ identity: identity(name), ...fields })));
const update = (name: string, fields: object) => account.updateContacts([{ identity: identity(name), ...fields }]);
const get = async (path: string) => {
  const { status, body } = await account.operator('GET', `/statistics/${path}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};

describe('growth of contacts', () => {
  test('an account without contacts has a row of zeros for each of the last 30 days', async () => {
    const growth = await get('contacts');
    expect(growth).toMatchObject({
      time_zone: 'Europe/Berlin',
      from: '2026-02-28',
      to: '2026-03-29',
      rebuilding: false,
      contacts: 0,
      types: { anonymous: 0, identified: 0, unconfirmed: 0, confirmed: 0, blacklisted: 0 },
      reach: { email: 0, sms: 0, whatsapp: 0 },
    });
    expect(growth.days).toHaveLength(30);
    expect(growth.days.at(-1)).toMatchObject({ day: '2026-03-29', created: 0, contacts: 0 });
  });

  test('each day has its changes and the numbers at its end, in the time zone of the account', async () => {
    // 23:30 and 00:30 in Berlin, on the night before the clocks change.
    now = Date.parse('2026-03-28T22:30:00Z');
    await create(['a', 'b', 'c'], { mobile: '919800000001' });
    now = Date.parse('2026-03-28T23:30:00Z');
    await update('a', { subscriptions: { email: false } });
    await update('b', { subscriptions: { sms: false } });
    await account.apply('/contact/delete', { data: { contacts: [{ identity: identity('c') }] } });
    now = Date.parse('2026-03-29T22:00:00Z');
    await update('a', { subscriptions: { email: true } });
    const { days, ...growth } = await get('contacts?from=2026-03-27&to=2026-03-30');
    const email = (number: number) => expect.objectContaining({ email: number });
    expect(days).toMatchObject([
      { day: '2026-03-27', contacts: 0 },
      { day: '2026-03-28', created: 3, deleted: 0, contacts: 3, reach: { email: 3, sms: 3, whatsapp: 3 } },
      {
        day: '2026-03-29',
        created: 0,
        deleted: 1,
        opted_out: { email: 1, sms: 1, whatsapp: 0 },
        contacts: 2,
        types: { identified: 1, blacklisted: 1 },
        reach: { email: 1, sms: 0, whatsapp: 1 },
      },
      { day: '2026-03-30', opted_in: email(1), contacts: 2, reach: { email: 2, sms: 1, whatsapp: 2 } },
    ]);
    expect(growth).toMatchObject({ contacts: 2, types: { identified: 2 }, reach: { email: 2, sms: 1, whatsapp: 2 } });
    await expectExactCounts(service, account);
  });

  test('days after a new time zone are days of that zone, at once', async () => {
    now = Date.parse('2026-03-28T22:30:00Z');
    await create(['a']);
    expect((await account.operator('PATCH', '', { time_zone: 'Asia/Kolkata' })).status).toBe(200);
    const { days } = await get('contacts?from=2026-03-28&to=2026-03-29');
    expect(days).toMatchObject([{ created: 0 }, { created: 1 }]);
  });

  test('a contact that is created opted out is no opt-out', async () => {
    await create(['a'], { subscriptions: { email: false } });
    const { days, reach } = await get('contacts');
    expect(days.at(-1)).toMatchObject({ created: 1, opted_out: { email: 0 }, types: { blacklisted: 1 } });
    expect(reach).toMatchObject({ email: 0 });
  });

  test.each([
    ['from=2026-03-02&to=2026-03-01', 'from', 'must not be after to'],
    ['from=2024-01-01&to=2026-01-01', 'to', 'must be at most 400 days from from on'],
    ['from=2026-02-30', 'from', 'must be a day that exists'],
    ['to=yesterday', 'to', 'must be a day that exists'],
  ])('the period %s is refused', async (query, field, message) => {
    for (const path of ['contacts', 'activities', 'messages']) {
      const { status, body } = await account.operator('GET', `/statistics/${path}?${query}`);
      expect(status).toBe(400);
      expect(body.errors).toMatchObject([{ field, message: expect.stringContaining(message) }]);
    }
  });
});

test.each(['UTC', 'Asia/Kolkata', 'America/Havana'])(
  'the first and the last day of the calendar have statistics in the time zone %s',
  async (time_zone) => {
    expect((await account.operator('PATCH', '', { time_zone })).status).toBe(200);
    for (const path of ['contacts', 'activities', 'messages']) {
      await get(`${path}?from=0001-01-01&to=0001-01-02`);
      await get(`${path}?to=0001-01-02`);
      await get(`${path}?from=9999-12-31`);
    }
  },
);

describe('activity', () => {
  const at = (occurred_at: string, fields: object = {}) => record({ occurred_at, ...fields });

  test('activities are counted by day, channel and kind, and a repeated record only once', async () => {
    const records = [
      at('2026-03-28T22:59:59.999Z', { id: 'one' }),
      at('2026-03-28T23:00:00Z', { activity: 'open', id: 'two' }),
      at('2026-03-29T21:59:59Z', { activity: 'open', channel: 'sms', id: 'three' }),
    ];
    await recorded(service, account, records);
    await recorded(service, account, records);
    const { days, totals, rebuilding } = await get('activities?from=2026-03-01&to=2026-03-29');
    expect(days).toMatchObject([
      { day: '2026-03-28', channel: 'email', sent: 1, open: 0 },
      { day: '2026-03-29', channel: 'email', sent: 0, open: 1 },
      { day: '2026-03-29', channel: 'sms', open: 1 },
    ]);
    expect(totals).toMatchObject([
      { channel: 'email', sent: 1, open: 1 },
      { channel: 'sms', open: 1 },
    ]);
    expect(rebuilding).toBe(false);
    expect((await get('activities?channel=sms')).days).toHaveLength(1);
    await expectExactCounts(service, account);
  });

  test('a new time zone marks the answer until a worker has counted the days again', async () => {
    await recorded(service, account, [at('2026-03-28T22:30:00Z'), at('2026-02-28T23:30:00Z')]);
    expect((await account.operator('PATCH', '', { time_zone: 'Asia/Kolkata' })).status).toBe(200);
    expect(await get('activities')).toMatchObject({ time_zone: 'Asia/Kolkata', rebuilding: true });
    await recountAccounts(service.context, signal);
    const { days, rebuilding } = await get('activities');
    expect(rebuilding).toBe(false);
    expect(days).toMatchObject([{ day: '2026-03-01' }, { day: '2026-03-29' }]);
    await expectExactCounts(service, account);
  });

  test('messages are listed by number with their latest name, page by page', async () => {
    await recorded(service, account, [
      at('2026-03-20T10:00:00Z', { message_id: 1, msg_name: 'Old' }),
      at('2026-03-21T10:00:00Z', { message_id: 1, msg_name: 'New', activity: 'open' }),
      at('2026-03-22T10:00:00Z', { message_id: 2, channel: 'sms' }),
      at('2026-03-22T10:00:00Z', { message_id: 2, channel: 'email' }),
      at('2026-03-22T10:00:00Z', { message_id: 0, msg_name: 'Zero' }),
      at('2026-03-22T10:00:00Z'),
    ]);
    const first = await get('messages?limit=2');
    expect(first.data).toMatchObject([
      { message_id: 2, name: null, channels: ['email', 'sms'], sent: 2 },
      { message_id: 1, name: 'New', first_day: '2026-03-20', last_day: '2026-03-21', sent: 1, open: 1 },
    ]);
    const second = await get(`messages?limit=2&cursor=${first.next_cursor}`);
    expect(second).toMatchObject({ data: [{ message_id: 0, name: 'Zero' }], next_cursor: null });
    expect((await get('messages?message_id=1')).data).toMatchObject([{ message_id: 1, name: 'New' }]);
    expect((await get('messages?channel=sms')).data).toMatchObject([{ message_id: 2, channels: ['sms'], sent: 1 }]);
    expect((await get('messages?from=2026-03-21&to=2026-03-21')).data).toMatchObject([
      { message_id: 1, sent: 0, open: 1 },
    ]);
  });

  test('the people of a message are listed newest first, and every page follows the last', async () => {
    await create(['a', 'b', 'c', 'd']);
    const clicked = (name: string, moment: string) =>
      at(moment, { identity: identity(name), message_id: 7, activity: 'click', link: `https://example.com/${name}` });
    await recorded(service, account, [
      clicked('a', '2026-03-10T10:00:00Z'),
      clicked('b', '2026-03-20T10:00:00Z'),
      clicked('c', '2026-03-20T10:00:00Z'),
      clicked('d', '2026-03-20T10:00:00Z'),
      clicked('a', '2026-03-20T10:00:00Z'),
      clicked('a', '2026-03-20T10:00:00Z'),
      clicked('unknown', '2026-03-25T10:00:00Z'),
      at('2026-03-26T10:00:00Z', { identity: identity('a'), message_id: 7, activity: 'open' }),
      at('2026-03-26T10:00:00Z', { identity: identity('a'), message_id: 8, activity: 'click' }),
    ]);
    const found: unknown[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: { data: Record<string, unknown>[]; next_cursor: string | null } = await get(
        `messages/7/activities?activity=click&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      found.push(...page.data.map((row) => [row['identity'], String(row['occurred_at']).slice(0, 10), row['count']]));
      cursor = page.next_cursor;
    }
    expect(found).toEqual([
      [identity('d'), '2026-03-20', 1],
      [identity('c'), '2026-03-20', 1],
      [identity('b'), '2026-03-20', 1],
      [identity('a'), '2026-03-20', 2],
      [identity('a'), '2026-03-10', 1],
    ]);
  });

  test('activities follow a renamed contact in the list of people, and those of a deleted one are gone', async () => {
    await create(['a', 'b']);
    const clicks = ['a', 'b'].map((name) => at('2026-03-20T10:00:00Z', { identity: identity(name), message_id: 7 }));
    await recorded(service, account, clicks);
    const [row] = await account.rows({
      filtering_criteria: [{ condition_details: [{ field: 'identity', operation: 'equals', value: identity('a') }] }],
      output: { fields: ['contact_id'] },
    });
    await account.updateContacts([{ contact_id: row!['contact_id'], identity: identity('new') }]);
    await account.apply('/contact/delete', { data: { contacts: [{ identity: identity('b') }] } });
    const { data } = await get('messages/7/activities?activity=sent');
    expect(data).toMatchObject([
      { identity: identity('new'), contact_type: 'identified', channel: 'email', link: null },
    ]);
  });

  test('without the permission unmasked, the identity is masked like the primary key', async () => {
    await create(['a']);
    await recorded(service, account, [at('2026-03-20T10:00:00Z', { identity: identity('a'), message_id: 7 })]);
    const other = await service.createAccount({ name: 'Masked', primary_key: 'CUSTOMER_ID' });
    const { body: found } = await other.operator('GET', '/attributes?limit=500');
    const { id } = found.data.find(({ name }: { name: string }) => name === 'CUSTOMER_ID');
    await other.v5('/client/attribute/update', { data: [{ id, data_masking: 'full' }] });
    await other.createContacts([{ identity: 'secret-1' }]);
    await recorded(service, other, [at('2026-03-20T10:00:00Z', { identity: 'secret-1', message_id: 7 })]);
    const path = '/statistics/messages/7/activities?activity=sent';
    expect((await other.operator('GET', path)).body.data).toMatchObject([{ identity: 'secret-1' }]);
    const asKey = await service.call('GET', `/admin/v1/accounts/${other.accountId}${path}`, {
      headers: { 'api-key': other.apiKey },
    });
    expect(asKey).toMatchObject({ status: 200, body: { data: [{ identity: '****' }] } });
  });

  test('the kind of activity is required', async () => {
    const { status, body } = await account.operator('GET', '/statistics/messages/7/activities');
    expect([status, body.errors]).toMatchObject([400, [{ field: 'activity' }]]);
  });

  test('the counts of a dropped month are gone', async () => {
    await recorded(service, account, [at('2024-02-29T10:00:00Z')]);
    now = Date.parse('2026-05-03T12:00:00Z');
    await applyRetention(service.context, signal);
    const { rows } = await sql`select from activity_counts where account_id = ${account.accountId}`.execute(
      service.context.db,
    );
    expect(rows).toEqual([]);
    await expectExactCounts(service, account);
  });
});

describe('how full an attribute is', () => {
  test('attributes show how many contacts have a value', async () => {
    await create(['a', 'b'], { attributes: { CITY: 'Pune' } });
    await update('a', { attributes: { CITY: null, COUNTRY: 'IN' } });
    const { body } = await account.operator('GET', '/attributes?limit=500');
    const filled = Object.fromEntries(
      body.data.map(({ name, filled: number }: { name: string; filled: number }) => [name, number]),
    );
    expect(filled).toMatchObject({ CITY: 1, COUNTRY: 1, STATE: 0 });
  });

  test('a custom primary key is as full as there are contacts with an identity', async () => {
    const other = await service.createAccount({ name: 'Custom', primary_key: 'CUSTOMER_ID' });
    for (const contact_type of ['identified', 'anonymous']) {
      await other.apply('/contact/create', {
        data: {
          contact_type,
          contacts: [contact_type === 'identified' ? { identity: 'c-1' } : { email: 'x@example.com' }],
        },
      });
    }
    const { body } = await other.operator('GET', '/attributes?limit=500');
    expect(body.data.find(({ name }: { name: string }) => name === 'CUSTOMER_ID')).toMatchObject({ filled: 1 });
  });
});

describe('recounting', () => {
  test('wrong counts are found and corrected', async () => {
    await create(['a', 'b'], { attributes: { CITY: 'Pune' }, mobile: '919800000001' });
    await recorded(service, account, [
      record({ occurred_at: '2026-03-28T10:00:00Z', message_id: 1, msg_name: 'Name' }),
      record({ occurred_at: '2026-03-28T10:00:00Z' }),
    ]);
    const { accountId } = account;
    const { db } = service.context;
    await sql`update contact_counts set created = 9, identified = 9 where account_id = ${accountId}`.execute(db);
    await sql`update contact_totals set sms_reach = 9 where account_id = ${accountId}`.execute(db);
    await sql`delete from attribute_fills where account_id = ${accountId}`.execute(db);
    await sql`update activity_counts set count = 9 where account_id = ${accountId} and message_id = 1`.execute(db);
    await sql`delete from message_names where account_id = ${accountId}`.execute(db);
    expect(await compare(service, account)).toEqual({ contacts: 2, attributes: 1, activities: 1 });
    await compare(service, account, { isCorrected: true });
    expect(await compare(service, account)).toEqual(none);
    await expectExactCounts(service, account);
    expect((await get('messages?from=2025-12-01&to=2026-12-01')).data).toMatchObject([{ name: 'Name' }]);
  });

  test('an account that cannot be counted again does not stop the others', async () => {
    const other = await service.createAccount();
    for (const one of [account, other]) {
      expect((await one.operator('PATCH', '', { time_zone: 'Asia/Tokyo' })).status).toBe(200);
      now += 1000;
    }
    let isFirst = true;
    const failing = (): Date => {
      if (!isFirst) return new Date(now);
      isFirst = false;
      throw new Error('the node is down');
    };
    await expect(recountAccounts({ ...service.context, now: failing }, signal)).rejects.toThrow('the node is down');
    const isRebuilding = async (one: TestAccount) =>
      (await one.operator('GET', '/statistics/contacts')).body.rebuilding as boolean;
    expect([await isRebuilding(account), await isRebuilding(other)]).toEqual([true, false]);
    await recountAccounts(service.context, signal);
    expect(await isRebuilding(account)).toBe(false);
  });

  test('an account that was never counted gets its history from when its contacts were created', async () => {
    now = Date.parse('2026-03-20T12:00:00Z');
    await create(['a', 'b']);
    const { accountId } = account;
    const { db } = service.context;
    for (const table of ['contact_counts', 'contact_totals', 'attribute_fills', 'activity_counts']) {
      await sql`delete from ${sql.table(table)} where account_id = ${accountId}`.execute(db);
    }
    await db
      .insertInto('count_rebuilds')
      .values({ account_id: accountId, is_first: true, requested_at: new Date(now) })
      .execute();
    now = start;
    // A batch may be applied before the account is counted.
    await create(['c']);
    await recountAccounts(service.context, signal);
    const { days, contacts, rebuilding } = await get('contacts?from=2026-03-19&to=2026-03-29');
    expect([contacts, rebuilding]).toEqual([3, false]);
    expect(days[1]).toMatchObject({ day: '2026-03-20', created: 2, contacts: 2, types: { identified: 2 } });
    expect(days[10]).toMatchObject({ created: 1, contacts: 3 });
    await expectExactCounts(service, account);
  });

  test('batches that are applied during a recount are counted exactly', async () => {
    await create(Array.from({ length: 50 }, (_, index) => `first-${index}`));
    await sql`delete from contact_totals where account_id = ${account.accountId}`.execute(service.context.db);
    const writes = Array.from({ length: 20 }, async (_, index) => create([`more-${index}`, `even-${index}`]));
    await Promise.all([
      ...writes,
      compare(service, account, { isCorrected: true }),
      compare(service, account, { isCorrected: true }),
    ]);
    await expectExactCounts(service, account);
    expect(await compare(service, account)).toEqual(none);
  });
});

test('another account sees none of the numbers', async () => {
  await create(['a']);
  await recorded(service, account, [
    record({ identity: identity('a'), message_id: 7, occurred_at: '2026-03-28T10:00:00Z' }),
  ]);
  const other = await service.createAccount();
  const seen = async (path: string) => (await other.operator('GET', `/statistics/${path}`)).body;
  expect(await seen('contacts')).toMatchObject({ contacts: 0 });
  expect(await seen('activities')).toMatchObject({ days: [], totals: [] });
  expect(await seen('messages')).toMatchObject({ data: [] });
  expect(await seen('messages/7/activities?activity=sent')).toMatchObject({ data: [] });
  expect(await seen('pipeline')).toMatchObject({ waiting_requests: 0, running: [], failures: [] });
});
