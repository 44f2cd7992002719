import fc from 'fast-check';
import { ListAudiencesAnswer } from '@roster/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { countSegments } from '#features/audiences/count-segments.ts';
import { storeSegmentCount } from '#features/audiences/growth/segment-count-store.ts';
import { follow } from '../live-segments/support.ts';
import { expectShape } from '../operator/shape.ts';
import { cases } from '../support/cases.ts';
import { forFile } from '../support/for-file.ts';
import { startTestService, type Answer, type TestAccount } from '../support/service.ts';
import { readTestSeed } from '../support/seed.ts';

let account: TestAccount;
let apiKey: string;
let now = new Date();

const service = await forFile(startTestService({ now: () => now }));
beforeEach(async () => {
  now = new Date('2026-08-01T09:00:00.000Z');
  account = await service.createAccount({ name: 'Pune', time_zone: 'Asia/Kolkata' });
  apiKey = await keyWith(['lists:read', 'segments:read']);
});

async function keyWith(scopes: readonly string[]): Promise<string> {
  return (await account.operator('POST', '/api-keys', { name: scopes.join(), scopes })).body.api_key;
}

async function send(body: unknown, path = '/v4/audience/list', key = apiKey): Promise<Answer> {
  return service.call('POST', path, { body, headers: { 'api-key': key } });
}

/** Sends a call that must succeed, and returns its data. */
async function found(body: unknown, key = apiKey): Promise<ListAudiencesAnswer['data']> {
  const answer = await send(body, '/v4/audience/list', key);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  expectShape(ListAudiencesAnswer, answer.body);
  expect(answer.headers['x-request-id']).toBe(answer.body.data.request_id);
  return answer.body.data;
}

const namesOf = ({ audiences }: ListAudiencesAnswer['data']) => audiences.map(({ name }) => name);

/** Creates a list, an hour after the last one. */
async function createList(name: string, of = account): Promise<number> {
  now = new Date(now.getTime() + 3_600_000);
  return of.createList(name);
}

async function createSegment(name: string, fields: object = {}, of = account): Promise<number> {
  now = new Date(now.getTime() + 3_600_000);
  return (await of.operator('POST', '/segments', { name, filtering_criteria: [], ...fields })).body.audience_id;
}

const create = (count: number, audience_id?: number) =>
  account.createContacts(
    Array.from({ length: count }, (_, at) => ({
      identity: `p${at}@example.com`,
      ...(audience_id === undefined ? {} : { audience_details: [{ audience_id: [audience_id] }] }),
    })),
  );

describe('lists', () => {
  test('are returned with their numbers and dates, without the segments', async () => {
    const id = await createList('Newsletter');
    const created = now.toISOString();
    await createSegment('All');
    await create(3, id);
    now = new Date(now.getTime() + 3_600_000);
    await account.operator('PATCH', `/lists/${id}`, { name: 'News' });
    const expected = {
      status: 'success',
      description: 'Audiences found',
      request_id: expect.any(String),
      page_details: { page_no: 1, page_size: 10, total_count: 1, total_pages: 1 },
      audiences: [
        {
          audience_id: id,
          audience_type: 'list',
          name: 'News',
          count: 3,
          created_date: created,
          updated_date: now.toISOString(),
          last_refreshed_date: null,
        },
      ],
    };
    expect(await found({ audience_type: 'list' })).toEqual(expected);
    const other = await send({ Audience_Type: 'LIST', page_details: null }, '/v4/list');
    expect(other.body).toEqual({ data: expected, message: 'Audiences found', statusCode: 200 });
  });

  test('are none in a new account', async () => {
    expect(await found({ audience_type: 'list' })).toMatchObject({
      page_details: { page_no: 1, page_size: 10, total_count: 0, total_pages: 0 },
      audiences: [],
    });
  });

  test('are those of the account of the key', async () => {
    const other = await service.createAccount();
    const id = await createList('Theirs', other);
    await createList('Ours');
    expect(namesOf(await found({ audience_type: 'list' }))).toEqual(['Ours']);
    const mine = await found({ audience_type: 'list', filtering_criteria: { audience_ids: [id + 1, 99] } });
    expect(mine.page_details.total_count).toBe(0);
  });

  test('come in pages, also beyond the last one', async () => {
    for (const name of ['A', 'B', 'C', 'D', 'E']) await createList(name);
    const pageOf = (page_no: unknown, page_size: unknown) =>
      found({ audience_type: 'list', page_details: { page_no, page_size } });
    expect(namesOf(await pageOf(1, 2))).toEqual(['A', 'B']);
    expect(namesOf(await pageOf('3', '2'))).toEqual(['E']);
    expect(await pageOf(100_000_000, 500)).toMatchObject({
      page_details: { total_count: 5, total_pages: 1 },
      audiences: [],
    });
  });
});

