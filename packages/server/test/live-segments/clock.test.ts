import { beforeEach, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { follow, matchesOf, membersOf } from './support.ts';

let account: TestAccount;
let now = new Date();
const service = await forFile(startTestService({ now: () => now }));
beforeEach(async () => {
  now = new Date('2026-03-27T12:00:00Z');
  account = await service.createAccount({ name: 'Berlin', time_zone: 'Europe/Berlin' });
  await account.createAttributes([
    { name: 'SEEN', data_type: 'datetime' },
    { name: 'BORN', data_type: 'date' },
  ]);
});

const create = (...contacts: object[]) => account.createContacts(contacts);
async function liveSegment(field: string, operation: string, value: unknown): Promise<number> {
  const filtering_criteria = [{ condition_details: [{ field, operation, value }] }];
  const { status, body } = await account.operator('POST', '/segments', {
    name: 'Live',
    live: true,
    filtering_criteria,
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.audience_id;
}
const at = (time: string): void => {
  now = new Date(time);
};
async function members(id: number): Promise<number> {
  await follow(service.context, account.accountId);
  const stored = await membersOf(service.context, account.accountId, id);
  expect(stored).toEqual(await matchesOf(service.context, account.accountId, id));
  return stored.length;
}

// On 29 March 2026, the clocks of Berlin skip from 2:00 to 3:00.
test.each([
  [
    'today, at midnight of the account',
    'BORN',
    'equals',
    'today',
    '2026-03-29',
    '2026-03-28T22:59:59.999Z',
    '2026-03-28T23:00:00Z',
    '2026-03-29T22:00:00Z',
  ],
  [
    'an anniversary',
    'BORN',
    'anniversary',
    'today',
    '1990-03-29',
    '2026-03-28T22:59:59.999Z',
    '2026-03-28T23:00:00Z',
    '2026-03-29T22:00:00Z',
  ],
  [
    '29 February in a year without it',
    'BORN',
    'anniversary_in_next',
    '1 day',
    '2000-02-29',
    '2027-02-26T22:59:59Z',
    '2027-02-26T23:00:00Z',
    '2027-02-28T23:00:00Z',
  ],
  [
    'the next days of a date-time',
    'SEEN',
    'in_next',
    '1 day',
    '2026-03-30T21:59:59.999Z',
    '2026-03-28T22:59:59.999Z',
    '2026-03-28T23:00:00Z',
    '2026-03-30T22:00:00Z',
  ],
  [
    'the last hours',
    'SEEN',
    'in_last',
    '2 hours',
    '2026-03-29T00:30:00Z',
    '2026-03-29T00:29:59.999Z',
    '2026-03-29T00:30:00Z',
    '2026-03-29T02:30:00.001Z',
  ],
  [
    'the last days of a date-time',
    'SEEN',
    'in_last',
    '1 day',
    '2026-03-29T00:30:00Z',
    '2026-03-29T00:29:59.999Z',
    '2026-03-29T00:30:00Z',
    '2026-03-30T22:00:00Z',
  ],
])(
  'a contact enters and leaves by the clock: %s',
  async (_what, field, operation, value, stored, before, from, after) => {
    await create({ identity: 'ada@example.com', attributes: { [field]: stored } }, { identity: 'bob@example.com' });
    const id = await liveSegment(field, operation, value);
    expect(await members(id)).toBe(0);
    at(before);
    expect(await members(id)).toBe(0);
    at(from);
    expect(await members(id)).toBe(1);
    at(after);
    expect(await members(id)).toBe(0);
    const { body } = await account.operator('GET', `/segments/${id}/changes`);
    expect(body.data.map(({ change, cause }: Record<string, string>) => [change, cause])).toEqual([
      ['left', 'date'],
      ['entered', 'date'],
    ]);
    expect(body.data[1].occurred_at).toBe(new Date(from).toISOString());
  },
);

test('after a stop of a year, a pass in small steps finds everybody whose dates moved', async () => {
  const days = Array.from({ length: 30 }, (_, day) => `2027-03-${String(day + 1).padStart(2, '0')}`);
  await create(...days.map((BORN, index) => ({ identity: `p${index}@example.com`, attributes: { BORN } })));
  const id = await liveSegment('BORN', 'in_last', '10 days');
  expect(await members(id)).toBe(0);
  at('2027-03-27T12:00:00Z');
  await follow(service.context, account.accountId, { changed: 7, filled: 4, read: 9, rest: 0 });
  expect(await members(id)).toBe(11);
  at('2028-03-27T12:00:00Z');
  await follow(service.context, account.accountId, { changed: 7, filled: 4, read: 9, rest: 0 });
  expect(await members(id)).toBe(0);
});

test('a change of the time zone moves the beginning of the day', async () => {
  await create({ identity: 'ada@example.com', attributes: { SEEN: '2026-03-27T22:30:00Z' } });
  const id = await liveSegment('SEEN', 'equals', 'tomorrow');
  expect(await members(id)).toBe(0);
  expect((await account.operator('PATCH', '', { time_zone: 'Asia/Kolkata' })).status).toBe(200);
  expect(await members(id)).toBe(1);
});

test('a clock that goes back evaluates nothing at an earlier moment', async () => {
  await create({ identity: 'ada@example.com', attributes: { BORN: '2026-03-28' } });
  const id = await liveSegment('BORN', 'equals', 'today');
  at('2026-03-28T12:00:00Z');
  expect(await members(id)).toBe(1);
  at('2026-03-27T12:00:00Z');
  await account.updateContacts([{ identity: 'ada@example.com', attributes: { BORN: '2026-03-27' } }]);
  await follow(service.context, account.accountId);
  expect(await membersOf(service.context, account.accountId, id)).toEqual([]);
  at('2026-03-28T12:00:01Z');
  expect(await members(id)).toBe(0);
});
