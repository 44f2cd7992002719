import { Faults, readerOf, SearchContactsBody } from '@roster/contract';
import { beforeEach, expect, test } from 'vitest';
import type { Context } from '#platform/context.ts';
import type { AccountServer } from '#platform/database/layout/account-servers.ts';
import { createDefinitionsReader, mentionedIds } from '#features/search/load-definitions.ts';
import { checkRemembered } from '#features/search/remembered-search.ts';
import { createTestContext } from '../support/context.ts';
import { contact, createAccount, createSegment, type TestAccount } from './account.ts';
import { searchContacts } from './search-contacts.ts';
import { forFile } from '../support/for-file.ts';

let account: TestAccount;
const ctx = await forFile(createTestContext());
beforeEach(async () => {
  account = await createAccount(ctx);
  await account.store([
    contact('pune@x.in', { attributes: { CITY: 'Pune' }, lists: [1, 2] }),
    contact('delhi@x.in', { attributes: { CITY: 'Delhi' }, lists: [2] }),
  ]);
});

const is = (field: string, ...value: (string | number)[]) => ({ field, operation: 'equals', value });
const all = (...condition_details: object[]) => ({ filtering_criteria: [{ condition_details }] });
const output = { fields: ['identity', 'list_id'], sorting: [{ field: 'contact_id' }] };

function read(body: object): SearchContactsBody {
  const faults = new Faults();
  const canonical = readerOf(SearchContactsBody)({ ...body, output }, faults);
  expect(faults.list).toEqual([]);
  return canonical;
}

/** Makes a segment of all members of a list, or of another segment. */
async function saveSegment(id: number, field: 'list_id' | 'segment_id', member: number): Promise<void> {
  const condition = { field, field_category: 'audience', operation: 'equals', value: [member] };
  await createSegment(ctx, account.accountId, id, {
    filtering_criteria_operator: 'and',
    filtering_criteria: [{ condition_operator: 'and', condition_details: [condition] }],
  });
}

/** Checks a search. Returns how many statements that took. */
async function statementsOf(body: object): Promise<number> {
  let statements = 0;
  const pool = {
    query: (...given: unknown[]) => {
      statements++;
      return (ctx.pool.query as (...all: unknown[]) => unknown)(...given);
    },
  } as Context['pool'];
  const db = ctx.db.withPlugin({
    transformQuery({ node }) {
      statements++;
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const faults = new Faults();
  await checkRemembered(searchedOn({ db, pool }), account, read(body), undefined, faults);
  expect(faults.list).toEqual([]);
  return statements;
}

/** The parts of a new process that check searches, which remembers nothing. */
function searchedOn(server: Partial<AccountServer>) {
  const servers = { of: async () => ({ ...ctx, isDown: false, name: 'test', url: '', ...server }) };
  return { servers, definitions: createDefinitionsReader(), now: ctx.now } as unknown as Parameters<
    typeof checkRemembered
  >[0];
}

test('a search that shows lists reads attributes and named audiences, and then removed lists', async () => {
  await saveSegment(11, 'list_id', 1);
  const body = all(is('list_id', 1), is('Segment_ID', '11'), is('CITY', 'Pune'));
  expect(await statementsOf(body)).toBe(2);
  const { rows } = await searchContacts(ctx, { accountId: account.accountId }, read(body));
  expect(rows).toMatchObject([{ identity: 'pune@x.in', list_id: [1, 2] }]);
});

test('audiences that only a segment names take one more statement for each level', async () => {
  await saveSegment(11, 'list_id', 1);
  await saveSegment(12, 'segment_id', 11);
  const body = all(is('segment_id', 12));
  expect(await statementsOf(body)).toBe(4);
  const { rows } = await searchContacts(ctx, { accountId: account.accountId }, read(body));
  expect(rows).toMatchObject([{ identity: 'pune@x.in' }]);
});

test('a search finds no audience of another account', async () => {
  const other = await createAccount(ctx);
  await createSegment(ctx, other.accountId, 21, { filtering_criteria_operator: 'and', filtering_criteria: [] });
  const search = searchContacts(ctx, { accountId: account.accountId }, read(all(is('segment_id', 21))));
  await expect(search).rejects.toMatchObject({ code: 'invalid_request' });
});

test('a search sees that a list was deleted directly before it', async () => {
  const body = read(all(is('list_id', 2)));
  expect((await searchContacts(ctx, account, body)).rows).toHaveLength(2);
  const { accountId } = account;
  await ctx.db.deleteFrom('audiences').where('account_id', '=', accountId).where('audience_id', '=', 2).execute();
  await expect(searchContacts(ctx, { accountId }, body)).rejects.toMatchObject({ code: 'invalid_request' });
});

test('only ids of possible audiences are looked up', () => {
  const body = all(
    is('list_id', 1, '2', 'three', 0, -1, 2_147_483_648, 1.5),
    is(' LIST_ID ', 4),
    is('segment_id', 5),
    is('CITY', 6),
  ) as SearchContactsBody;
  expect(mentionedIds(body, [7, undefined])).toEqual(new Set([7, 1, 2, 4, 5]));
  expect(mentionedIds({ filtering_criteria: [undefined, { condition_details: [undefined] }] })).toEqual(new Set());
});
