import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { resolveFilter } from '#features/search/search.ts';
import { chooseStrategy, fewMatches } from '#features/search/page/strategy.ts';
import { attributeKey, createRegistry } from '#features/registry/registry.ts';
import { fixedField } from '#features/search/filter/fields.ts';
import { createTestContext } from '../support/context.ts';
import type { CursorPosition } from '#features/search/page/checked-output.ts';
import { createAccount, createSegment } from './account.ts';
import { searchContacts } from './search-contacts.ts';
import { read } from './world.ts';
import { forFile } from '../support/for-file.ts';

const ctx = await forFile(createTestContext());
const account = await createAccount(ctx);
// One city has more contacts than a search collects. Each other city has one.
await sql`
    insert into contacts (account_id, contact_id, contact_key, contact_type, attributes, created_at, updated_at)
    select ${account.accountId}, i, 'user' || i || '@x.in', 'identified',
      jsonb_build_object(${attributeKey(account.accountId, 1)}::text, case when i % 10 = 0 then 'City ' || i else 'Pune' end), now(), now()
    from generate_series(1, 3 * ${fewMatches}::int) i`.execute(ctx.db);
// Another account has twice as many contacts.
const other = await createAccount(ctx);
await sql`
    insert into contacts (account_id, contact_id, contact_key, contact_type, created_at, updated_at)
    select ${other.accountId}, i, 'user' || i || '@y.in', 'identified', now(), now() from generate_series(1, 6 * ${fewMatches}::int) i`.execute(
  ctx.db,
);
await sql`analyze contacts`.execute(ctx.db);
const members = async (id: number, count: number) =>
  ctx.db
    .updateTable('audiences')
    .where('account_id', '=', account.accountId)
    .where('audience_id', '=', id)
    .set({ member_count: count })
    .execute();
await members(1, fewMatches - 1);
await members(2, fewMatches + 1);
const condition = { field: 'list_id', field_category: 'audience', operation: 'equals', value: [1] };
await createSegment(ctx, account.accountId, 11, {
  filtering_criteria_operator: 'and',
  filtering_criteria: [{ condition_operator: 'and', condition_details: [condition] }],
});

const is = (field: string, ...value: (string | number)[]) => ({ field, operation: 'equals', value });
const not = (field: string, ...value: (string | number)[]) => ({ field, operation: 'not_equals', value });

const byCreation = [{ field: fixedField(createRegistry('EMAIL', []), 'created_at'), descending: true }];

async function strategyFor(
  operator: 'and' | 'or',
  conditions: ReturnType<typeof is>[],
  getCount: boolean,
  page: { readonly offset?: number; readonly after?: CursorPosition } = {},
) {
  const groups = [{ condition_operator: operator, condition_details: conditions }];
  const filter = conditions.length === 0 ? {} : { filtering_criteria: groups };
  const output = { sorting: byCreation, getCount, limit: 10, offset: 0, ...page };
  const choice = await chooseStrategy(ctx.searchDb, await resolveFilter(ctx, account, filter), output);
  return choice.strategy;
}

test.each([
  ['and', [is('contact_id', 1)], 'collect'],
  ['and', [is('identity', 'a@x.in', 'b@x.in')], 'collect'],
  ['and', [is('mobile', '919812345678'), not('CITY', 'Pune')], 'collect'],
  ['or', [is('email', 'a@x.in'), is('mobile', '919812345678')], 'collect'],
  ['or', [is('email', 'a@x.in'), is('CITY', 'Pune')], 'walk'],
  ['and', [not('email', 'a@x.in')], 'walk'],
  ['and', [is('CITY', 'Pune')], 'walk'],
  ['and', [is('list_id', 1)], 'collect'],
  ['and', [is('list_id', 2)], 'walk'],
  ['and', [is('list_id', 1, 2)], 'walk'],
  ['and', [not('list_id', 1)], 'walk'],
  ['and', [is('segment_id', 11), is('CITY', 'Pune')], 'collect'],
  ['and', [not('segment_id', 11)], 'walk'],
  ['and', [], 'walk'],
] as const)(
  'a search without a count for the conditions (%s) %j uses the strategy %s',
  async (operator, conditions, strategy) => {
    expect(await strategyFor(operator, [...conditions], false)).toBe(strategy);
  },
);

test('the strategy of a search with a count depends on the estimate of PostgreSQL', async () => {
  expect(await strategyFor('and', [is('CITY', 'Pune')], true)).toBe('peek');
  expect(await strategyFor('and', [is('CITY', 'City 10')], true)).toBe('collect');
  expect(await strategyFor('and', [], true)).toBe('walk');
});

test('a page far from the first and a page after a cursor are found by a walk', async () => {
  expect(await strategyFor('and', [is('CITY', 'Pune')], true, { offset: 100 })).toBe('walk');
  expect(await strategyFor('and', [is('CITY', 'Pune')], true, { after: ['2026-08-01T00:00:00Z', 7] })).toBe('walk');
});

test.each([
  ['a third', () => account],
  ['a sixth', () => other],
])('a page has the newest matches when they are older than all other contacts: %s of the account', async (_, of) => {
  const { accountId } = of();
  const matches = fewMatches + 1000;
  await sql`
    update contacts set created_at = created_at - interval '1 day',
      attributes = jsonb_build_object(${attributeKey(accountId, 1)}::text, 'Old')
    where account_id = ${accountId} and contact_id <= ${matches}`.execute(ctx.db);
  await sql`analyze contacts`.execute(ctx.db);
  const search = {
    filtering_criteria: [{ condition_details: [is('CITY', 'Old')] }],
    output: { fields: ['contact_id'], get_count: true, pagination: { page: 2, limit: 3 } },
  };
  const scope = { ...of(), unmasked: true, activities: true };
  const { rows, count } = await searchContacts(ctx, scope, read(search));
  expect(rows.map((row) => row['contact_id'])).toEqual([4, 5, 6]);
  expect(count).toBe(matches);
});
