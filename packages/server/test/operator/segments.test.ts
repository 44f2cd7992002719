import { pageAnswer, Segment, SegmentCount } from '@roster/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { expectShape } from './shape.ts';

let account: TestAccount;
let now = new Date('2026-08-01T09:00:00.000Z');
const service = await forFile(startTestService({ worker: false, now: () => now }));
beforeEach(async () => {
  now = new Date('2026-08-01T09:00:00.000Z');
  account = await service.createAccount();
});

const condition = (field: string, ...value: unknown[]) => ({ field, operation: 'equals', value });
const filterOf = (...conditions: object[]) => ({ filtering_criteria: [{ condition_details: conditions }] });

async function createSegment(...conditions: object[]): Promise<number> {
  const { status, body } = await account.operator('POST', '/segments', { name: 'x', ...filterOf(...conditions) });
  expect({ status, errors: body.errors }).toEqual({ status: 201, errors: undefined });
  return body.audience_id;
}

/** Creates segments of which each uses the previous one. The first one uses no segment. */
async function createChain(length: number): Promise<number[]> {
  const ids = [await createSegment(condition('CITY', 'Pune'))];
  while (ids.length < length) ids.push(await createSegment(condition('segment_id', ids.at(-1))));
  return ids;
}

async function countOf(id: number): Promise<number> {
  const { status, body } = await account.operator('GET', `/segments/${id}/count`);
  expect(status).toBe(200);
  expectShape(SegmentCount, body);
  expect(body.audience_id).toBe(id);
  return body.count;
}

test('a segment can be created, found, listed, changed and deleted', async () => {
  const created = await account.operator('POST', '/segments', {
    name: ' Pune ',
    Filtering_Criteria: { condition_details: { field: 'city', operation: 'EQUALS', value: 'Pune' } },
  });
  expect(created.status).toBe(201);
  expectShape(Segment, created.body);
  expect(created.body).toEqual({
    audience_id: 1,
    audience_type: 'segment',
    name: 'Pune',
    filtering_criteria_operator: 'and',
    filtering_criteria: [
      {
        condition_operator: 'and',
        condition_details: [{ field: 'CITY', field_category: 'attribute', operation: 'equals', value: ['Pune'] }],
      },
    ],
    has_masked_conditions: false,
    live: null,
    created_at: '2026-08-01T09:00:00.000Z',
    uses: [],
    use_count: 0,
    updated_at: '2026-08-01T09:00:00.000Z',
  });
  expect((await account.operator('GET', '/segments/1')).body).toEqual({ ...created.body, contact_count: 0 });
  const listed = await account.operator('GET', '/segments');
  expectShape(pageAnswer('Segment'), listed.body);
  expect(listed.body).toEqual({ data: [created.body], next_cursor: null });

  now = new Date('2026-08-02T09:00:00.000Z');
  const changed = await account.operator('PATCH', '/segments/1', { filtering_criteria: [] });
  expect(changed.body).toEqual({ ...created.body, filtering_criteria: [], updated_at: '2026-08-02T09:00:00.000Z' });
  const renamed = await account.operator('PATCH', '/segments/1', { name: 'All' });
  // Each change has a later time, even in the same millisecond.
  const later = '2026-08-02T09:00:00.001Z';
  expect(renamed.body).toEqual({ ...changed.body, name: 'All', updated_at: later });
  now = new Date('2026-08-03T09:00:00.000Z');
  expect((await account.operator('PATCH', '/segments/1', { name: 'All' })).body).toEqual(renamed.body);

  expect((await account.operator('DELETE', '/segments/1')).status).toBe(204);
  expect((await account.operator('GET', '/segments/1')).status).toBe(404);
  expect((await account.operator('DELETE', '/segments/1')).status).toBe(404);
  expect((await account.operator('GET', '/segments/1/count')).status).toBe(404);

  const audit = (await account.operator('GET', '/audit-log')).body.data.slice(0, 4);
  expect(audit.map(({ action, subject, details }: Record<string, unknown>) => [action, subject, details])).toEqual([
    ['segment.delete', 'segment:1', { name: 'All' }],
    ['segment.update', 'segment:1', { changes: { name: { from: 'Pune', to: 'All' } }, filter_changed: false }],
    ['segment.update', 'segment:1', { changes: {}, filter_changed: true }],
    ['segment.create', 'segment:1', { name: 'Pune' }],
  ]);
});

