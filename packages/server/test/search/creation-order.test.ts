import { Faults, readerOf, SearchContactsBody } from '@roster/contract';
import { sql, type RawBuilder } from 'kysely';
import { describe, expect, test } from 'vitest';
import { attributeKey } from '#features/registry/registry.ts';
import { walkByCreation } from '#features/search/page/creation-page.ts';
import { pageQuery } from '#features/search/page/page.ts';
import { createRowReader } from '#features/search/page/rows.ts';
import type { Strategy } from '#features/search/page/strategy.ts';
import { checkSearch } from '#features/search/search.ts';
import { createTestContext } from '../support/context.ts';
import { createAccount } from './account.ts';
import { explain } from './explain.ts';
import { searchContacts } from './search-contacts.ts';
import { forFile } from '../support/for-file.ts';

/**
 * A third of the contacts has the same sign-up date, as after an import: more than the statement for
 * far pages expects of one moment. A third was created by requests of some hundred contacts each. A
 * third was created one by one, in another order than that of the contact_ids.
 */
const contacts = 6600;

const ctx = await forFile(createTestContext());
const account = await createAccount(ctx);
const other = await createAccount(ctx);
for (const { accountId } of [other, account]) {
  await sql`
      insert into contacts (account_id, contact_id, contact_key, contact_type, attributes, created_at, updated_at)
      select ${accountId}, i, 'user' || i || '@x.in', 'identified',
        jsonb_build_object(${attributeKey(accountId, 1)}::text, 'City ' || i % 2),
        '2026-01-01T10:00:00Z'::timestamptz + case i % 3
          when 0 then interval '1 second' when 1 then i / 700 * interval '1 second'
          else i * 7919 % 6607 * interval '3 milliseconds' end, now()
      from generate_series(1, ${contacts}::int) i`.execute(ctx.db);
}
await sql`vacuum analyze contacts`.execute(ctx.db);
const { rows: stored } = await sql<{ contact_id: number; created_at: Date; city: string }>`
    select contact_id, created_at, attributes->>${attributeKey(account.accountId, 1)} as city
    from contacts where account_id = ${account.accountId}`.execute(ctx.db);

type Directions = readonly ['asc' | 'desc', 'asc' | 'desc'];

const orders: Directions[] = [
  ['desc', 'asc'],
  ['asc', 'asc'],
  ['desc', 'desc'],
  ['asc', 'desc'],
];
const ofCity = { field: 'CITY', operation: 'equals', value: ['City 1'] };

/** Returns the body of a search in the order of creation. */
function search([ofMoment, ofId]: Directions, pagination: object, conditions: object[] = []): object {
  return {
    ...(conditions.length === 0 ? {} : { filtering_criteria: [{ condition_details: conditions }] }),
    output: {
      fields: ['contact_id'],
      sorting: [
        { field: 'created_at', direction: ofMoment },
        { field: 'contact_id', direction: ofId },
      ],
      pagination,
    },
  };
}

function read(body: object): SearchContactsBody {
  const faults = new Faults();
  const canonical = readerOf(SearchContactsBody)(body, faults);
  expect(faults.list).toEqual([]);
  return canonical;
}

/** Sends a search that finds its page by `strategy`. */
async function answer(body: object, strategy: Strategy) {
  const scope = { ...account, unmasked: true, activities: true };
  return searchContacts(
    { ...ctx, chooseStrategy: () => Promise.resolve({ strategy, expected: 1000 }) },
    scope,
    read(body),
  );
}

function inOrder([ofMoment, ofId]: Directions, rows = stored): number[] {
  const signs = [ofMoment === 'asc' ? 1 : -1, ofId === 'asc' ? 1 : -1] as const;
  return rows
    .toSorted(
      (one, two) =>
        signs[0] * (one.created_at.getTime() - two.created_at.getTime()) ||
        signs[1] * (one.contact_id - two.contact_id),
    )
    .map(({ contact_id: id }) => id);
}