describe('segments', () => {
  test('that were not counted yet have the number of now', async () => {
    await create(2);
    const id = await createSegment('All');
    expect((await found({ audience_type: 'segment' })).audiences).toMatchObject([
      { audience_id: id, audience_type: 'segment', count: 2, last_refreshed_date: null },
    ]);
  });

  test('have the number of their last daily count, and its day in the time zone of the account', async () => {
    await create(2);
    await createSegment('All');
    now = new Date('2026-08-02T20:00:00.000Z');
    await countSegments(service.context, new AbortController().signal);
    await create(5);
    expect((await found({ audience_type: 'segment' })).audiences).toMatchObject([
      { count: 2, last_refreshed_date: '2026-08-02T18:30:00.000Z' },
    ]);
  });

  test('that are live have the number of now, also if they were counted', async () => {
    const id = await createSegment('Live', { live: true });
    await storeSegmentCount(service.context.db, { accountId: account.accountId, audienceId: id, day: '2026-08-01' }, 9);
    expect((await found({ audience_type: 'segment' })).audiences).toMatchObject([
      { count: 9, last_refreshed_date: '2026-07-31T18:30:00.000Z' },
    ]);
    await create(4);
    await follow(service.context, account.accountId);
    expect((await found({ audience_type: 'segment' })).audiences).toMatchObject([
      { count: 4, last_refreshed_date: null },
    ]);
  });

  test('whose filter no longer fits the account have no number, and the others have', async () => {
    const { attribute_id: attributeId } = await service.context.db
      .selectFrom('attributes')
      .where('account_id', '=', account.accountId)
      .where('name', '=', 'CITY')
      .select('attribute_id')
      .executeTakeFirstOrThrow();
    const condition = { field: 'CITY', operation: 'contains', value: 'Pune' };
    await createSegment('Pune', { filtering_criteria: [{ condition_details: [condition] }] });
    await createSegment('All');
    await service.context.db
      .updateTable('attributes')
      .where('account_id', '=', account.accountId)
      .where('attribute_id', '=', attributeId)
      .set({ data_type: 'number' })
      .execute();
    const { audiences } = await found({ audience_type: 'segment' });
    expect(audiences.map(({ count }) => count)).toEqual([null, 0]);
  });
});

describe('a filter', () => {
  test('finds audiences by their numbers, and leaves out others', async () => {
    const [a, b] = [await createList('A'), await createList('B')];
    const segment = await createSegment('All');
    const by = (audience_ids: unknown) => found({ audience_type: 'list', filtering_criteria: { audience_ids } });
    expect(namesOf(await by([b, 99, segment, b]))).toEqual(['B']);
    expect(namesOf(await by(String(a)))).toEqual(['A']);
    expect((await by([segment])).page_details).toMatchObject({ total_count: 0, total_pages: 0 });
  });

  test.each([
    // The audiences were changed at 10:00, 11:00 and 12:00 UTC: at 15:30, 16:30 and 17:30 in Pune.
    ['between', ['2026-08-01', '2026-08-01'], ['A', 'B', 'C']],
    ['between', ['2026-08-01T11:00:00Z', '2026-08-01T12:00:00Z'], ['B', 'C']],
    ['between', ['2026-08-02', '2026-08-01'], []],
    ['greater_than', '2026-08-01T16:30:00+05:30', ['C']],
    ['greater_than', '01-08-2026', []],
    ['Greater_Than_Or_Equal', ['01/08/2026'], ['A', 'B', 'C']],
    ['less_than', '2026-08-01', []],
    ['less_than_or_equal', '2026-08-01T11:00:00.000Z', ['A', 'B']],
    ['equals', ['2026-08-01T10:00:00Z', '2026-08-01T12:00:00Z'], ['A', 'C']],
    ['equals', 'today', ['A', 'B', 'C']],
    ['in_last', '90 minutes', ['B', 'C']],
  ])('by the last change understands %s %j', async (condition, value, names) => {
    for (const name of ['A', 'B', 'C']) await createList(name);
    const last_updated_date_range = { condition, value };
    expect(namesOf(await found({ audience_type: 'list', filtering_criteria: { last_updated_date_range } }))).toEqual(
      names,
    );
  });
});

