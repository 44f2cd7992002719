import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'kysely';
import { loadRegistry } from '#features/registry/registry.ts';
import { fieldSql } from '#features/search/filter/columns.ts';
import type { Context } from '#platform/context.ts';
import { openDatabase, openPool, type Database } from '#platform/database/connection/database.ts';
import type { chooseStrategy as choose } from '#features/search/page/strategy.ts';
import { keepIndexes } from '#features/attribute-indexes/keep-indexes.ts';
import { createTestContext } from '../support/context.ts';
import { answersAreMeant, pagesAreComplete } from './properties.ts';
import { createWorld, runs, type TestWorld } from './world.ts';

/** Accounts of tests are so small that indexes would never be followed. */
const chooseStrategy: typeof choose = async (_db, _filter, _counts, sorting) =>
  fieldSql(sorting[0]!.field).indexed === undefined ? 'walk' : 'follow';

let ctx: Context;
let searchDb: Database;
beforeAll(async () => {
  ctx = await createTestContext();
  // Nor would they be used. Where there is one that can serve a condition or an order, this makes the server take it.
  const settings = { enable_seqscan: 'off', enable_sort: 'off', enable_incremental_sort: 'off' };
  const pool = openPool({ url: ctx.config.databaseUrl!, name: 'test', size: 4, settings, log: ctx.log });
  searchDb = openDatabase(pool);
});
afterAll(async () => {
  await searchDb.destroy();
  await ctx[Symbol.asyncDispose]();
});

/** A world in which some attributes of every kind are indexed. */
async function createIndexedWorld(): Promise<TestWorld> {
  const made = await createWorld(ctx, 'EMAIL', 'Europe/Berlin');
  const { accountId } = made.account;
  await ctx.db
    .updateTable('attributes')
    .where('account_id', '=', accountId)
    .where('name', 'in', ['CITY', 'AGE', 'VIP', 'BIRTH_DATE', 'LAST_SEEN'])
    .set({ indexed: true })
    .execute();
  await keepIndexes(ctx, new AbortController().signal);
  await sql`analyze contacts`.execute(ctx.db);
  const registry = await loadRegistry(ctx.db, accountId);
  expect(registry.attributes.filter(({ indexed }) => indexed)).toHaveLength(5);
  return { ...made, account: { ...made.account, registry } };
}

test('with indexes, the answer of a random search is the same', { timeout: 600_000 }, async () =>
  answersAreMeant({ searchDb, chooseStrategy }, await createIndexedWorld(), Math.ceil(runs / 3)),
);

test('with indexes, the pages of a random search are the same', { timeout: 600_000 }, async () =>
  pagesAreComplete({ searchDb, chooseStrategy }, await createIndexedWorld(), Math.ceil(runs / 10)),
);