describe.each(orders)('the contacts by created_at %s and contact_id %s', (...directions) => {
  test('every page by number has the contacts of its place, however far it is from the first', async () => {
    const all = inOrder(directions);
    const limit = 150;
    for (let page = 1; (page - 1) * limit <= contacts; page++) {
      const { rows } = await answer(search(directions, { page, limit }), 'walk');
      expect(rows.map((row) => row['contact_id'])).toEqual(all.slice((page - 1) * limit, page * limit));
    }
    const after = await answer(search(directions, { page: 1000, limit: 1000 }), 'walk');
    expect(after.rows).toEqual([]);
  });

  test.each(['walk', 'peek'] as const)('the pages by cursor have every contact once and in order (%s)', async (way) => {
    for (const [conditions, limit] of [
      [[], 170],
      [[ofCity], 90],
    ] as const) {
      const found: unknown[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const pagination = cursor === undefined ? { limit } : { limit, cursor };
        const { rows, nextCursor } = await answer(search(directions, pagination, [...conditions]), way);
        found.push(...rows.map((row) => row['contact_id']));
        cursor = nextCursor;
      }
      const expected = conditions.length === 0 ? stored : stored.filter(({ city }) => city === 'City 1');
      expect(found).toEqual(inOrder(directions, expected));
    }
  });
});

/** A node of a plan of PostgreSQL. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Reads a page, and returns the scans of contacts in its statement. */
async function scansOf(body: object): Promise<PlanNode[]> {
  const scope = { ...account, unmasked: true, activities: true };
  const { filter, output } = await checkSearch(ctx, scope, read(body), undefined, new Faults());
  const matches = await walkByCreation(ctx.searchDb, filter, output, new Set(['attributes', 'email']));
  return scansOfPlan(matches!.query);
}

/** Runs a statement, and returns the scans of its plan. */
async function scansOfPlan(statement: RawBuilder<unknown>): Promise<PlanNode[]> {
  const query = sql`${statement}`.compile(ctx.db);
  const plans = JSON.parse(await explain(ctx, account.accountId, query, '(analyze, format json)')) as {
    Plan: PlanNode;
  }[];
  const nodes = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodes)];
  return nodes(plans[0]!.Plan).filter((node) => node['Node Type'].includes('Scan'));
}

/** Returns the indexes with which the whole statement of a page reads contacts, with its columns. */
async function scansOfPage(body: object): Promise<unknown[]> {
  const { filter, output } = await checkSearch(ctx, account, read(body), undefined, new Faults());
  const reader = createRowReader(output.sorting, output.fields, { ...filter, unmasked: true });
  const matches = await walkByCreation(ctx.searchDb, filter, output, reader.sourceColumns);
  const scans = await scansOfPlan(pageQuery(filter, output, reader, matches!));
  return scans.flatMap((node) => node['Index Name'] ?? []);
}

/** Returns how many contacts the scans have read. Fails if they use another index. */
function contactsRead(scans: readonly PlanNode[]): number {
  // The scan of an index below a Bitmap Heap Scan has read the same contacts.
  const read = scans.filter((node) => !/^(Subquery|Bitmap Heap)/.test(node['Node Type']));
  expect(new Set(read.map((node) => node['Index Name']))).toEqual(new Set(['contacts_created_at_block']));
  return read.reduce((sum, node) => sum + node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0), 0);
}

describe('the contacts that PostgreSQL reads for a page', () => {
  const newestFirst = orders[0]!;

  test('the first page reads only its contacts and those of the next blocks', async () => {
    expect(contactsRead(await scansOf(search(newestFirst, { page: 1, limit: 10 })))).toBeLessThan(100);
  });

  test('the statement of a page looks at its contacts once, also after a cursor', async () => {
    const first = search(newestFirst, { page: 1, limit: 10 });
    const { nextCursor: cursor } = await searchContacts(ctx, account, read(first));
    // After a cursor, the rest of its moment and the later moments are two ranges of the index.
    expect(await scansOfPage(first)).toEqual(['contacts_created_at_block']);
    expect(await scansOfPage(search(newestFirst, { cursor, limit: 10 }))).toEqual([
      'contacts_created_at_block',
      'contacts_created_at_block',
    ]);
  });

  test('a page after a cursor reads no earlier contacts of the same moment', async () => {
    const body = (pagination: object) => search(newestFirst, { limit: 10, ...pagination });
    const signUps = stored.filter(({ contact_id: id }) => id % 3 === 0);
    const before = inOrder(newestFirst).indexOf(inOrder(newestFirst, signUps).at(-100)!);
    const { nextCursor } = await answer(search(newestFirst, { page: Math.floor(before / 10), limit: 10 }), 'walk');
    expect(contactsRead(await scansOf(body({ cursor: nextCursor })))).toBeLessThan(150);
  });

  test('a page far from the first reads the contacts of its own moment', async () => {
    const page = 1 + Math.floor(inOrder(newestFirst).findIndex((id) => id === 2101) / 10);
    expect(page).toBeGreaterThan(100);
    expect(contactsRead(await scansOf(search(newestFirst, { page, limit: 10 })))).toBeLessThan(500);
  });
});