test('a segment is evaluated each time it is used', async () => {
  const list = await account.createList('x');
  const inPune = await createSegment(condition('CITY', 'Pune'));
  const onList = await createSegment(condition('list_id', list));
  const both = await createSegment(condition('segment_id', inPune), condition('segment_id', onList));
  const all = (await account.operator('POST', '/segments', { name: 'All', filtering_criteria: [] })).body.audience_id;
  expect(await countOf(all)).toBe(0);

  await using _worker = service.startWorker();
  const pune = { attributes: { CITY: 'Pune' } };
  const member = { audience_details: [{ audience_id: list }] };
  await account.createContacts([
    { identity: 'a@example.com', ...pune },
    { identity: 'b@example.com', ...pune, ...member },
    { identity: 'c@example.com', ...member },
    { identity: 'd@example.com' },
  ]);

  expect(await Promise.all([inPune, onList, both, all].map(countOf))).toEqual([2, 2, 1, 4]);
  const search = {
    filtering_criteria: [{ condition_details: [condition('segment_id', both)] }],
    output: { fields: ['identity'] },
  };
  expect(await account.rows(search)).toEqual([{ identity: 'b@example.com' }]);
});

describe('the filter of a segment', () => {
  const city = { field: 'CITY', operation: 'equals', value: ['Pune'] };
  const faults: [object, string, string][] = [
    [{}, 'filtering_criteria', 'required'],
    [{ filtering_criteria: [{ condition_details: [] }] }, 'filtering_criteria[0].condition_details', 'too_few_items'],
    [
      { filtering_criteria: [{ condition_details: [city] }, { condition_details: [city] }] },
      'filtering_criteria_operator',
      'required',
    ],
    [filterOf(city, { ...city, field: 'TOWN' }), 'filtering_criteria[0].condition_details[1].field', 'unknown_field'],
    [
      filterOf({ ...city, operation: 'resembles' }),
      'filtering_criteria[0].condition_details[0].operation',
      'unknown_value',
    ],
    [
      filterOf({ ...city, field: 'BIRTH_DATE' }),
      'filtering_criteria[0].condition_details[0].value[0]',
      'invalid_format',
    ],
    [filterOf(condition('list_id', 77)), 'filtering_criteria[0].condition_details[0].value[0]', 'not_found'],
    [filterOf(condition('segment_id', 77)), 'filtering_criteria[0].condition_details[0].value[0]', 'not_found'],
    [{ filtering_criteria: [], condition: 'x' }, 'condition', 'unknown_field'],
  ];
  test.each(faults)('%j is refused with its path, in new and existing segments', async (filter, field, code) => {
    const id = await createSegment(city);
    const expected = { status: 400, body: { errors: [{ field, code }] } };

    expect(await account.operator('POST', '/segments', { name: 'x', ...filter })).toMatchObject(expected);
    if (Object.keys(filter).length > 0) {
      expect(await account.operator('PATCH', `/segments/${id}`, filter)).toMatchObject(expected);
    }
    const { data } = (await account.operator('GET', '/segments')).body;
    expect(data).toHaveLength(1);
    expect(data[0].filtering_criteria[0].condition_details).toHaveLength(1);
  });

  test.each([[null], ['']])(
    'counts as absent if it is %j: a new segment needs a filter, and a change keeps the old one',
    async (empty) => {
      const created = await account.operator('POST', '/segments', { name: 'x', filtering_criteria: empty });
      expect(created).toMatchObject({ status: 400, body: { errors: [{ field: 'filtering_criteria' }] } });
      const id = await createSegment(city);
      const words = { filtering_criteria: empty, filtering_criteria_operator: empty };
      const changed = await account.operator('PATCH', `/segments/${id}`, { name: 'y', ...words });
      expect(changed).toMatchObject({ status: 200, body: { name: 'y' } });
      expect(changed.body.filtering_criteria[0].condition_details).toHaveLength(1);
    },
  );

  test('is replaced as a whole by a change, including its operator', async () => {
    const groups = [{ condition_details: [city] }, { condition_details: [{ ...city, value: ['Mumbai'] }] }];
    const created = await account.operator('POST', '/segments', {
      name: 'x',
      filtering_criteria_operator: 'or',
      filtering_criteria: groups,
    });
    const path = `/segments/${created.body.audience_id}`;
    expect(created.body.filtering_criteria_operator).toBe('or');

    expect(await account.operator('PATCH', path, { filtering_criteria: groups })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'filtering_criteria_operator' }] },
    });
    const changed = await account.operator('PATCH', path, { filtering_criteria_operator: 'and' });
    expect(changed.body).toEqual({
      ...created.body,
      filtering_criteria_operator: 'and',
      updated_at: expect.stringMatching(/\.001Z$/),
    });
  });

  test('shows the current names of renamed attributes', async () => {
    const id = await createSegment(condition('CITY', 'Pune'));
    await service.context.db
      .updateTable('attributes')
      .where('account_id', '=', account.accountId)
      .where('name', '=', 'CITY')
      .set({ name: 'TOWN' })
      .execute();

    const { body } = await account.operator('GET', `/segments/${id}`);

    expect(body.filtering_criteria[0].condition_details[0].field).toBe('TOWN');
    expect(await countOf(id)).toBe(0);
  });

  test('is still shown but not evaluated after one of its attributes was deleted', async () => {
    const id = await createSegment(condition('CITY', 'Pune'));
    await service.context.db
      .deleteFrom('attributes')
      .where('account_id', '=', account.accountId)
      .where('name', '=', 'CITY')
      .execute();

    expect((await account.operator('GET', `/segments/${id}`)).status).toBe(200);
    const { status, body } = await account.operator('GET', `/segments/${id}/count`);
    expect(status).toBe(409);
    expect(body.description).toBe(
      'The segment cannot be evaluated. The segment uses a field that was deleted or changed its type.',
    );
    expect((await account.operator('PATCH', `/segments/${id}`, { name: 'Broken' })).status).toBe(200);
    expect((await account.operator('PATCH', `/segments/${id}`, { filtering_criteria: [] })).status).toBe(200);
    expect(await countOf(id)).toBe(0);
  });

  test('may use masked attributes, because operators see all values', async () => {
    await service.context.db
      .updateTable('attributes')
      .where('account_id', '=', account.accountId)
      .where('name', '=', 'CITY')
      .set({ data_masking: 'full' })
      .execute();
    expect(await countOf(await createSegment(condition('CITY', 'Pune')))).toBe(0);
  });
});

