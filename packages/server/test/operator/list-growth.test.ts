import { ListGrowth } from '@roster/contract';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { expectShape } from './shape.ts';

let account: TestAccount;
let now = new Date('2026-08-01T09:00:00.000Z');
const service = await forFile(startTestService({ now: () => now }));
beforeEach(async () => {
  now = new Date('2026-08-01T09:00:00.000Z');
  account = await service.createAccount({ name: 'Pune', time_zone: 'Asia/Kolkata' });
  await account.operator('POST', '/lists', { name: 'Newsletter' });
  await account.operator('POST', '/lists', { name: 'Offers' });
});

const member = (identity: string, audienceId: number, action = 'add') => ({
  identity: `${identity}@example.com`,
  audience_details: [{ audience_id: [audienceId], action }],
});

const create = (...contacts: object[]) => account.createContacts(contacts);
const update = (...contacts: object[]) => account.updateContacts(contacts);
const remove = (...contacts: object[]) => account.apply('/contact/delete', { data: { contacts } });

async function growth(audienceId: number, query = '') {
  const { status, body } = await account.operator('GET', `/lists/${audienceId}/growth${query}`);
  expect(status).toBe(200);
  expectShape(ListGrowth, body);
  return body;
}

describe('the growth of a list', () => {
  test('counts contacts on the day on which they join and leave, in the time zone of the account', async () => {
    await create(member('asha', 1), member('ravi', 1));
    now = new Date('2026-08-01T18:29:59.000Z');
    await create(member('mei', 1));
    // In Kolkata, this is the next day.
    now = new Date('2026-08-01T18:30:00.000Z');
    await update(member('asha', 1, 'remove'), member('ravi', 2));
    await remove({ identity: 'mei@example.com' });
    now = new Date('2026-08-04T09:00:00.000Z');

    expect(await growth(1)).toEqual({
      audience_id: 1,
      time_zone: 'Asia/Kolkata',
      counted_since: '2026-08-01T09:00:00.000Z',
      data: [
        { day: '2026-08-01', joined: 3, left: 0, member_count: 3 },
        { day: '2026-08-02', joined: 0, left: 2, member_count: 1 },
        { day: '2026-08-03', joined: 0, left: 0, member_count: 1 },
        { day: '2026-08-04', joined: 0, left: 0, member_count: 1 },
      ],
    });
    expect((await growth(2)).data).toMatchObject([{}, { joined: 1, left: 0, member_count: 1 }, {}, {}]);
    expect((await growth(1, '?days=2')).data).toEqual([
      { day: '2026-08-03', joined: 0, left: 0, member_count: 1 },
      { day: '2026-08-04', joined: 0, left: 0, member_count: 1 },
    ]);
  });

  test('counts nothing when a member joins again, changes its identity or is created and deleted at once', async () => {
    await create(member('asha', 1));
    await create(member('asha', 1));
    await update({ ...member('asha', 1), attributes: { FIRST_NAME: 'Asha' } });
    const [{ contact_id: id }] = (await account.rows({})) as [{ contact_id: number }];
    await update({ contact_id: id, identity: 'asha.k@example.com' });

    expect((await growth(1)).data).toEqual([{ day: '2026-08-01', joined: 1, left: 0, member_count: 1 }]);
  });

  test('has only the days since an earlier version began to count', async () => {
    await service.context.db
      .updateTable('audiences')
      .where('account_id', '=', account.accountId)
      .set({ counted_since: new Date('2026-07-31T00:00:00.000Z'), created_at: new Date('2020-01-01') })
      .execute();

    expect((await growth(1)).data.map(({ day }: { day: string }) => day)).toEqual(['2026-07-31', '2026-08-01']);
  });

  test('is complete after the account moved to a time zone where today is an earlier day', async () => {
    now = new Date('2026-08-01T20:00:00.000Z');
    await create(member('asha', 1));
    await account.operator('PATCH', '', { time_zone: 'America/New_York' });

    expect((await growth(1)).data).toEqual([
      { day: '2026-08-01', joined: 0, left: 0, member_count: 0 },
      { day: '2026-08-02', joined: 1, left: 0, member_count: 1 },
    ]);
  });

  test('of a deleted list is removed with the list', async () => {
    await create(member('asha', 1));
    await account.operator('DELETE', '/lists/1');
    await remove({ identity: 'asha@example.com' });

    expect((await account.operator('GET', '/lists/1/growth')).status).toBe(404);
    const days = await service.context.db
      .selectFrom('list_days')
      .where('account_id', '=', account.accountId)
      .selectAll()
      .execute();
    expect(days).toEqual([]);
  });

  test.each(['days=0', 'days=401', 'days=x', 'day=1'])('is refused with the query %s', async (query) => {
    expect((await account.operator('GET', `/lists/1/growth?${query}`)).status).toBe(400);
  });

  test('is not found for a segment, another account or an unknown list', async () => {
    const { body } = await account.operator('POST', '/segments', { name: 'All', filtering_criteria: [] });
    const other = await service.createAccount();

    expect((await account.operator('GET', `/lists/${body.audience_id}/growth`)).status).toBe(404);
    expect((await other.operator('GET', '/lists/1/growth')).status).toBe(404);
    expect((await account.operator('GET', '/lists/99/growth')).status).toBe(404);
  });

  test('needs the scope lists:read', async () => {
    const growthWith = async (scope: string) => {
      const { body } = await account.operator('POST', '/api-keys', { name: 'Reader', scopes: [scope] });
      const url = `/admin/v1/accounts/${account.accountId}/lists/1/growth`;
      return (await service.call('GET', url, { headers: { 'api-key': body.api_key } })).status;
    };

    expect(await growthWith('lists:read')).toBe(200);
    expect(await growthWith('segments:read')).toBe(403);
  });

  test('adds up to the members after any changes', async () => {
    const change = fc.record({
      who: fc.integer({ min: 0, max: 4 }),
      list: fc.constantFrom(1, 2),
      kind: fc.constantFrom('join', 'join', 'leave', 'delete', 'merge'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(change, { minLength: 1, maxLength: 8 }), { maxLength: 5 }), async (days) => {
        account = await service.createAccount();
        for (const name of ['One', 'Two']) await account.operator('POST', '/lists', { name });
        for (const changes of days) {
          now = new Date(now.getTime() + 24 * 60 * 60 * 1000);
          for (const { who, list, kind } of changes) {
            const person = { identity: `p${who}@example.com` };
            if (kind === 'join') await create(member(`p${who}`, list));
            else if (kind === 'leave') await update(member(`p${who}`, list, 'remove'));
            else if (kind === 'delete') await remove(person);
            else await create({ ...person, email: 'p0@example.com' });
          }
        }
        for (const list of [1, 2]) {
          const { body } = await account.operator('GET', `/lists/${list}`);
          const { data } = await growth(list, '?days=400');
          let members = 0;
          for (const day of data) {
            members += day.joined - day.left;
            expect(day.member_count).toBe(members);
          }
          expect(members).toBe(body.member_count);
          const rows = await account.rows({
            filtering_criteria: [{ condition_details: [{ field: 'list_id', operation: 'equals', value: [list] }] }],
          });
          expect(rows).toHaveLength(members);
        }
      }),
      { numRuns: 8, seed: 41 },
    );
  });
});
