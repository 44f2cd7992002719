import { Faults, readerOf, SearchContactsBody } from '@roster/contract';
import { describe, expect, test } from 'vitest';
import { loadRegistry } from '#features/registry/registry.ts';
import { openDatabase, openPool } from '#platform/database/connection/database.ts';
import type { SearchScope } from '#features/search/search.ts';
import { createTestContext } from '../support/context.ts';
import { contact, createAccount, type StoredContact } from './account.ts';
import { searchContacts } from './search-contacts.ts';
import { forFile } from '../support/for-file.ts';

const ctx = await forFile(createTestContext());
const account = await createAccount(ctx);
const [asha, someone] = (await account.store([
  contact('asha@example.com', {
    contact_type: 'confirmed',
    email: 'Asha@Example.com',
    mobile: '919812345678',
    attributes: {
      CITY: 'Pune',
      NOTES: 'long',
      AGE: 30,
      VIP: false,
      BIRTH_DATE: '1994-03-09',
      LAST_SEEN: '2026-01-15T10:00:00.000Z',
      CARD: '4111 1111 1111 1234',
      SECRET: 12,
    },
    lists: [2, 1],
    created_at: '2026-01-10T01:02:03.004Z',
    updated_at: '2026-01-11T00:00:00.000Z',
  }),
  contact(null, { attributes: { CARD: 'short' } }),
])) as [StoredContact, StoredContact];

async function search(body: object, scope: Partial<SearchScope> = {}) {
  const faults = new Faults();
  const canonical = readerOf(SearchContactsBody)(body, faults);
  expect(faults.list).toEqual([]);
  const { rows, ...rest } = await searchContacts(ctx, { ...account, ...scope }, canonical);
  return { rows: rows.map((row) => ({ ...row })), ...rest };
}

describe('the rows of a search', () => {
  test('have the default fields if the search names no fields', async () => {
    const { rows } = await search({});
    expect(rows).toEqual([
      {
        contact_id: asha.contact_id,
        EMAIL: 'Asha@Example.com',
        MOBILE: '919812345678',
        contact_type: 'confirmed',
        created_at: '2026-01-10T01:02:03.004Z',
      },
      {
        contact_id: someone.contact_id,
        EMAIL: null,
        MOBILE: null,
        contact_type: 'anonymous',
        created_at: '2026-01-01T00:00:00.000Z',
      },
    ]);
    expect(Object.keys(rows[0]!)).toEqual(['contact_id', 'EMAIL', 'MOBILE', 'contact_type', 'created_at']);
    expect(await search({ output: { fields: [] } })).toEqual(await search({}));
  });

  test('include the primary key among the default fields', async () => {
    const custom = await createAccount(ctx, { primaryKey: 'CUSTOMER_ID' });
    await custom.store([contact('C-1')]);
    const { rows } = await search({}, custom);
    expect(Object.entries(rows[0]!).slice(0, 3)).toEqual([
      ['contact_id', expect.any(Number)],
      ['CUSTOMER_ID', 'C-1'],
      ['EMAIL', null],
    ]);
  });

  test('have typed values under the names that the caller used', async () => {
    const fields = ['Contact_ID', 'city', 'CITY', 'Notes', 'age', 'vip', 'birth_date', 'last_seen', 'updated_AT'];
    const { rows } = await search({
      output: { fields: [...fields, 'Identity', 'email_opted_out', 'LIST_ID', 'city', ' City '] },
    });
    expect(rows).toEqual([
      {
        Contact_ID: asha.contact_id,
        city: 'Pune',
        CITY: 'Pune',
        Notes: 'long',
        age: 30,
        vip: false,
        birth_date: '1994-03-09',
        last_seen: '2026-01-15T10:00:00.000Z',
        updated_AT: '2026-01-11T00:00:00.000Z',
        Identity: 'asha@example.com',
        email_opted_out: false,
        LIST_ID: [2, 1],
        ' City ': 'Pune',
      },
      {
        Contact_ID: someone.contact_id,
        city: null,
        CITY: null,
        Notes: null,
        age: null,
        vip: null,
        birth_date: null,
        last_seen: null,
        updated_AT: '2026-01-01T00:00:00.000Z',
        Identity: null,
        email_opted_out: false,
        LIST_ID: [],
        ' City ': null,
      },
    ]);
  });

  test('can have 100 fields', async () => {
    const fields = Array.from({ length: 100 }, (_, index) => ['CITY', 'AGE', 'VIP', 'email'][index % 4]!);
    const { rows } = await search({ output: { fields } });
    expect(rows[0]).toEqual({ CITY: 'Pune', AGE: 30, VIP: false, email: 'Asha@Example.com' });
  });

  test('are ten on a page if the search has no limit', async () => {
    const many = await createAccount(ctx);
    await many.store(Array.from({ length: 11 }, (_, index) => contact(`c${index}@x.in`)));
    const { rows, nextCursor } = await search({}, many);
    expect(rows).toHaveLength(10);
    const last = await search({ output: { pagination: { cursor: nextCursor } } }, many);
    expect(last).toMatchObject({ rows: [expect.anything()], nextCursor: null });
  });

  test('do not name deleted lists that the sweep has not removed yet', async () => {
    const { accountId, registry, store } = await createAccount(ctx);
    await store([contact('in@x.in', { lists: [3, 4] }), contact('gone@x.in', { lists: [4] })]);
    await ctx.db
      .insertInto('sweeps')
      .values({ account_id: accountId, kind: 'list', target_id: 4, created_at: new Date(0) })
      .execute();
    const scope = { accountId, registry };
    const output = { fields: ['list_id'], sorting: [{ field: 'contact_id' }] };
    expect((await search({ output }, scope)).rows).toEqual([{ list_id: [3] }, { list_id: [] }]);
    const isNull = (operation: string) => ({
      filtering_criteria: [{ condition_details: [{ field: 'list_id', operation }] }],
      output,
    });
    expect((await search(isNull('is_null'), scope)).rows).toEqual([{ list_id: [] }]);
    expect((await search(isNull('is_not_null'), scope)).rows).toEqual([{ list_id: [3] }]);
  });
});

