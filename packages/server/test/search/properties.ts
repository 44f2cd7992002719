import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Context } from '#platform/context.ts';
import { openSnapshot } from '#platform/database/connection/snapshot.ts';
import { copyStatement } from '#features/exports/run/copy-statement.ts';
import { derivedFields } from '#features/registry/derived/derived-fields.ts';
import { derivedField, fixedField } from '#features/search/filter/fields.ts';
import { resolveFilter } from '#features/search/search.ts';
import { filter, now, sortableFields, sorting, sortingBody } from './arbitraries.ts';
import { matches, sorted, valueOf } from './oracle.ts';
import { read, type TestWorld } from './world.ts';
import { searchContacts } from './search-contacts.ts';

type SearchContext = Parameters<typeof searchContacts>[0];

/** Checks that random searches return the rows that the oracle expects. */
export async function answersAreCorrect(ctx: SearchContext, testWorld: TestWorld, numRuns: number): Promise<void> {
  const { account, stored, world, vocabulary } = testWorld;
  const scope = { ...account, unmasked: true, activities: true };
  const search = fc.record({
    filter: filter(vocabulary),
    sorting: sorting(world.primaryKey),
    page: fc.integer({ min: 1, max: 4 }),
    limit: fc.constantFrom(1, 7, 50, 1000),
    getCount: fc.boolean(),
    fields: fc.uniqueArray(fc.constantFrom(...sortableFields, 'NOTES'), { maxLength: 6 }),
  });
  const property = fc.asyncProperty(search, async ({ filter, sorting, page, limit, getCount, fields }) => {
    const { sortKeys, body } = sortingBody(sorting);
    const output = {
      ...body,
      pagination: { page, limit },
      fields: ['contact_id', ...fields],
      get_count: getCount,
    };
    const answer = await searchContacts({ ...ctx, now: () => now }, scope, read({ ...filter.body, output }));
    const all = sorted(
      stored.filter((contact) => matches(contact, filter.model, world)),
      sortKeys,
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
  await fc.assert(property, { numRuns });
}

/**
 * Checks that the pages of random searches, by number and by cursor, return every match once and in
 * order.
 */
export async function pagesAreComplete(ctx: SearchContext, testWorld: TestWorld, numRuns: number): Promise<void> {
  const { account, stored, world, vocabulary } = testWorld;
  const scope = { ...account, unmasked: true, activities: true };
  const search = fc.record({
    filter: fc.option(filter(vocabulary), { nil: { model: { operator: 'and' as const, groups: [] }, body: {} } }),
    sorting: sorting(world.primaryKey),
    limit: fc.constantFrom(10, 17, 40),
  });
  const property = fc.asyncProperty(search, async ({ filter, sorting, limit }) => {
    const { sortKeys, body } = sortingBody(sorting);
    const all = sorted(
      stored.filter((contact) => matches(contact, filter.model, world)),
      sortKeys,
      world,
    ).map(({ contact_id }) => contact_id);
    const fetch = async (pagination: object) => {
      const output = { ...body, pagination: { limit, ...pagination }, fields: ['contact_id'] };
      const answer = await searchContacts({ ...ctx, now: () => now }, scope, read({ ...filter.body, output }));
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
  await fc.assert(property, { numRuns });
}

/**
 * Checks that the export file of a random filter has every match once, in the order of the
 * contact_ids. COPY takes no parameters, so its conditions are written in another way than those of
 * a search.
 */
export async function filesAreCorrect(
  ctx: Pick<Context, 'searchDb' | 'pool' | 'now'>,
  testWorld: TestWorld,
  numRuns: number,
): Promise<void> {
  const { account, stored, world, vocabulary } = testWorld;
  const scope = { ...account, unmasked: true, activities: true };
  const fields = [fixedField(account.registry, 'contact_id')];
  const names = ['activity.sent_90_days', 'activity.sms.last_sent', 'activity.engagement_score'];
  const derived = names.map((name) => derivedField({ ...account.registry, now }, derivedFields.get(name)!));
  const cell = (value: ReturnType<typeof valueOf>) => (typeof value === 'object' ? '' : String(value));
  // The activities are read in one way for few contacts, and in another for many.
  const ways = fc.constantFrom('each', 'all');
  const property = fc.asyncProperty(filter(vocabulary), ways, async ({ model, body }, way) => {
    const resolved = await resolveFilter({ ...ctx, now: () => now }, scope, read(body));
    const source = {
      filter: resolved,
      fields: [...fields, ...derived],
      blocklist: null,
      unmasked: true,
      formulaGuard: false,
    };
    await using snapshot = await openSnapshot(ctx);
    const rows = await text(snapshot.copyOut(copyStatement(source, way)));
    await snapshot.finish();
    const matching = stored
      .filter((contact) => matches(contact, model, world))
      .sort((one, other) => one.contact_id - other.contact_id);
    expect(rows.split('\n').slice(0, -1)).toEqual(
      matching.map((contact) => ['contact_id', ...names].map((name) => cell(valueOf(contact, name, world))).join(',')),
    );
  });
  await fc.assert(property, { numRuns });
}
