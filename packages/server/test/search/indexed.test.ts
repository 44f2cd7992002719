import { Kysely, PostgresDialect, sql, type CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attributeKey, createRegistry, loadRegistry, type Registry } from '#features/registry/registry.ts';
import type { Context } from '#platform/context.ts';
import { openPool, type Database } from '#platform/database/connection/database.ts';
import { compileFilter } from '#features/search/filter/compile.ts';
import { resolveFilter } from '#features/search/search.ts';
import { buildIndexes } from '../attribute-indexes/support.ts';
import { createTestContext } from '../support/context.ts';
import { createAccount, type TestAccount } from './account.ts';
import { explain } from './explain.ts';
import { read } from './world.ts';
import { searchContacts } from './search-contacts.ts';

// More contacts than a search reads from an index that does not serve its filter.
const contacts = 33_000;

let ctx: Context;
let searchDb: Database;
let account: TestAccount;
let registry: Registry;
let withoutIndexes: Registry;
const statements: CompiledQuery[] = [];
beforeAll(async () => {
  ctx = await createTestContext();
  const pool = openPool({ url: ctx.config.databaseUrl!, name: 'test', size: 4, log: ctx.log });
  searchDb = new Kysely({ dialect: new PostgresDialect({ pool }), log: ({ query }) => void statements.push(query) });
  account = await createAccount(ctx);
  const key = (name: string) => attributeKey(account.accountId, account.registry.find(name)!.id);
  await sql`
    insert into contacts (account_id, contact_id, contact_key, contact_type, attributes, list_ids, created_at, updated_at)
    select ${account.accountId}, i, 'user' || i || '@x.in', 'identified', jsonb_strip_nulls(jsonb_build_object(
      ${key('CITY')}::text, 'City ' || i % 1000,
      ${key('AGE')}::text, case when i % 100 <> 0 then i end,
      ${key('SECRET')}::text, case when i > ${contacts - 5}::int then 7 else 1 end,
      ${key('BIRTH_DATE')}::text, (date '1900-01-01' + i)::text)), array[i % 2 + 1], now(), now()
    from generate_series(1, ${contacts}::int) i`.execute(ctx.db);
  await sql`update attributes set indexed = name in ('CITY', 'AGE', 'BIRTH_DATE')`.execute(ctx.db);
  await buildIndexes(ctx);
  await sql`update audiences set member_count = ${contacts / 2}`.execute(ctx.db);
  await sql`vacuum analyze contacts`.execute(ctx.db);
  registry = await loadRegistry(ctx.db, account.accountId);
  withoutIndexes = createRegistry(
    registry.primaryKey,
    registry.attributes.map((attribute) => ({ ...attribute, slot: null })),
  );
}, 60_000);
afterAll(async () => {
  await searchDb.destroy();
  await ctx[Symbol.asyncDispose]();
});

const condition = (field: string, operation: string, ...value: (string | number)[]) => ({ field, operation, value });
const filterOf = (conditions: object[]) => ({ filtering_criteria: [{ condition_details: conditions }] });
const by = (field: string, direction = 'asc') => ({ sorting: [{ field, direction }] });

async function search(conditions: object[], output: object = {}, attributes = registry) {
  const scope = { accountId: account.accountId, registry: attributes, unmasked: true, activity: true };
  const body = {
    ...(conditions.length === 0 ? {} : filterOf(conditions)),
    output: { fields: ['contact_id', 'AGE', 'CITY'], ...output },
  };
  const { rows, ...rest } = await searchContacts({ searchDb, now: ctx.now }, scope, read(body));
  return { rows: rows.map((row) => ({ ...row })), ...rest };
}

/** Returns the query plan of the last statement of a search that reads contacts, except for a count. */
async function planOf(conditions: object[], output: object = {}): Promise<string> {
  statements.length = 0;
  await search(conditions, output);
  const reading = statements.filter(
    (statement) => statement.sql.includes('from contacts') && !/^\s*(explain|select count)/.test(statement.sql),
  );
  return explain(ctx, account.accountId, reading.at(-1)!);
}

/** Matches a scan of an index of an attribute in a query plan. */
function scanOf(name: string, kind = ''): RegExp {
  return new RegExp(`Scan (?:Backward )?(?:using|on) contacts_${registry.find(name)!.slot}${kind} `);
}

