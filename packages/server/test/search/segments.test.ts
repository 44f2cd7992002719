import { Faults, readerOf, SearchContactsBody, type Filter } from '@roster/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { loadRegistry } from '#features/registry/registry.ts';
import { ApiError } from '#platform/errors/api-error.ts';
import { compileFilter } from '#features/search/filter/compile.ts';
import { segmentDepth, totalConditions } from '#features/search/filter/resolve.ts';
import { countFilter, resolveAudience, resolveFilter } from '#features/search/search.ts';
import {
  filterUsage,
  fromStoredFilter,
  toStoredFilter,
  type StoredFilter,
} from '#features/search/filter/stored-filter.ts';
import { createTestContext } from '../support/context.ts';
import { contact, createAccount, createSegment, type TestAccount } from './account.ts';
import { searchContacts } from './search-contacts.ts';
import { forFile } from '../support/for-file.ts';

let account: TestAccount;
const ctx = await forFile(createTestContext());
beforeEach(async () => {
  account = await createAccount(ctx);
  await account.store([
    contact('pune@x.in', { attributes: { CITY: 'Pune', AGE: 30 }, lists: [1] }),
    contact('delhi@x.in', { attributes: { CITY: 'Delhi' }, lists: [1, 2] }),
    contact('none@x.in'),
  ]);
});

const condition = (field: string, operation: string, ...value: (string | number)[]) => ({
  field,
  operation,
  ...(value.length === 0 ? {} : { value }),
});
const all = (...condition_details: object[]) => ({ filtering_criteria: [{ condition_details }] });

function read(body: object): SearchContactsBody {
  const faults = new Faults();
  const canonical = readerOf(SearchContactsBody)(body, faults);
  expect(faults.list).toEqual([]);
  return canonical;
}

async function store(body: object, segmentId: number | null = null): Promise<StoredFilter> {
  const scope = { ...account, registry: await loadRegistry(ctx.db, account.accountId), unmasked: true, activity: true };
  const { filters } = await resolveFilter(ctx, scope, read(body), segmentId);
  return toStoredFilter(filters[0]!);
}

async function saveSegment(id: number, body: object): Promise<void> {
  await createSegment(ctx, account.accountId, id, await store(body));
}

async function found(body: object): Promise<unknown[]> {
  const output = { fields: ['identity'], sorting: [{ field: 'contact_id' }] };
  const { rows } = await searchContacts(ctx, { accountId: account.accountId }, read({ ...body, output }));
  return rows.map(({ identity }) => identity);
}

async function faultsOf(run: Promise<unknown>): Promise<string[]> {
  const error = await run.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(ApiError);
  return (error as ApiError).faults.map(({ field, code, message }) => `${field} ${code}: ${message}`);
}

const inSegment = (...ids: number[]) => all(condition('segment_id', 'equals', ...ids));
const valueAt = (index: number) => `filtering_criteria[0].condition_details[0].value[${index}]`;

describe('the stored filter of a segment', () => {
  const body = {
    filtering_criteria_operator: 'OR',
    filtering_criteria: [
      { condition_details: [condition('city', 'EQUALS', 'Pune'), condition('Age', 'between', '1', 50)] },
      {
        condition_operator: 'or',
        condition_details: [
          condition('list_id', 'not_equals', '1'),
          condition('EMAIL', 'is_null'),
          condition('BIRTH_DATE', 'equals', '09-03-1994'),
        ],
      },
    ],
  };

  test('names attributes by attribute_id, and has canonical operations and values', async () => {
    expect(await store(body)).toEqual({
      filtering_criteria_operator: 'or',
      filtering_criteria: [
        {
          condition_operator: 'and',
          condition_details: [
            { attribute_id: 1, field_category: 'attribute', operation: 'equals', value: ['Pune'] },
            { attribute_id: 4, field_category: 'attribute', operation: 'between', value: [1, 50] },
          ],
        },
        {
          condition_operator: 'or',
          condition_details: [
            { field: 'list_id', field_category: 'audience', operation: 'not_equals', value: [1] },
            { field: 'email', field_category: 'config', operation: 'is_null', value: [] },
            { attribute_id: 6, field_category: 'attribute', operation: 'equals', value: ['1994-03-09'] },
          ],
        },
      ],
    });
  });

  test('is shown as a filter with the same meaning', async () => {
    const stored = await store(body);
    const shown: Filter = fromStoredFilter(stored, account.registry);
    expect(shown.filtering_criteria?.[0]?.condition_details[0]).toEqual({
      field: 'CITY',
      field_category: 'attribute',
      operation: 'equals',
      value: ['Pune'],
    });
    expect(await store(shown)).toEqual(stored);
    expect(await store(fromStoredFilter(await store({}), account.registry))).toEqual({
      filtering_criteria_operator: 'and',
      filtering_criteria: [],
    });
  });

  test('has a usage that names its attributes, lists and segments', async () => {
    await saveSegment(11, {});
    const stored = await store({
      filtering_criteria_operator: 'and',
      filtering_criteria: [body.filtering_criteria[0], inSegment(11).filtering_criteria[0], body.filtering_criteria[1]],
    });
    expect(filterUsage(stored)).toEqual({ attributeIds: [1, 4, 6], listIds: [1], segmentIds: [11], derived: false });
  });
});

