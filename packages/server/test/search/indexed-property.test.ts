import { afterAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import { loadRegistry } from '#features/registry/registry.ts';
import { fieldSql } from '#features/search/filter/columns.ts';
import { openDatabase, openPool } from '#platform/database/connection/database.ts';
import type { chooseStrategy as choose } from '#features/search/page/strategy.ts';
import { buildIndexes } from '../attribute-indexes/support.ts';
import { cases, caseTimeout } from '../support/cases.ts';
import { createTestContext } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';
import { answersAreCorrect, pagesAreComplete } from './properties.ts';
import { createWorld, type TestWorld } from './world.ts';

/** The real strategy always collects in accounts as small as those of the tests. */
const chooseStrategy: typeof choose = async (_db, _filter, { sorting }) => ({
  strategy: fieldSql(sorting[0]!.field).indexed === undefined ? (sorting.length > 1 ? 'peek' : 'walk') : 'follow',
  expected: 1000,
});

const ctx = await forFile(createTestContext());
// PostgreSQL also ignores indexes of small tables. These settings make it use every index that
// fits a condition or an order.
const settings = { enable_seqscan: 'off', enable_sort: 'off', enable_incremental_sort: 'off' };
const pool = openPool({ url: ctx.config.databaseUrl!, name: 'test', size: 4, settings, log: ctx.log });
const searchDb = openDatabase(pool);
afterAll(() => searchDb.destroy());

/** Creates a world with indexes on attributes of every data type but long_text. */
async function createIndexedWorld(): Promise<TestWorld> {
  const made = await createWorld(ctx, 'EMAIL', 'Europe/Berlin');
  const { accountId } = made.account;
  await ctx.db
    .updateTable('attributes')
    .where('account_id', '=', accountId)
    .where('name', 'in', ['CITY', 'AGE', 'VIP', 'BIRTH_DATE', 'LAST_SEEN'])
    .set({ indexed: true })
    .execute();
  await buildIndexes(ctx);
  await sql`analyze contacts`.execute(ctx.db);
  const registry = await loadRegistry(ctx.db, accountId);
  expect(registry.attributes.filter(({ slot }) => slot !== null)).toHaveLength(5);
  return { ...made, account: { ...made.account, registry } };
}

test('a random search with indexes returns the rows that the oracle expects', { timeout: caseTimeout }, async () =>
  answersAreCorrect({ searchDb, now: ctx.now, chooseStrategy }, await createIndexedWorld(), cases(200)),
);

test(
  'the pages of a random search with indexes return every match once and in order',
  { timeout: caseTimeout },
  async () => pagesAreComplete({ searchDb, now: ctx.now, chooseStrategy }, await createIndexedWorld(), cases(60)),
);
