import { beforeAll, describe, expect, test } from 'vitest';
import { createTestContext } from '../support/context.ts';
import { contact, createAccount, type TestAccount } from './account.ts';
import { read } from './world.ts';
import { searchContacts } from './search-contacts.ts';
import { forFile } from '../support/for-file.ts';

const ctx = await forFile(createTestContext());

/**
 * Creates an account with a contact for each moment, in a column and an attribute, and one contact
 * without a value.
 */
async function accountWith(timeZone: string, moments: readonly string[]): Promise<TestAccount> {
  const account = await createAccount(ctx, { timeZone });
  await account.store([
    ...moments.map((at, index) => contact(`${index}@example.com`, { created_at: at, attributes: { LAST_SEEN: at } })),
    contact('none@example.com', { created_at: '2000-01-01T00:00:00.000Z' }),
  ]);
  return account;
}

/**
 * Returns the indexes of the moments that a condition finds. The contact without a value is `none`.
 */
async function found(account: TestAccount, field: string, operation: string, value: unknown): Promise<string[]> {
  const condition = { field, operation, value };
  const output = { fields: ['identity'], sorting: [{ field: 'contact_id' }] };
  const body = read({ filtering_criteria: [{ condition_details: [condition] }], output });
  const { rows } = await searchContacts(ctx, account, body);
  return rows.map(({ identity }) => String(identity).split('@')[0]!);
}

describe('a condition with a plain day means the whole day in the time zone of the account', () => {
  // The last millisecond before 29 March 2026 in Berlin, the first and the last one of that day, and
  // the first one after it. The day has 23 hours.
  const moments = [
    '2026-03-28T22:59:59.999Z',
    '2026-03-28T23:00:00.000Z',
    '2026-03-29T21:59:59.999Z',
    '2026-03-29T22:00:00.000Z',
  ];
  let account: TestAccount;
  beforeAll(async () => {
    account = await accountWith('Europe/Berlin', moments);
  });

  test.each([
    ['equals', '2026-03-29', ['1', '2']],
    ['equals', '29/03/2026', ['1', '2']],
    ['equals', ['2026-03-28', '2026-03-30'], ['0', '3']],
    ['equals', ['2026-03-28', '2026-03-29T22:00:00Z'], ['0', '3']],
    ['equals', ['2026-03-28', '2026-03-29', '2026-03-29'], ['0', '1', '2']],
    ['not_equals', '2026-03-29', ['0', '3', 'none']],
    ['not_equals', ['2026-03-28', '2026-03-29'], ['3', 'none']],
    ['greater_than', '2026-03-29', ['3']],
    ['greater_than_or_equal', '2026-03-29', ['1', '2', '3']],
    ['less_than', '2026-03-29', ['0']],
    ['less_than_or_equal', '2026-03-29', ['0', '1', '2']],
    ['between', ['2026-03-29', '2026-03-29'], ['1', '2']],
    ['between', ['2026-03-28', '2026-03-29'], ['0', '1', '2']],
    ['between', ['2026-03-29', '2026-03-29T00:00:00+01:00'], ['1']],
    ['between', ['2026-03-28T23:00:00.001Z', '2026-03-29'], ['2']],
    ['between', ['2026-03-30', '2026-03-29'], []],
    ['less_than_or_equal', '9999-12-31', ['0', '1', '2', '3']],
    ['greater_than', '9999-12-31', []],
    ['greater_than_or_equal', '0001-01-01', ['0', '1', '2', '3']],
    ['less_than', '0001-01-01', []],
  ])('%s %j finds %j', async (operation, value, expected) => {
    expect(await found(account, 'LAST_SEEN', operation, value)).toEqual(expected);
    // The same for a column. There the contact without a value has a date long before.
    const inColumn = await found(account, 'created_at', operation, value);
    expect(inColumn.filter((name) => name !== 'none')).toEqual(expected.filter((name) => name !== 'none'));
  });

  test('a condition can have 1,000 days', async () => {
    const days = Array.from({ length: 1000 }, (_, n) =>
      new Date(Date.UTC(2024, 0, 1 + 2 * n)).toISOString().slice(0, 10),
    );
    expect(days).toContain('2026-03-29');
    for (const field of ['LAST_SEEN', 'created_at']) {
      expect(await found(account, field, 'equals', days)).toEqual(['1', '2']);
      expect((await found(account, field, 'not_equals', days)).slice(0, 2)).toEqual(['0', '3']);
    }
  });
});

test('a search with more than 2,000 plain days is refused', async () => {
  const account = await accountWith('Europe/Berlin', []);
  const days = Array.from({ length: 1000 }, (_, n) => new Date(Date.UTC(2024, 0, n)).toISOString().slice(0, 10));
  const condition = { field: 'LAST_SEEN', operation: 'equals', value: days };
  const day = { ...condition, value: '2026-01-01' };
  const search = (...conditions: object[]) =>
    searchContacts(ctx, account, read({ filtering_criteria: [{ condition_details: conditions }] }));
  expect((await search(condition, condition)).rows).toEqual([]);
  await expect(search(condition, condition, day)).rejects.toMatchObject({
    faults: [{ code: 'too_many_items', field: 'filtering_criteria' }],
  });
});