test('any filter, order and page of any audiences returns what a plain program finds', async () => {
  const moments = ['2026-07-30T00:00:00Z', '2026-07-31T18:29:59.999Z', '2026-07-31T18:30:00Z', '2026-08-01T09:00:00Z'];
  const days = [null, null, '2026-07-30', '2026-07-31', '2026-08-01'];
  const { db } = service.context;
  const audiences = await Promise.all(
    Array.from({ length: 40 }, async (_, at) => {
      const type = at % 2 === 0 ? ('list' as const) : ('segment' as const);
      const updated = new Date(moments[(at * 7) % 4]!);
      const day = type === 'list' ? null : days[(at * 3) % 5]!;
      const key = { account_id: account.accountId, audience_id: at + 1 };
      await db
        .insertInto('audiences')
        .values({
          ...key,
          audience_type: type,
          name: `Audience ${at}`,
          created_at: updated,
          updated_at: updated,
          ...(type === 'segment' ? { filter: JSON.stringify({ filtering_criteria: [] }) } : {}),
        })
        .execute();
      if (day !== null)
        await db
          .insertInto('segment_counts')
          .values({ ...key, day, contacts: at })
          .execute();
      // A day on which the segment could not be counted changes nothing.
      if (type === 'segment')
        await db
          .insertInto('segment_counts')
          .values({ ...key, day: '2026-08-02', contacts: null })
          .execute();
      return { id: at + 1, type, updated: updated.getTime(), day };
    }),
  );
  const moment = fc.constantFrom(...moments);
  const range = fc.oneof(
    fc.record({ condition: fc.constant('between' as const), value: fc.tuple(moment, moment) }),
    fc.record({
      condition: fc.constantFrom('greater_than', 'greater_than_or_equal', 'less_than', 'less_than_or_equal', 'equals'),
      value: fc.tuple(moment),
    }),
  );
  const bodies = fc.record(
    {
      audience_type: fc.constantFrom('list', 'segment'),
      page_details: fc.record({ page_no: fc.integer({ min: 1, max: 4 }), page_size: fc.integer({ min: 1, max: 12 }) }),
      sorting_criteria: fc.record(
        {
          sort_by: fc.constantFrom('ids', 'updated_date', 'last_refreshed_date'),
          sort_order: fc.constantFrom('asc', 'desc'),
        },
        { requiredKeys: [] },
      ),
      filtering_criteria: fc.record(
        {
          audience_ids: fc.array(fc.integer({ min: 1, max: 45 }), { minLength: 1, maxLength: 45 }),
          last_updated_date_range: range,
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: ['audience_type'] },
  );
  const meets = (at: number, condition: string, [low, high]: readonly number[]) =>
    ({
      between: at >= low! && at <= high!,
      greater_than: at > low!,
      greater_than_or_equal: at >= low!,
      less_than: at < low!,
      less_than_or_equal: at <= low!,
      equals: at === low!,
    })[condition];
  await fc.assert(
    fc.asyncProperty(bodies, async (body) => {
      const { audience_ids: ids, last_updated_date_range: dates } = body.filtering_criteria ?? {};
      const matching = audiences.filter(
        ({ id, type, updated }) =>
          type === body.audience_type &&
          (ids === undefined || ids.includes(id)) &&
          (dates === undefined || meets(updated, dates.condition, dates.value.map(Date.parse))),
      );
      const { sort_by = 'ids', sort_order = 'asc' } = body.sorting_criteria ?? {};
      const sign = sort_order === 'asc' ? 1 : -1;
      // Numbers of now come after all days.
      const keyOf = ({ updated, day }: (typeof audiences)[number]) =>
        sort_by === 'updated_date' ? updated : sort_by === 'ids' ? 0 : day === null ? Infinity : Date.parse(day);
      const compared = (a: number, b: number) => (a === b ? 0 : a < b ? -1 : 1);
      matching.sort((a, b) => sign * (compared(keyOf(a), keyOf(b)) || a.id - b.id));
      const { page_no = 1, page_size = 10 } = body.page_details ?? {};
      const answer = await found(body);
      expect(answer.audiences.map(({ audience_id: id }) => id)).toEqual(
        matching.slice((page_no - 1) * page_size, page_no * page_size).map(({ id }) => id),
      );
      expect(answer.page_details).toEqual({
        page_no,
        page_size,
        total_count: matching.length,
        total_pages: Math.ceil(matching.length / page_size),
      });
    }),
    { numRuns: cases(200), seed: readTestSeed() },
  );
});

describe('a refused call', () => {
  test.each<[field: string, code: string, body: object]>([
    ['audience_type', 'required', {}],
    ['audience_type', 'unknown_value', { audience_type: 'contact' }],
    ['page_details.page_no', 'out_of_range', { page_details: { page_no: 0 } }],
    ['page_details.page_size', 'out_of_range', { page_details: { page_size: 501 } }],
    ['page_details.page_size', 'invalid_type', { page_details: { page_size: 1.5 } }],
    ['page_details.page', 'unknown_field', { page_details: { page: 2 } }],
    ['sorting_criteria.sort_by', 'unknown_value', { sorting_criteria: { sort_by: 'size' } }],
    ['sorting_criteria.sort_order', 'unknown_value', { sorting_criteria: { sort_order: 'up' } }],
    ['filtering_criteria.audience_ids', 'too_few_items', { filtering_criteria: { audience_ids: [] } }],
    ['filtering_criteria.audience_ids[1]', 'invalid_type', { filtering_criteria: { audience_ids: [1, 'x'] } }],
    ['filtering_criteria.name', 'unknown_field', { filtering_criteria: { name: 'News' } }],
    ['contains', 'unknown_field', { contains: 'x' }],
  ])('names the field %s with the code %s', async (field, code, body) => {
    const type = code === 'required' || 'audience_type' in body ? {} : { audience_type: 'list' };
    const answer = await send({ ...type, ...body });
    expect(answer).toMatchObject({ status: 400, body: { statusCode: 400, data: { status: 'error' } } });
    expect(answer.body.data.errors.map((fault: { field: string; code: string }) => [fault.field, fault.code])).toEqual([
      [field, code],
    ]);
    expect(answer.body.message).toContain(field);
  });

  test.each<[field: string, code: string, range: object]>([
    ['.condition', 'required', { value: '2026-01-01' }],
    ['.condition', 'unknown_value', { condition: 'contains', value: '2026-01-01' }],
    ['.value', 'required', { condition: 'between' }],
    ['.value', 'too_few_items', { condition: 'between', value: [] }],
    ['.value', 'wrong_arity', { condition: 'between', value: ['2026-01-01'] }],
    ['.value', 'wrong_arity', { condition: 'less_than', value: ['2026-01-01', '2026-01-02'] }],
    ['.value[1]', 'invalid_format', { condition: 'between', value: ['2026-01-01', '2026-13-01'] }],
    ['.value[0]', 'invalid_format', { condition: 'in_last', value: '2026-01-01' }],
    ['.value[0]', 'invalid_type', { condition: 'equals', value: true }],
    ['.from', 'unknown_field', { condition: 'equals', value: '2026-01-01', from: '2026-01-01' }],
  ])('names the place last_updated_date_range%s with the code %s', async (field, code, last_updated_date_range) => {
    const answer = await send({ audience_type: 'list', filtering_criteria: { last_updated_date_range } });
    expect(answer.status).toBe(400);
    expect(answer.body.data.errors).toMatchObject([
      { field: `filtering_criteria.last_updated_date_range${field}`, code },
    ]);
  });

  test('lists all faults at once', async () => {
    const range = { condition: 'between', value: ['soon'] };
    const answer = await send({
      page_details: { page_no: 'x' },
      filtering_criteria: { last_updated_date_range: range },
    });
    expect(answer.body.data.errors.map(({ field }: { field: string }) => field)).toEqual([
      'audience_type',
      'page_details.page_no',
      'filtering_criteria.last_updated_date_range.value',
      'filtering_criteria.last_updated_date_range.value[0]',
    ]);
  });

  test.each(['[]', '5', 'null', '{"audience_type": "list", "audience_type": "segment"}', '{'])(
    'has the body %s',
    async (body) => {
      expect(await send(body)).toMatchObject({ status: 400, body: { statusCode: 400, data: { status: 'error' } } });
    },
  );

  test('has a key without the scope of the type', async () => {
    await createList('News');
    await createSegment('All');
    for (const [scope, type, missing] of [
      ['lists:read', 'segment', 'segments:read'],
      ['segments:read', 'list', 'lists:read'],
      ['contacts:read', 'list', 'lists:read or segments:read'],
    ] as const) {
      const key = await keyWith([scope]);
      const message = `The caller does not have the scope ${missing}`;
      for (const path of ['/v4/audience/list', '/v4/list'])
        expect(await send({ audience_type: type }, path, key)).toMatchObject({ status: 403, body: { message } });
    }
    expect(namesOf(await found({ audience_type: 'list' }, await keyWith(['lists:read'])))).toEqual(['News']);
    expect(namesOf(await found({ audience_type: 'segment' }, await keyWith(['segments:read'])))).toEqual(['All']);
  });

  test('has no valid key, or another method', async () => {
    for (const path of ['/v4/audience/list', '/v4/list']) {
      expect(await send({ audience_type: 'list' }, path, 'wrong')).toMatchObject({
        status: 401,
        body: { statusCode: 401 },
      });
      const answer = await service.call('GET', path, { headers: { 'api-key': apiKey } });
      expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST']);
    }
  });
});
