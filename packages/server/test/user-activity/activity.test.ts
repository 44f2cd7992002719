import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { applyRetention } from '#features/activities/retention/retention.ts';
import { moveActivities } from '#features/activities/moves/moves.ts';
import { contact, createContacts, record, recorded } from '../activities/support.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { userActivities } from '#features/user-activity/user-activity-store.ts';
import { ask } from './support.ts';

let account: TestAccount;
let now = Date.parse('2026-11-20T12:00:00Z');
const service = await forFile(startTestService({ now: () => new Date(now) }));
beforeEach(async () => {
  now = Date.parse('2026-11-20T12:00:00Z');
  account = await service.createAccount();
  await createContacts(account, 'asha@example.com');
});

const store = async (...records: object[]) => {
  const { counts } = await recorded(
    service,
    account,
    records.map((fields) => record(fields)),
  );
  expect(counts).toMatchObject({ created: records.length });
};

/** Requests activities, and returns them. Throws when the request is refused. */
async function activities(fields: object = {}, of = account): Promise<Record<string, unknown>[]> {
  const { status, body } = await ask(service, of, fields);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.result.channel_activity;
}
const days = (from_date: string, to_date = from_date) => ({ from_date, to_date });

test('an answer of user activity has exactly the documented shape, is newest first, and omits keys that do not apply', async () => {
  await service.operator('PATCH', `/accounts/${account.accountId}`, { time_zone: 'Asia/Kolkata' });
  const common = { message_id: 4711, msg_name: 'Winter offers' };
  const device = { ip: '203.0.113.7', device: 'Mobile', os: 'Android 16', browser: 'Chrome 141' };
  const link = 'https://shop.example.com/winter';
  const at = (time: string) => ({ occurred_at: `2026-06-03T${time}Z` });
  await store(
    { activity: 'open', ...at('09:12:41'), ...common, ...device },
    { activity: 'sent', ...at('09:00:00'), ...common },
    { activity: 'click', ...at('09:13:05'), ...common, ...device, link },
    { activity: 'sent', ...at('20:00:00') },
    { activity: 'delivered', ...at('09:00:00'), ...common },
    { activity: 'bounce', ...at('21:00:00'), bounce_type: 'soft', ip: '203.0.113.7' },
    { activity: 'sent', channel: 'sms', ...at('09:00:00') },
    { activity: 'sent', identity: 'other@example.com', ...at('09:00:00') },
  );
  const answer = await ask(service, account);
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  expect(answer.body).toEqual({
    status: 'success',
    result: {
      channel_activity: [
        { activity: 'bounce', activity_date: '4 Jun 2026 @2:30am' },
        { activity: 'sent', activity_date: '4 Jun 2026 @1:30am' },
        { activity: 'click', ...common, activity_date: '3 Jun 2026 @2:43pm', ...device, link },
        { activity: 'open', ...common, activity_date: '3 Jun 2026 @2:42pm', ...device },
        { activity: 'delivered', ...common, activity_date: '3 Jun 2026 @2:30pm' },
        { activity: 'sent', ...common, activity_date: '3 Jun 2026 @2:30pm' },
      ],
      from_date: '01062026',
      to_date: '07062026',
      channel: 'email',
    },
    details: 'Data fetched successfully',
  });
  expect(Object.keys(answer.body.result.channel_activity[2])).toEqual([
    'activity',
    'message_id',
    'msg_name',
    'activity_date',
    'ip',
    'device',
    'os',
    'browser',
    'link',
  ]);
});