describe('a segment', () => {
  test('still works after an attribute that it uses is renamed', async () => {
    await saveSegment(11, all(condition('CITY', 'equals', 'Pune')));
    await ctx.db
      .updateTable('attributes')
      .where('account_id', '=', account.accountId)
      .where('name', '=', 'CITY')
      .set({ name: 'TOWN' })
      .execute();
    expect(await found(inSegment(11))).toEqual(['pune@x.in']);
  });

  test('can use other segments, with equals and not_equals', async () => {
    await saveSegment(11, all(condition('CITY', 'equals', 'Pune')));
    await saveSegment(12, all(condition('segment_id', 'not_equals', 11)));
    await saveSegment(13, all(condition('segment_id', 'not_equals', 12)));
    expect(await found(inSegment(12))).toEqual(['delhi@x.in', 'none@x.in']);
    expect(await found(inSegment(13))).toEqual(['pune@x.in']);
    expect(await found(inSegment(11, 12))).toHaveLength(3);
    expect(await found(all(condition('segment_id', 'not_equals', 11, 13)))).toEqual(['delhi@x.in', 'none@x.in']);
  });

  test('restricts an audience search, even if its filter and that of the search use or', async () => {
    await saveSegment(11, {
      filtering_criteria: [
        {
          condition_operator: 'or',
          condition_details: [condition('CITY', 'equals', 'Pune'), condition('CITY', 'is_null')],
        },
      ],
    });
    const body = read({
      filtering_criteria: [
        {
          condition_operator: 'or',
          condition_details: [condition('list_id', 'equals', 2), condition('AGE', 'equals', 30)],
        },
      ],
      output: { fields: ['identity'] },
    });
    const audience = { audience_type: 'segment', audience_id: [11] } as const;
    const { rows } = await searchContacts(ctx, account, body, audience);
    expect(rows.map(({ identity }) => identity)).toEqual(['pune@x.in']);
    const resolved = await resolveAudience(ctx, account, audience);
    expect(await countFilter(ctx, resolved)).toBe(2);
  });

  test('may have up to five levels of segments', async () => {
    await saveSegment(11, all(condition('CITY', 'equals', 'Pune')));
    for (let id = 12; id < 11 + segmentDepth; id++) await saveSegment(id, inSegment(id - 1));
    const deepest = 10 + segmentDepth;
    expect(await found(inSegment(deepest))).toEqual(['pune@x.in']);
    const tooDeep = [`${valueAt(0)} not_supported: The segment contains segments more than 5 levels deep.`];
    expect(await faultsOf(store(inSegment(deepest)))).toEqual(tooDeep);
    // This segment is stored without the check, as if a segment below it was changed.
    await createSegment(ctx, account.accountId, 99, naming(deepest));
    expect(await faultsOf(found(inSegment(99)))).toEqual(tooDeep);
  });

  test('must not contain itself', async () => {
    await saveSegment(11, {});
    await saveSegment(12, inSegment(11));
    const itself = [`${valueAt(0)} not_supported: The segment contains itself.`];
    expect(await faultsOf(store(inSegment(11), 11))).toEqual(itself);
    expect(await faultsOf(store(inSegment(12), 11))).toEqual(itself);
    // A cycle in stored filters is found when the segment is used.
    const cycle = JSON.stringify(naming(12));
    await ctx.db
      .updateTable('audiences')
      .where('account_id', '=', account.accountId)
      .where('audience_id', '=', 11)
      .set({ filter: cycle })
      .execute();
    expect(await faultsOf(found(inSegment(12)))).toEqual(itself);
  });

  test('that uses a deleted item cannot be evaluated, so that it never matches more contacts', async () => {
    let id = 50;
    const broken = async (filter: object) => {
      id++;
      const stored = {
        filtering_criteria_operator: 'and',
        filtering_criteria: [{ condition_operator: 'and', condition_details: [filter] }],
      };
      await createSegment(ctx, account.accountId, id, stored);
      return faultsOf(found(all(condition('segment_id', 'not_equals', id))));
    };
    const unfit = [`${valueAt(0)} not_supported: The segment uses a field that was deleted or changed its type.`];
    const attribute = { field_category: 'attribute', operation: 'equals', value: ['x'] };
    expect(await broken({ ...attribute, attribute_id: 4711 })).toEqual(unfit);
    expect(await broken({ ...attribute, attribute_id: 4 })).toEqual(unfit);
    expect(await broken({ ...attribute, attribute_id: 1, operation: 'greater_than' })).toEqual(unfit);
    const list = { field: 'list_id', field_category: 'audience', operation: 'not_equals', value: [77] };
    expect(await broken(list)).toEqual([`${valueAt(0)} not_supported: The segment uses a list that was deleted.`]);
    expect(await broken({ ...list, field: 'segment_id' })).toEqual([
      `${valueAt(0)} not_supported: The segment uses a segment that was deleted.`,
    ]);
  });

  test('may use masked attributes even for callers without the scope unmasked, because an operator created it', async () => {
    await saveSegment(11, all(condition('CARD', 'is_null')));
    expect(await found(inSegment(11))).toHaveLength(3);
  });

  test('adds all its conditions to the limit of a search', async () => {
    const many = {
      condition_operator: 'or',
      condition_details: Array.from({ length: 50 }, () => condition('AGE', 'equals', 30)),
    };
    const thousand = { filtering_criteria_operator: 'or', filtering_criteria: Array.from({ length: 20 }, () => many) };
    await saveSegment(11, thousand);
    await saveSegment(12, inSegment(11));
    await saveSegment(13, inSegment(12));
    // A segment that a condition names twice is evaluated once.
    expect(await found(inSegment(11, 12, 11))).toEqual(['pune@x.in']);
    expect(await faultsOf(found(inSegment(11, 12, 13)))).toEqual([
      `filtering_criteria too_many_items: The filter and its segments have more than ${totalConditions} conditions together.`,
    ]);
    expect(await found(thousand)).toEqual(['pune@x.in']);
  });

  test('adds all its values to the limit of a search', async () => {
    const names = Array.from({ length: 999 }, (_, n) => `${n} ${'x'.repeat(990)}`);
    await saveSegment(11, all(condition('CITY', 'equals', ...names, 'Pune')));
    const often = (times: number) => all(...Array.from({ length: times }, () => condition('segment_id', 'equals', 11)));
    expect(await found(often(16))).toEqual(['pune@x.in']);
    expect(await faultsOf(found(often(17)))).toEqual([
      'filtering_criteria too_many_items: The filter and its segments have more than 16 MiB of values together.',
    ]);
  });

  test('is evaluated once when a condition repeats it, and repeated values are removed', async () => {
    await saveSegment(11, all(condition('CITY', 'equals', 'Pune')));
    await saveSegment(12, all(condition('CITY', 'equals', 'Pune', 'Pune', 'Delhi', 'Pune')));
    const again = <T>(value: T) => Array.from({ length: 999 }, () => value);
    const filter = all(
      condition('segment_id', 'equals', ...again(11)),
      condition('CITY', 'not_equals', ...again('Delhi'), 'Agra'),
    );
    const resolved = await resolveFilter(ctx, account, read(filter));
    const { parameters } = compileFilter(resolved).compile(ctx.db);
    expect(JSON.stringify(parameters).match(/Pune|Delhi|Agra/g)).toHaveLength(3);
    expect(toStoredFilter((await resolveFilter(ctx, account, read(inSegment(12)))).segments.get(12)!)).toMatchObject({
      filtering_criteria: [{ condition_details: [{ value: ['Pune', 'Delhi'] }] }],
    });
    expect(await found(filter)).toEqual(['pune@x.in']);
  });
});

/** Returns the stored filter of a segment that uses another segment, without the check. */
function naming(segmentId: number): StoredFilter {
  return {
    filtering_criteria_operator: 'and',
    filtering_criteria: [
      {
        condition_operator: 'and',
        condition_details: [
          { field: 'segment_id', field_category: 'audience', operation: 'equals', value: [segmentId] },
        ],
      },
    ],
  };
}
