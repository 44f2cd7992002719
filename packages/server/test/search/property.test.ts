import { readerOf, SearchContactsBody, Faults } from '@roster/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../../src/context.ts';
import { resolveFilter, searchContacts } from '../../src/search/search.ts';
import { toStoredFilter } from '../../src/search/stored-filter.ts';
import { createTestContext } from '../support/context.ts';
import { createAccount, createSegment, type StoredContact, type TestAccount } from './account.ts';
import { contacts, fieldModels, filter, sortableFields, sorting, sortingBody, type Vocabulary } from './arbitraries.ts';
import { matches, sorted, valueOf, type ModelFilter, type Plain, type World } from './oracle.ts';

// More on demand; a failure prints the seed, which makes the data too.
const runs = Number(process.env['ROSTER_PROPERTY_RUNS'] ?? 2400);
const seed = Number(process.env['ROSTER_PROPERTY_SEED'] ?? Date.now() % 2 ** 31);

let ctx: Context;
beforeAll(async () => {
  ctx = await createTestContext();
});
afterAll(() => ctx[Symbol.asyncDispose]());

/** An account with random contacts and three segments, of which the last uses the others. */
async function createWorld(primaryKey: string): Promise<{
  account: TestAccount;
  stored: readonly StoredContact[];
  world: World;
  vocabulary: Vocabulary;
}> {
  const account = await createAccount(ctx, { primaryKey });
  // The same people in another account: none of them may ever be seen.
  const other = await createAccount(ctx, { primaryKey });
  const [people] = fc.sample(contacts(primaryKey), { seed, numRuns: 1 });
  const stored = await account.store(people!);
  await other.store(people!);
  const segments = new Map<number, ModelFilter>();
  const world = { primaryKey, segments };
  const values: Record<string, readonly Plain[]> = {
    ...Object.fromEntries(Object.entries(fieldModels).map(([name, { values }]) => [name, values])),
    contact_id: stored.slice(0, 40).map(({ contact_id }) => contact_id),
    identity: stored.flatMap(({ identity }) => identity ?? []).slice(0, 40),
  };
  const vocabulary = { primaryKey, values };
  for (const id of [11, 12, 13]) {
    const [segment] = fc.sample(filter(vocabulary), { seed: seed + id, numRuns: 1 });
    const scope = { accountId: account.accountId, registry: account.registry, unmasked: true };
    const resolved = await resolveFilter(ctx, scope, read(segment!.body), null);
    await createSegment(ctx, account.accountId, id, toStoredFilter(resolved.filters[0]!));
    segments.set(id, segment!.model);
    values['segment_id'] = [...segments.keys()];
  }
  return { account, stored, world, vocabulary };
}

function read(body: object): SearchContactsBody {
  const faults = new Faults();
  const canonical = readerOf(SearchContactsBody)(body, faults);
  expect(faults.list).toEqual([]);
  return canonical;
}

describe.each(['EMAIL', 'MOBILE', 'CUSTOMER_ID'])('in an account with the primary key %s', (primaryKey) => {
  test(
    'the answer of a random search is what the filter, the sorting and the page mean',
    { timeout: 600_000 },
    async () => {
      const { account, stored, world, vocabulary } = await createWorld(primaryKey);
      const scope = { accountId: account.accountId, registry: account.registry, unmasked: true };
      const search = fc.record({
        filter: filter(vocabulary),
        sorting: sorting(primaryKey),
        page: fc.integer({ min: 1, max: 4 }),
        limit: fc.constantFrom(1, 7, 50, 1000),
        getCount: fc.boolean(),
        fields: fc.uniqueArray(fc.constantFrom(...sortableFields, 'NOTES'), { maxLength: 6 }),
      });
      const property = fc.asyncProperty(search, async ({ filter, sorting, page, limit, getCount, fields }) => {
        const { meant, body } = sortingBody(sorting);
        const output = {
          ...body,
          pagination: { page, limit },
          fields: ['contact_id', ...fields],
          get_count: getCount,
        };
        const answer = await searchContacts(ctx, scope, read({ ...filter.body, output }));
        const all = sorted(
          stored.filter((contact) => matches(contact, filter.model, world)),
          meant,
          world,
        );
        const rows = all.slice((page - 1) * limit, page * limit);
        expect(answer.rows.map((row) => ({ ...row }))).toEqual(
          rows.map((contact) =>
            Object.fromEntries(['contact_id', ...fields].map((field) => [field, valueOf(contact, field, world)])),
          ),
        );
        expect(answer.count).toBe(getCount ? all.length : undefined);
        expect(answer.nextCursor === null).toBe(page * limit >= all.length || rows.length === 0);
      });
      await fc.assert(property, { numRuns: Math.ceil(runs / 3), seed });
    },
  );

  test(
    'the pages of a random search, by number and by cursor, have every match once and in order',
    { timeout: 600_000 },
    async () => {
      const { account, stored, world, vocabulary } = await createWorld(primaryKey);
      const scope = { accountId: account.accountId, registry: account.registry, unmasked: true };
      const search = fc.record({
        filter: fc.option(filter(vocabulary), { nil: { model: { operator: 'and' as const, groups: [] }, body: {} } }),
        sorting: sorting(primaryKey),
        limit: fc.constantFrom(10, 17, 40),
      });
      const property = fc.asyncProperty(search, async ({ filter, sorting, limit }) => {
        const { meant, body } = sortingBody(sorting);
        const all = sorted(
          stored.filter((contact) => matches(contact, filter.model, world)),
          meant,
          world,
        ).map(({ contact_id }) => contact_id);
        const fetch = async (pagination: object) => {
          const output = { ...body, pagination: { limit, ...pagination }, fields: ['contact_id'] };
          const answer = await searchContacts(ctx, scope, read({ ...filter.body, output }));
          return { ids: answer.rows.map(({ contact_id }) => contact_id), cursor: answer.nextCursor };
        };
        const byCursor: unknown[] = [];
        const byNumber: unknown[] = [];
        let cursor: string | null | undefined;
        for (let page = 1; cursor !== null; page++) {
          byNumber.push(...(await fetch({ page })).ids);
          const next = await fetch(cursor === undefined ? {} : { cursor });
          byCursor.push(...next.ids);
          cursor = next.cursor;
        }
        expect(byNumber).toEqual(all);
        expect(byCursor).toEqual(all);
      });
      await fc.assert(property, { numRuns: Math.ceil(runs / 40), seed });
    },
  );
});