describe('the days of a user activity request', () => {
  /** Returns the moments whose activities are found. */
  async function found(zone: string, moments: readonly string[], from: string, to = from): Promise<string[]> {
    await service.operator('PATCH', `/accounts/${account.accountId}`, { time_zone: zone });
    await store(...moments.map((occurred_at, n) => ({ occurred_at, message_id: n })));
    const rows = await activities(days(from, to));
    return rows.map(({ message_id: n }) => moments[n as number]!).sort();
  }

  // The last moment before the days, the first and the last moment within them, and the first
  // moment after them.
  test.each([
    [
      'UTC',
      '31012026',
      '01022026',
      ['2026-01-30T23:59:59.999Z', '2026-01-31T00:00:00Z', '2026-02-01T23:59:59.999Z', '2026-02-02T00:00:00Z'],
    ],
    [
      'Asia/Kolkata',
      '01062026',
      '01062026',
      ['2026-05-31T18:29:59.999Z', '2026-05-31T18:30:00Z', '2026-06-01T18:29:59.999Z', '2026-06-01T18:30:00Z'],
    ],
    // Days of 23 and 25 hours.
    [
      'Europe/Berlin',
      '29032026',
      '29032026',
      ['2026-03-28T22:59:59.999Z', '2026-03-28T23:00:00Z', '2026-03-29T21:59:59.999Z', '2026-03-29T22:00:00Z'],
    ],
    [
      'Europe/Berlin',
      '25102026',
      '25102026',
      ['2026-10-24T21:59:59.999Z', '2026-10-24T22:00:00Z', '2026-10-25T22:59:59.999Z', '2026-10-25T23:00:00Z'],
    ],
    [
      'America/New_York',
      '08032026',
      '08032026',
      ['2026-03-08T04:59:59.999Z', '2026-03-08T05:00:00Z', '2026-03-09T03:59:59.999Z', '2026-03-09T04:00:00Z'],
    ],
    [
      'America/New_York',
      '26102026',
      '01112026',
      ['2026-10-26T03:59:59.999Z', '2026-10-26T04:00:00Z', '2026-11-02T04:59:59.999Z', '2026-11-02T05:00:00Z'],
    ],
    // Days whose midnight is skipped or occurs twice.
    [
      'Africa/Cairo',
      '24042026',
      '24042026',
      ['2026-04-23T21:59:59.999Z', '2026-04-23T22:00:00Z', '2026-04-24T20:59:59.999Z', '2026-04-24T21:00:00Z'],
    ],
    [
      'Africa/Cairo',
      '29102026',
      '29102026',
      ['2026-10-28T20:59:59.999Z', '2026-10-28T21:00:00Z', '2026-10-29T21:59:59.999Z', '2026-10-29T22:00:00Z'],
    ],
    [
      'Pacific/Apia',
      '01012026',
      '07012026',
      ['2025-12-31T10:59:59.999Z', '2025-12-31T11:00:00Z', '2026-01-07T10:59:59.999Z', '2026-01-07T11:00:00Z'],
    ],
  ] as const)(
    'are whole local days in the time zone %s, from %s to %s',
    async (zone, from, to, [before, first, last, after]) => {
      expect(await found(zone, [before, first, last, after], from, to)).toEqual([first, last]);
    },
  );

  test('give an empty answer if the time zone skipped them or they are far away', async () => {
    await service.operator('PATCH', `/accounts/${account.accountId}`, { time_zone: 'Pacific/Apia' });
    expect(await activities(days('30122011'))).toEqual([]);
    expect(await activities(days('01010001', '07010001'))).toEqual([]);
    expect(await activities(days('31129999'))).toEqual([]);
  });

  test.each([
    ['29022024', '06032024', 200, undefined],
    ['29022024', '07032024', 400, 'data.to_date must be at most 7 days from from_date on, both days counted'],
    ['02062026', '01062026', 400, 'data.from_date must not be after to_date'],
    ['29022026', '01032026', 400, 'data.from_date must be a day that exists, written as DDMMYYYY, such as 23072018'],
    ['31042026', '01052026', 400, 'data.from_date must be a day that exists, written as DDMMYYYY, such as 23072018'],
    ['00012026', '01012026', 400, 'data.from_date must be'],
    ['01132026', '01012026', 400, 'data.from_date must be'],
    ['2026-06-01', '01012026', 400, 'data.from_date must be'],
    ['1062026', '01062026', 400, 'data.from_date must be'],
  ])('from %s to %s give the status %i', async (from_date, to_date, status, details) => {
    const answer = await ask(service, account, { from_date, to_date });
    expect(answer.status).toBe(status);
    if (details !== undefined) expect(answer.body.details).toContain(details);
  });

  test('may be numbers if they do not begin with 0', async () => {
    expect((await ask(service, account, { from_date: 23_072_018, to_date: 24_072_018 })).body.result).toMatchObject({
      from_date: '23072018',
    });
  });
});