describe('an index on an attribute', () => {
  test.each([
    ['a range of numbers', [condition('AGE', 'between', 100, 200)], 'AGE', ''],
    ['a lower bound', [condition('AGE', 'greater_than', 32_000)], 'AGE', ''],
    ['a range of dates', [condition('BIRTH_DATE', 'between', '1950-01-01', '1950-02-01')], 'BIRTH_DATE', ''],
    ['one number', [condition('AGE', 'equals', 17)], 'AGE', ''],
    ['some texts', [condition('CITY', 'equals', 'City 17', 'City 18')], 'CITY', ''],
    ['the beginning of a text', [condition('CITY', 'starts_with', 'cItY 99')], 'CITY', '_parts'],
    ['a part of a text', [condition('CITY', 'contains', 'Y 99')], 'CITY', '_parts'],
    ['the end of a text', [condition('CITY', 'ends_with', '999')], 'CITY', '_parts'],
    ['a long beginning of a text', [condition('CITY', 'starts_with', `City 99${'9'.repeat(500)}`)], 'CITY', '_parts'],
    ['contacts without a value', [condition('AGE', 'is_null')], 'AGE', ''],
  ])('serves a filter for %s', async (_, conditions, name, kind) => {
    const plan = await planOf(conditions);
    expect(plan).toMatch(scanOf(name, kind));
    expect(plan).not.toContain('Seq Scan');
  });

  test.each([
    ['a range', condition('AGE', 'less_than', 20_000)],
    ['a lower bound', condition('AGE', 'greater_than', 20_000)],
    ['a range of dates', condition('BIRTH_DATE', 'greater_than', '1920-01-01')],
    ['contacts with a value', condition('AGE', 'is_not_null')],
    ['a number', condition('AGE', 'equals', 17)],
    ['a text', condition('CITY', 'equals', 'City 17')],
  ])('counts %s without reading the contacts', async (_, given) => {
    const count = compileFilter(
      await resolveFilter(ctx, { accountId: account.accountId, registry }, read(filterOf([given]))),
    );
    const counting = sql`select count(*) from contacts where ${count}`.compile(ctx.db);
    expect(await explain(ctx, account.accountId, counting)).toMatch(
      new RegExp(`Index Only Scan using contacts_${registry.find(given.field)!.slot} `),
    );
  });

  test.each([
    ['an ascending order', [], by('AGE'), 'AGE'],
    ['a descending order', [], by('AGE', 'desc'), 'AGE'],
    ['the order of texts', [], by('CITY'), 'CITY'],
    [
      'the order of a range of dates',
      [condition('BIRTH_DATE', 'less_than', '1950-01-01')],
      by('BIRTH_DATE', 'desc'),
      'BIRTH_DATE',
    ],
    ['the order of the members of a list', [condition('list_id', 'equals', 1)], by('AGE'), 'AGE'],
    ['a deep page', [], { ...by('AGE', 'desc'), pagination: { page: 1500, limit: 10 } }, 'AGE'],
  ])('serves %s without a sort of all matches', async (_, conditions, output, name) => {
    const plan = await planOf(conditions, output);
    expect(plan).toMatch(scanOf(name));
    // Only the top node of the plan may sort, which sorts only the page. Read backwards, an index
    // has equal values in the wrong order, so these are sorted.
    expect(plan).not.toMatch(/Seq Scan|->\s+Sort/);
  });

  test.each(['asc', 'desc'])(
    'serves a page after a cursor (%s) from the position of the cursor on',
    async (direction) => {
      const { nextCursor } = await search([], { ...by('AGE', direction), pagination: { limit: 1000 } });
      const plan = await planOf([], { ...by('AGE', direction), pagination: { cursor: nextCursor, limit: 10 } });
      const ranges = plan.match(/Index Only Scan (?:Backward )?using contacts_number_\d+/g);
      expect(ranges).toHaveLength(direction === 'asc' ? 2 : 3);
      expect(plan).toMatch(/Index Cond: .* = '\d+'::double precision\) AND \(contact_id > /);
      expect(plan).toMatch(
        direction === 'asc' ? /Index Cond: .* > '\d+'::double precision/ : /Index Cond: .* < '\d+'::double precision/,
      );
      expect(plan).not.toMatch(/Filter:|->\s+Sort/);
    },
  );
});

test('a search with a selective filter uses the index of the filter, not that of the order', async () => {
  expect(await planOf([condition('AGE', 'between', 100, 120)], by('CITY'))).toMatch(scanOf('AGE'));
});

test('a search with indexes returns the same answer as without indexes', async () => {
  const cities = (length: number) => [condition('CITY', 'starts_with', `City 99${'9'.repeat(length)}`)];
  for (const [conditions, output] of [
    [[condition('AGE', 'between', 100, 200)], { get_count: true, ...by('AGE', 'desc') }],
    [[condition('AGE', 'is_not_null')], { get_count: true }],
    [[condition('AGE', 'between', 20_000, 25_000)], { get_count: true, ...by('contact_id') }],
    [[condition('AGE', 'between', 20_000, 25_000)], { get_count: true, ...by('contact_id', 'desc') }],
    [[condition('AGE', 'less_than', 5000)], { ...by('contact_id'), pagination: { page: 300, limit: 10 } }],
    [[condition('AGE', 'equals', 20_000)], { get_count: true }],
    [[condition('AGE', 'is_null')], { get_count: true, ...by('AGE', 'desc') }],
    [[], { ...by('AGE', 'desc'), pagination: { page: 327, limit: 100 } }],
    [[], { ...by('AGE', 'desc'), pagination: { page: 329, limit: 100 } }],
    [[condition('list_id', 'equals', 2)], { ...by('AGE', 'desc'), pagination: { page: 164, limit: 100 } }],
    [cities(0), { get_count: true, ...by('CITY') }],
    [cities(130), { get_count: true }],
    [[condition('list_id', 'equals', 1)], { ...by('AGE', 'desc'), pagination: { page: 20, limit: 30 } }],
    [[condition('AGE', 'greater_than', 1000), condition('list_id', 'equals', 1)], by('AGE')],
  ] as const) {
    expect(await search([...conditions], output)).toEqual(await search([...conditions], output, withoutIndexes));
  }
});