describe('masked attributes in the rows of a search', () => {
  const output = { fields: ['CARD', 'SECRET'] };

  test('are masked', async () => {
    const { rows } = await search({ output });
    expect(rows).toEqual([
      { CARD: '***************1234', SECRET: '****' },
      { CARD: '****', SECRET: null },
    ]);
  });

  test('are not masked with the scope unmasked', async () => {
    const { rows } = await search({ output }, { unmasked: true });
    expect(rows).toEqual([
      { CARD: '4111 1111 1111 1234', SECRET: 12 },
      { CARD: 'short', SECRET: null },
    ]);
  });

  test('include the identity if the primary key is masked', async () => {
    const masked = await createAccount(ctx, { primaryKey: 'CUSTOMER_ID', masking: 'partial' });
    await masked.store([contact('C-000000042'), contact(null)]);
    const fields = ['identity', 'CUSTOMER_ID'];
    const sorting = [{ field: 'contact_id' }];
    expect((await search({ output: { fields, sorting } }, masked)).rows).toEqual([
      { identity: '*******0042', CUSTOMER_ID: '*******0042' },
      { identity: null, CUSTOMER_ID: null },
    ]);
  });
});

test('the name of a system attribute means the attribute that is mapped to it', async () => {
  const { accountId, store } = await createAccount(ctx);
  await store([contact('a@x.in', { attributes: { CITY: 'old', NICKNAME: 'new' } })]);
  await ctx.db
    .updateTable('attributes')
    .where('account_id', '=', accountId)
    .where('name', '=', 'NICKNAME')
    .set({ mapping: 'CITY' })
    .execute();
  const scope = { accountId, registry: await loadRegistry(ctx.db, accountId) };
  const conditions = [{ field: 'city', operation: 'equals', value: 'new' }];
  const filter = { filtering_criteria: [{ condition_details: conditions }] };
  expect((await search({ ...filter, output: { fields: ['City'] } }, scope)).rows).toEqual([{ City: 'new' }]);
});

describe('the count of a search', () => {
  test.each([
    { output: { get_count: true } },
    { output: { Get_Count: 'true' } },
    { get_Count: 'true' },
    { get_count: true },
  ])('is returned for %j', async (body) => expect((await search(body)).count).toBe(2));
  test.each([{}, { output: { get_count: false } }, { get_count: 'false' }])('is not returned for %j', async (body) =>
    expect(await search(body)).not.toHaveProperty('count'),
  );
  test('is the number of all matches on every page', async () => {
    for (const page of [1, 2, 3, 100_000_000]) {
      const { rows, count } = await search({ output: { get_count: true, pagination: { page, limit: 1 } } });
      expect([rows.length, count]).toEqual([page <= 2 ? 1 : 0, 2]);
    }
    const { nextCursor } = await search({ output: { pagination: { limit: 1 } } });
    const second = await search({ output: { get_count: true, pagination: { limit: 1, cursor: nextCursor } } });
    expect(second).toMatchObject({ count: 2, nextCursor: null, rows: [{ contact_id: someone.contact_id }] });
  });
});

test('every page of a search with few matches has the same count, by page number and by cursor', async () => {
  const { accountId, registry, store } = await createAccount(ctx);
  const identities = ['a@x.in', 'b@x.in', 'c@x.in'];
  await store([...identities, 'd@x.in'].map((identity) => contact(identity)));
  const scope = { accountId, registry };
  const conditions = [{ field: 'identity', operation: 'equals', value: identities }];
  const filter = { filtering_criteria: [{ condition_details: conditions }] };
  let cursor: string | null | undefined;
  for (let page = 1; page <= 4; page++) {
    const limit = { limit: 1 };
    const byNumber = await search({ ...filter, output: { get_count: true, pagination: { ...limit, page } } }, scope);
    expect([byNumber.rows.length, byNumber.count]).toEqual([page <= 3 ? 1 : 0, 3]);
    if (cursor === null) continue;
    const output = { get_count: true, pagination: { ...limit, cursor } };
    const byCursor = await search({ ...filter, output }, scope);
    expect([byCursor.rows, byCursor.count]).toEqual([byNumber.rows, 3]);
    cursor = byCursor.nextCursor;
  }
  expect(cursor).toBeNull();
});

test('a search fails with search_timeout when PostgreSQL cancels its statement', async () => {
  const name = { url: ctx.config.databaseUrl!, name: 'impatient', size: 2, statementTimeout: 50, log: ctx.log };
  const searchDb = openDatabase(openPool(name));
  try {
    await ctx.db.transaction().execute(async (trx) => {
      // The statement waits for a lock until it times out.
      await trx.schema
        .alterTable('contacts')
        .alterColumn('mobile', (column) => column.setDefault(null))
        .execute();
      const search = searchContacts({ searchDb, now: ctx.now }, account, { get_count: true });
      await expect(search).rejects.toMatchObject({ code: 'search_timeout', status: 503 });
    });
  } finally {
    await searchDb.destroy();
  }
});