describe('segments that use segments', () => {
  test('have at most five levels', async () => {
    const chain = await createChain(5);

    const sixth = await account.operator('POST', '/segments', {
      name: 'x',
      ...filterOf(condition('segment_id', chain.at(-1))),
    });
    expect(sixth).toMatchObject({ status: 400, body: { errors: [{ code: 'not_supported' }] } });
    expect(sixth.body.errors[0].message).toContain('contains segments more than 5 levels deep');
    expect(await countOf(chain.at(-1)!)).toBe(0);
  });

  test('cannot get more levels through a change to the lowest segment', async () => {
    const chain = await createChain(5);
    const other = await createSegment(condition('STATE', 'Maharashtra'));
    const bottom = `/segments/${chain[0]}`;

    const refused = await account.operator('PATCH', bottom, filterOf(condition('segment_id', other)));

    expect(refused.status).toBe(409);
    expect(refused.body.description).toBe(
      `With this filter, the segment ${chain[4]} would have more than 5 levels of segments, 2000 conditions, or 20 conditions on activities.`,
    );
    expect((await account.operator('GET', bottom)).body.filtering_criteria[0].condition_details[0].field).toBe('CITY');
    expect((await account.operator('PATCH', bottom, filterOf(condition('STATE', 'Goa')))).status).toBe(200);
    expect(
      (await account.operator('PATCH', `/segments/${chain[1]}`, filterOf(condition('segment_id', other)))).status,
    ).toBe(200);
  });

  test('cannot contain themselves, directly or indirectly', async () => {
    const [first, second, third] = await createChain(3);

    for (const id of [first, second, third]) {
      const answer = await account.operator('PATCH', `/segments/${first}`, filterOf(condition('segment_id', id)));
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ code: 'not_supported' }] } });
      expect(answer.body.errors[0].message).toContain('contains itself');
    }
  });

  test('cannot form a cycle through two concurrent changes', async () => {
    for (let round = 0; round < 10; round++) {
      const [one, two] = [
        await createSegment(condition('CITY', 'Pune')),
        await createSegment(condition('CITY', 'Pune')),
      ];
      const answers = await Promise.all([
        account.operator('PATCH', `/segments/${one}`, filterOf(condition('segment_id', two))),
        account.operator('PATCH', `/segments/${two}`, filterOf(condition('segment_id', one))),
      ]);
      expect(answers.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 400]));
    }
  });

  test('prevent the deletion of the segments that they use', async () => {
    const [first, second] = await createChain(2);

    const refused = await account.operator('DELETE', `/segments/${first}`);
    expect(refused.status).toBe(409);
    expect(refused.body.description).toBe(
      `The segment ${first} is in use by segment ${second} (x). Change or delete what uses it first.`,
    );
    expect((await account.operator('DELETE', `/segments/${second}`)).status).toBe(204);
    expect((await account.operator('DELETE', `/segments/${first}`)).status).toBe(204);
  });

  test('are counted, but not named, for a key that may not read segments', async () => {
    const list = await account.createList('Buyers');
    const segment = await createSegment(condition('list_id', list));
    const key = await account.operator('POST', '/api-keys', { name: 'Lists', scopes: ['lists:read', 'lists:write'] });
    const call = (method: string, path = '') =>
      service.call(method, `/admin/v1/accounts/${account.accountId}/lists${path}`, {
        headers: { 'api-key': key.body.api_key },
      });
    const hidden = { use_count: 1, uses: [] };
    expect((await call('GET', `/${list}`)).body).toMatchObject(hidden);
    expect((await call('GET')).body.data).toContainEqual(expect.objectContaining({ audience_id: list, ...hidden }));
    const refused = await call('DELETE', `/${list}`);
    expect([refused.status, refused.body.description]).toEqual([
      409,
      `The list ${list} is in use by something else. Change or delete what uses it first.`,
    ]);
    expect((await account.operator('GET', `/lists/${list}`)).body.uses).toMatchObject([{ id: segment, name: 'x' }]);
  });
});

