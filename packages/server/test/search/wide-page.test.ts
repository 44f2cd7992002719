import { answerTextLimit, Faults, readerOf, SearchContactsBody } from '@roster/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { attributeKey, loadRegistry } from '#features/registry/registry.ts';
import { createRowReader } from '#features/search/page/rows.ts';
import { checkSearch } from '#features/search/search.ts';
import { readWidePage, rowsThatFit } from '#features/search/page/wide-page.ts';
import { createTestContext } from '../support/context.ts';
import { createAccount } from './account.ts';
import { searchContacts } from './search-contacts.ts';
import { forFile } from '../support/for-file.ts';

/**
 * Each contact has 10 long texts of 65,536 characters. So many contacts do not fit into one answer.
 */
const contacts = 40;
const texts = Array.from({ length: 10 }, (_, n) => `TEXT_${n}`);
const rowLength = 10 * 65_536;

const ctx = await forFile(createTestContext());
const account = await createAccount(ctx);
const { accountId } = account;
const now = new Date();
await ctx.db
  .insertInto('attributes')
  .values(
    texts.map((name, n) => ({
      account_id: accountId,
      attribute_id: 100 + n,
      name,
      data_type: 'long_text' as const,
      created_at: now,
      updated_at: now,
    })),
  )
  .execute();
const registry = await loadRegistry(ctx.db, accountId);
const attributes = texts.map((_, n) => sql`${attributeKey(accountId, 100 + n)}::text, repeat('x', 65536)`);
await sql`
    insert into contacts (account_id, contact_id, contact_key, contact_type, attributes, list_ids, created_at, updated_at)
    select ${accountId}, i, 'user' || lpad(i::text, 3, '0') || '@x.in', 'identified',
      jsonb_build_object(${attributeKey(accountId, 1)}::text, 'City ' || i % 3, ${sql.join(attributes)}), array[i % 5 + 1], now(), now()
    from generate_series(1, ${contacts}::int) i`.execute(ctx.db);

function read(body: object): SearchContactsBody {
  const faults = new Faults();
  const canonical = readerOf(SearchContactsBody)(body, faults);
  expect(faults.list).toEqual([]);
  return canonical;
}

const search = (body: object) => searchContacts(ctx, { accountId: account.accountId, registry }, read(body));

test('a page that is too large for an answer is refused, and the message says how many rows fit', async () => {
  const page = (limit: number) => ({ output: { fields: ['identity', ...texts], pagination: { limit } } });
  const fitting = Math.floor(answerTextLimit / (rowLength + 'user001@x.in'.length));
  await expect(search(page(1000))).rejects.toMatchObject({ code: 'answer_too_large', status: 400 });
  await expect(search(page(fitting + 1))).rejects.toThrow(`The first ${fitting} rows fit.`);
  expect((await search(page(fitting))).rows).toHaveLength(fitting);
});

test('a field counts once for each of its spellings in the size of an answer', async () => {
  const spellings = ['text_0', 'Text_0', 'tExt_0', 'teXt_0', 'texT_0', 'TEXT_0', 'TexT_0'];
  const page = (limit: number) => ({ output: { fields: spellings, pagination: { limit } } });
  const fitting = Math.floor(answerTextLimit / (spellings.length * 65_536));
  expect((await search(page(fitting))).rows).toHaveLength(fitting);
  await expect(search(page(fitting + 1))).rejects.toMatchObject({ code: 'answer_too_large' });
});

test('a page that might be too large has the same rows and cursor as a small page', async () => {
  const filter = {
    filtering_criteria: [{ condition_details: [{ field: 'CITY', operation: 'equals', value: ['City 1', 'City 2'] }] }],
  };
  const sorting = [{ field: 'CITY', direction: 'desc' }, { field: 'identity' }];
  const of = (fields: string[], pagination: object) =>
    search({ ...filter, get_count: true, output: { fields, sorting, pagination } });
  const fields = ['identity', 'list_id', 'CITY', 'NOTES', 'contact_id'];
  expect(rowsThatFit((await checked(fields)).output.fields)).toBeLessThan(1000);
  const wide = await of(fields, { limit: 1000 });
  const narrow = await of(fields, { limit: 100 });
  expect(wide).toEqual(narrow);
  expect(wide.count).toBe(27);
  expect(wide.rows[0]).toEqual({
    identity: 'user002@x.in',
    list_id: [3],
    CITY: 'City 2',
    NOTES: null,
    contact_id: expect.any(Number),
  });
  // A cursor continues after a page whose values were read in several parts.
  const parts = await of([...fields, ...texts], { limit: 14 });
  expect(parts.rows.map((row) => row['identity'])).toEqual(narrow.rows.slice(0, 14).map((row) => row['identity']));
  const rest = await of([...fields, ...texts], { limit: 14, cursor: parts.nextCursor });
  expect([...parts.rows, ...rest.rows].map((row) => row['identity'])).toEqual(
    narrow.rows.map((row) => row['identity']),
  );
});

const checked = (fields: string[], filter: object = {}) =>
  checkSearch(
    ctx,
    { accountId: account.accountId, registry },
    read({ ...filter, output: { fields, sorting: [{ field: 'contact_id' }] } }),
    undefined,
    new Faults(),
  );

test('a page leaves out contacts that were deleted or changed after its ids were read', async () => {
  const { rows } = await search({ output: { fields: ['contact_id', 'CITY'], pagination: { limit: 10 } } });
  const filtering_criteria = [{ condition_details: [{ field: 'CITY', operation: 'equals', value: ['City 1'] }] }];
  const { filter, output } = await checked(['contact_id', 'NOTES'], { filtering_criteria });
  const reader = createRowReader(output.sorting, output.fields, {
    ...filter,
    unmasked: false,
  });
  const found = [{ contact_id: 4711 }, ...rows].map(({ contact_id }) => ({
    s0: contact_id,
    total: null,
    unfinished: false,
  }));
  const answers = await readWidePage(ctx.searchDb, { filter, output }, found, reader);
  const matching = rows.filter((row) => row['CITY'] === 'City 1');
  expect(answers).toEqual(matching.map(({ contact_id }) => ({ contact_id, NOTES: null })));
  expect(matching.length).toBeGreaterThan(1);
});

test('a row with the maximum number of fields always fits into an answer', async () => {
  const [long] = (await checked(['NOTES'])).output.fields;
  expect(rowsThatFit(Array.from({ length: 100 }, () => long!))).toBeGreaterThanOrEqual(1);
  expect(100 * 65_536).toBeLessThan(answerTextLimit);
});