describe('a page of some thousand matches in the order of contact_id or created_at', () => {
  const ages = (low: number) => [condition('AGE', 'between', low, low + 5000)];
  const readAll = () => statements.map((statement) => statement.sql.includes('offset 0) as matches'));

  test('is found among the first contacts', async () => {
    statements.length = 0;
    const { rows, count } = await search(ages(100), { ...by('contact_id'), get_count: true });
    expect([rows[0]!['contact_id'], count]).toEqual([101, 4950]);
    expect(readAll()).not.toContain(true);
  });

  test.each(['contact_id', 'created_at'])(
    'is found without reading more contacts than fill it (by %s)',
    async (field) => {
      const plan = await planOf(ages(100), { ...by(field, field === 'created_at' ? 'desc' : 'asc'), get_count: true });
      expect(plan).toContain('WindowAgg');
      // Only the top node of the plan may sort. A sort below it would read all first contacts.
      expect(plan).not.toMatch(/->\s+Sort/);
    },
  );

  test('is found by collecting when the first contacts do not match', async () => {
    statements.length = 0;
    const { rows, count } = await search(ages(20_000), { ...by('contact_id'), get_count: true });
    expect([rows[0]!['contact_id'], count]).toEqual([20_001, 4950]);
    expect(readAll()).toContain(true);
  });
});

describe('matches at the end of an index', () => {
  // PostgreSQL estimates that a third of the contacts match. In fact five match.
  const rare = condition('SECRET', 'greater_than', 5);
  const last = [contacts - 4, contacts - 3, contacts - 2, contacts - 1, null];

  test('are found by another query after a part of the index was followed', async () => {
    statements.length = 0;
    const { rows, nextCursor } = await search([rare], { ...by('AGE'), pagination: { limit: 10 } });
    expect(rows.map(({ AGE }) => AGE)).toEqual(last);
    expect(nextCursor).toBeNull();
    const followed = statements.map((statement) => statement.sql.includes('row_number()'));
    expect(followed.slice(-2)).toEqual([true, false]);
  });

  test('are found after a cursor', async () => {
    const { nextCursor } = await search([], { ...by('AGE'), pagination: { limit: 1 } });
    const { rows } = await search([rare], { ...by('AGE'), pagination: { cursor: nextCursor, limit: 2 } });
    expect(rows.map(({ AGE }) => AGE)).toEqual(last.slice(0, 2));
  });
});

describe('the page of a range that is counted', () => {
  const pages = [{ limit: 10 }, { limit: 10, page: 3 }, { limit: 300 }];
  const orders = [by('created_at', 'desc'), by('contact_id'), by('contact_id', 'desc')];
  const glances = () => statements.filter((statement) => statement.sql.includes('read = 500 ')).length;

  test.each([
    ['many contacts', [condition('AGE', 'greater_than', 10)]],
    ['many contacts, but not the first ones', [condition('AGE', 'greater_than', 3000)]],
    ['few contacts, the first of which are far apart', [condition('AGE', 'between', 15_000, 15_020)]],
    ['no contacts', [condition('AGE', 'less_than', 0)]],
    ['contacts in two ranges', [condition('AGE', 'greater_than', 100), condition('AGE', 'less_than', 32_900)]],
  ])('is the same as without an index: %s', async (_, conditions) => {
    for (const pagination of pages) {
      for (const order of orders) {
        const output = { ...order, pagination, get_count: true };
        const found = await search(conditions, output);
        const expected = await search(conditions, output, withoutIndexes);
        expect(found).toEqual(expected);
        if (found.nextCursor === null) continue;
        const next = { ...output, pagination: { limit: 10, cursor: found.nextCursor } };
        expect(await search(conditions, next)).toEqual(await search(conditions, next, withoutIndexes));
      }
    }
  });

  test('is looked for while the range is counted, if it is likely to be found', async () => {
    statements.length = 0;
    await search([condition('AGE', 'greater_than', 10)], { get_count: true });
    expect([glances(), statements.length]).toEqual([1, 2]);
    statements.length = 0;
    await search([condition('AGE', 'greater_than', 10)], { get_count: true, pagination: { limit: 300 } });
    await search([condition('AGE', 'greater_than', 10)], { get_count: true, ...by('AGE') });
    await search([condition('CITY', 'equals', 'City 17')], { get_count: true });
    expect(glances()).toBe(0);
  });
});