describe('the segment operations', () => {
  test('cannot read, change or use a segment of another account', async () => {
    const id = await createSegment(condition('CITY', 'Pune'));
    const other = await service.createAccount();
    // The other account has no audience with this audience_id.
    expect((await other.operator('GET', `/segments/${id}`)).status).toBe(404);
    expect((await other.operator('GET', `/segments/${id}/count`)).status).toBe(404);
    expect((await other.operator('PATCH', `/segments/${id}`, { name: 'mine' })).status).toBe(404);
    expect((await other.operator('DELETE', `/segments/${id}`)).status).toBe(404);
    expect((await other.operator('GET', '/segments')).body.data).toEqual([]);
    const using = await other.operator('POST', '/segments', { name: 'x', ...filterOf(condition('segment_id', id)) });
    expect(using).toMatchObject({ status: 400, body: { errors: [{ code: 'not_found' }] } });
  });

  test('return 404 for a list', async () => {
    const { body } = await account.operator('POST', '/lists', { name: 'x' });

    expect((await account.operator('GET', `/segments/${body.audience_id}`)).status).toBe(404);
    expect((await account.operator('GET', `/segments/${body.audience_id}/count`)).status).toBe(404);
    expect((await account.operator('PATCH', `/segments/${body.audience_id}`, { name: 'x' })).status).toBe(404);
    expect((await account.operator('DELETE', `/segments/${body.audience_id}`)).status).toBe(404);
    expect((await account.operator('GET', `/lists/${body.audience_id}`)).status).toBe(200);
  });
});

test('the filters of all segments of an account have a limit together, because some operations read all', async () => {
  const megabyte = condition('CITY', ...Array.from({ length: 1000 }, (_, n) => String(n).padEnd(1000, 'x')));
  const longer = [megabyte, megabyte, megabyte, megabyte];
  const first = await createSegment(...longer);
  for (let n = 1; n < 4; n++) await createSegment(...longer);
  const refused = await account.operator('POST', '/segments', { name: 'x', ...filterOf(...longer) });
  expect([refused.status, refused.body.description]).toEqual([409, expect.stringContaining('16777216 characters')]);
  const small = await createSegment(condition('CITY', 'Pune'));
  expect((await account.operator('PATCH', `/segments/${small}`, filterOf(...longer))).status).toBe(409);
  expect((await account.operator('PATCH', `/segments/${first}`, filterOf(condition('CITY', 'Pune')))).status).toBe(200);
  expect((await account.operator('PATCH', `/segments/${small}`, filterOf(...longer))).status).toBe(200);
});