test('a day that the time zone skipped matches nothing', async () => {
  const account = await accountWith('Pacific/Apia', ['2011-12-30T09:59:59.999Z', '2011-12-30T10:00:00.000Z']);
  expect(await found(account, 'LAST_SEEN', 'equals', '2011-12-30')).toEqual([]);
  expect(await found(account, 'LAST_SEEN', 'equals', '2011-12-29')).toEqual(['0']);
  expect(await found(account, 'LAST_SEEN', 'equals', ['2011-12-30', '2011-12-31'])).toEqual(['1']);
  expect(await found(account, 'LAST_SEEN', 'not_equals', '2011-12-30')).toEqual(['0', '1', 'none']);
  expect(await found(account, 'LAST_SEEN', 'greater_than', '2011-12-30')).toEqual(['1']);
  expect(await found(account, 'LAST_SEEN', 'less_than_or_equal', '2011-12-30')).toEqual(['0']);
});

test('a day without a midnight begins at one o’clock', async () => {
  const account = await accountWith('Africa/Cairo', ['2026-04-23T21:59:59.999Z', '2026-04-23T22:00:00.000Z']);
  expect(await found(account, 'LAST_SEEN', 'equals', '2026-04-24')).toEqual(['1']);
  expect(await found(account, 'LAST_SEEN', 'less_than', '2026-04-24')).toEqual(['0']);
});

test('a day of 25 hours includes all of them', async () => {
  const account = await accountWith('America/New_York', ['2026-11-01T04:00:00.000Z', '2026-11-02T04:59:59.999Z']);
  expect(await found(account, 'created_at', 'equals', '2026-11-01')).toEqual(['0', '1']);
});

describe('a relative date follows the clocks of the time zone of the account', () => {
  const foundAt = async (now: string, account: TestAccount, operation: string, value: unknown) => {
    const condition = { field: 'created_at', operation, value };
    const output = { fields: ['identity'], sorting: [{ field: 'contact_id' }] };
    const body = read({ filtering_criteria: [{ condition_details: [condition] }], output });
    const { rows } = await searchContacts({ ...ctx, now: () => new Date(now) }, account, body);
    return rows.map(({ identity }) => String(identity).split('@')[0]!).join('');
  };

  test('today begins and ends at midnight, also on the days when the clocks change', async () => {
    // 29 March 2026 in Berlin has 23 hours, and 25 October has 25.
    const account = await accountWith('Europe/Berlin', [
      '2026-03-28T22:59:59.999Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T21:59:59.999Z',
      '2026-03-29T22:00:00.000Z',
      '2026-10-25T22:59:59.999Z',
      '2026-10-25T23:00:00.000Z',
    ]);
    expect(await foundAt('2026-03-28T22:59:59.999Z', account, 'equals', 'today')).toBe('0');
    expect(await foundAt('2026-03-28T23:00:00.000Z', account, 'equals', 'today')).toBe('12');
    expect(await foundAt('2026-03-29T21:59:59.999Z', account, 'equals', 'today')).toBe('12');
    expect(await foundAt('2026-03-29T22:00:00.000Z', account, 'equals', 'today')).toBe('3');
    expect(await foundAt('2026-03-29T22:00:00.000Z', account, 'equals', '-1 day')).toBe('12');
    expect(await foundAt('2026-10-25T22:59:59.999Z', account, 'equals', 'today')).toBe('4');
    expect(await foundAt('2026-10-25T23:00:00.000Z', account, 'equals', 'yesterday')).toBe('4');
  });

  test('the last days begin at midnight and end now, and the last hours have no midnight', async () => {
    const account = await accountWith('Europe/Berlin', [
      '2026-03-28T22:59:59.999Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-30T08:00:00.000Z',
      '2026-03-30T08:00:00.001Z',
    ]);
    const now = '2026-03-30T08:00:00.000Z';
    expect(await foundAt(now, account, 'in_last', '1 day')).toBe('12');
    expect(await foundAt(now, account, 'in_last', '2 days')).toBe('012');
    expect(await foundAt(now, account, 'in_last', '33 hours')).toBe('12');
    expect(await foundAt(now, account, 'in_last', '32 hours')).toBe('2');
    expect(await foundAt(now, account, 'in_next', '1 minute')).toBe('23');
    expect(await foundAt(now, account, 'in_next', '1 day')).toBe('23');
    expect(await foundAt(now, account, 'less_than', 'now')).toBe('01none');
  });

  test('a month before the last day of a longer month is its own last day', async () => {
    const account = await accountWith('Asia/Kolkata', ['2026-02-27T18:30:00.000Z', '2026-02-28T18:30:00.000Z']);
    expect(await foundAt('2026-03-31T06:00:00Z', account, 'equals', '-1 month')).toBe('0');
    expect(await foundAt('2026-03-31T06:00:00Z', account, 'equals', 'this month')).toBe('1');
  });
});