describe('the person of a user activity request', () => {
  const at = { occurred_at: '2026-06-03T10:00:00Z' };
  const named = async (primary_key: unknown) => (await activities({ primary_key })).length;

  test('has no activities if no contact has this identity', async () => {
    expect([await named('nobody@example.com'), await named('no address'), await named(12)]).toEqual([0, 0, 0]);
  });

  test('is found by any spelling of the identity', async () => {
    await store({ identity: 'Asha@Example.com', ...at });
    expect(await named('  ASHA@example.COM ')).toBe(1);
    const mobile = await service.createAccount({ name: 'Mobile', primary_key: 'MOBILE' });
    await createContacts(mobile, '919812345678');
    await recorded(service, mobile, [record({ identity: '919812345678', ...at })]);
    expect(await activities({ primary_key: 919_812_345_678 }, mobile)).toHaveLength(1);
    expect(await activities({ primary_key: '+91 98123 45678' }, mobile)).toHaveLength(1);
  });

  test('has no activities before the contact is created, and all of them afterwards', async () => {
    await store({ identity: 'kept@example.com', ...at });
    expect(await named('kept@example.com')).toBe(0);
    await createContacts(account, 'kept@example.com');
    expect(await named('kept@example.com')).toBe(1);
  });

  test('is found at once only by the new identity after a change, before and after the background move', async () => {
    await createContacts(account, 'a@example.com');
    await store({ identity: 'a@example.com', ...at }, { identity: 'b@example.com', ...at });
    const found = async () => Promise.all(['a', 'b', 'c'].map((name) => named(`${name}@example.com`)));
    const rename = async (from: string, to: string) => {
      const one = await contact(account, from, 'contact_id');
      await account.updateContacts([{ ...one, identity: to }]);
    };
    await rename('a@example.com', 'b@example.com');
    expect(await found()).toEqual([0, 2, 0]);
    await rename('b@example.com', 'c@example.com');
    expect(await found()).toEqual([0, 0, 2]);
    await moveActivities(service.context, new AbortController().signal);
    expect(await found()).toEqual([0, 0, 2]);
    expect((await sql`select from activity_moves`.execute(service.context.db)).rows).toEqual([]);
  });

  test('has no activities after the contact is deleted, and none of the old ones when it is created again', async () => {
    await createContacts(account, 'a@example.com');
    await store({ identity: 'a@example.com', ...at });
    await account.apply('/contact/delete', { data: { contacts: [{ identity: 'a@example.com' }] } });
    expect(await named('a@example.com')).toBe(0);
    await createContacts(account, 'a@example.com');
    expect(await named('a@example.com')).toBe(0);
    await store({ identity: 'a@example.com', ...at });
    expect(await named('a@example.com')).toBe(1);
    await moveActivities(service.context, new AbortController().signal);
    expect(await named('a@example.com')).toBe(1);
  });
});

test('user activity returns the activities of the requested channel, for every channel', async () => {
  const channels = ['email', 'sms', 'whatsapp', 'app_push', 'web_push'];
  await store(...channels.map((channel) => ({ channel, occurred_at: '2026-06-03T10:00:00Z', msg_name: channel })));
  for (const channel of channels) {
    expect((await activities({ channel })).map((one) => one['msg_name'])).toEqual([channel]);
  }
});

test('user activity does not show activities beyond the retention, even before they are deleted', async () => {
  await store({ occurred_at: '2026-05-31T23:59:59Z' }, { occurred_at: '2026-06-01T00:00:00Z' });
  const shown = async () => (await activities(days('31052026', '06062026'))).length;
  expect(await shown()).toBe(2);
  await account.operator('PATCH', '', { settings: { activity_retention_months: 5 } });
  expect(await shown()).toBe(1);
  await applyRetention(service.context, new AbortController().signal);
  await account.operator('PATCH', '', { settings: { activity_retention_months: 6 } });
  expect(await shown()).toBe(1);
});

test('user activity refuses a request for more than 50,000 activities, and says what to do', async () => {
  await store({ occurred_at: '2026-06-01T10:00:00Z' });
  const insert = (count: number) =>
    sql`
    insert into activities (account_id, channel, activity, occurred_at, contact_key, msg_name)
    select ${account.accountId}, 1, 1, '2026-06-02T00:00:00Z'::timestamptz + n * interval '1 second', 'asha@example.com', 'Offers'
    from generate_series(1, ${count}::int) n`.execute(service.context.db);
  await insert(49_999);
  expect(await activities()).toHaveLength(50_000);
  await insert(1);
  const answer = await ask(service, account);
  expect([answer.status, answer.body]).toEqual([
    400,
    {
      status: 'error',
      result: 'Invalid request',
      details: 'The person has more than 50,000 activities on this channel in these days. Ask for fewer days.',
    },
  ]);
  expect(await activities(days('01062026'))).toHaveLength(1);
}, 30_000);

test('user activity reads only the partitions of the requested days, with an index', async () => {
  await store(
    { occurred_at: '2026-05-03T10:00:00Z' },
    { occurred_at: '2026-06-03T10:00:00Z' },
    { occurred_at: '2026-07-03T10:00:00Z' },
  );
  const { db } = service.context;
  await sql`
    insert into activities (account_id, channel, activity, occurred_at, contact_key)
    select ${account.accountId}, 1 + n % 2, 1, '2026-06-01'::timestamptz + n * interval '1 minute', (n % 500) || '@example.com'
    from generate_series(1, 20000) n`.execute(db);
  await sql`analyze activities`.execute(db);
  const query = {
    accountId: account.accountId,
    key: 'asha@example.com',
    channel: 1,
    from: Date.parse('2026-06-01T00:00:00Z'),
    before: Date.parse('2026-06-08T00:00:00Z'),
  };
  const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${userActivities(query, 50_001)}`.execute(db);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('Index Scan using activities_202606');
  expect(plan).not.toMatch(/Seq Scan on activities_|activities_20260[57]/);
});
