import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService, type Answer } from '../support/service.ts';

// One answer reports all faults of a request, whichever check finds them.
const service = await forFile(startTestService());
const account = service.first;

const faultsOf = ({ status, body }: Answer) => [
  status,
  ...body.errors.map(({ code, field }: { code: string; field: string }) => `${code} ${field}`),
];
const badKey = { 'idempotency-key': 'a b' };

describe('all faults in one answer', () => {
  test('faults of the Idempotency-Key and of the body are reported together', async () => {
    const body = { data: { contact_type: 'identified', contacts: [{}, { identity: 'a', email: 'b' }] } };
    expect(faultsOf(await account.v5('/contact/create', body, badKey))).toEqual([
      400,
      'invalid_format Idempotency-Key',
      'required data.contacts[0].identity',
      'invalid_format data.contacts[1].email',
      'invalid_format data.contacts[1].identity',
    ]);
  });

  test('faults in the shape of a search and in its meaning are reported together', async () => {
    const body = {
      filtering_criteria: [
        {
          condition_details: [
            { field: 'nothing', operation: 'rarely', value: ['x'] },
            { field: 'CITY', operation: 'equals', value: ['x', null, true] },
            { field: 'list_id', operation: 'equals', value: [{}, 'x', 99] },
            { field: 'CITY', operation: 'contains', value: {} },
            { operation: 'between', value: [1] },
            'x',
          ],
        },
        { condition_operator: 'xor' },
      ],
      output: { sorting: [{ direction: 'up' }, { field: 'list_id' }], pagination: { limit: 0 }, fields: [7, 'TOWN'] },
    };
    expect(faultsOf(await account.v5('/contact/search', body, badKey))).toEqual([
      400,
      'invalid_format Idempotency-Key',
      'invalid_type filtering_criteria[0].condition_details[1].value[1]',
      'invalid_type filtering_criteria[0].condition_details[2].value[0]',
      'invalid_type filtering_criteria[0].condition_details[3].value[0]',
      'required filtering_criteria[0].condition_details[4].field',
      'invalid_type filtering_criteria[0].condition_details[5]',
      'unknown_value filtering_criteria[1].condition_operator',
      'required filtering_criteria[1].condition_details',
      'required output.sorting[0].field',
      'unknown_value output.sorting[0].direction',
      'out_of_range output.pagination.limit',
      'invalid_type output.fields[0]',
      'required filtering_criteria_operator',
      'unknown_field filtering_criteria[0].condition_details[0].field',
      'unknown_value filtering_criteria[0].condition_details[0].operation',
      'invalid_type filtering_criteria[0].condition_details[2].value[1]',
      'wrong_arity filtering_criteria[0].condition_details[4].value',
      'not_supported output.sorting[1].field',
      'unknown_field output.fields[1]',
      'not_found filtering_criteria[0].condition_details[2].value[2]',
    ]);
  });

  test('all faults of a search within an audience are reported, even if no part of it is valid', async () => {
    expect(faultsOf(await account.v5('/contact/audience/search', { audience_id: [1, 'x', 99] }))).toEqual([
      400,
      'invalid_type audience_id[1]',
      'required audience_type',
    ]);
    const audience = { audience_type: 'list', audience_id: ['x', 99], output: { fields: ['TOWN'] } };
    expect(faultsOf(await account.v5('/contact/audience/search', audience))).toEqual([
      400,
      'invalid_type audience_id[0]',
      'unknown_field output.fields[0]',
      'not_found audience_id[1]',
    ]);
    for (const body of ['null', '[]', '"x"', '7']) {
      expect(faultsOf(await account.v5('/contact/audience/search', body))).toEqual([400, 'invalid_type ']);
    }
  });

  test('faults in the fields of a segment and in its filter are reported together', async () => {
    const filtering_criteria = [
      { condition_details: [{ field: 'TOWN', operation: 'equals', value: ['x'], exclude: true }] },
      { condition_details: [{ field: 'list_id', operation: 'equals', value: [99] }] },
    ];
    const faults = [
      'unknown_field filtering_criteria[0].condition_details[0].exclude',
      'required filtering_criteria_operator',
      'unknown_field filtering_criteria[0].condition_details[0].field',
      'not_found filtering_criteria[1].condition_details[0].value[0]',
    ];
    const created = await account.operator('POST', '/segments', { filtering_criteria });
    expect(faultsOf(created)).toEqual([400, 'required name', ...faults]);
    const { body } = await account.operator('POST', '/segments', { name: 'All', filtering_criteria: [] });
    const changed = await account.operator('PATCH', `/segments/${body.audience_id}`, { name: 7, filtering_criteria });
    expect(faultsOf(changed)).toEqual([400, 'invalid_type name', ...faults]);
    expect(faultsOf(await service.operator('POST', '/accounts/999/segments', { filtering_criteria }))).toEqual([
      400,
      'required name',
      faults[0],
    ]);
  });

  test('all faults of the attribute operations are reported', async () => {
    const bodies: [path: string, body: object, faults: string[]][] = [
      [
        'create',
        {
          data: [
            { name: 'A1', data_type: 'number', default_value: 'x' },
            { name: 'a1', data_type: 'nothing' },
          ],
        },
        ['unknown_value data[1].data_type', 'invalid_type data[0].default_value', 'duplicate data[1].name'],
      ],
      [
        'update',
        { data: [{ new_name: '1' }, { name: 'CITY' }, 7] },
        ['invalid_format data[0].new_name', 'invalid_type data[2]', 'required data[0]', 'required data[1]'],
      ],
      ['delete', { data: ['NOTHING', 1.5] }, ['invalid_type data[1]', 'not_found data[0]']],
      ['usage', { data: [{}, 'NOTHING'] }, ['required data[0]', 'not_found data[1]']],
      [
        'search',
        {
          filtering_criteria: [
            {
              condition_details: [
                { field: 'nothing', operation: 'never' },
                { operation: 'equals', value: [null] },
              ],
            },
            { condition_details: [{ field: 'data_type', operation: 'equals', value: ['x', {}] }] },
          ],
          output: { sorting: [{ field: 'x' }, {}], pagination: { limit: 0 } },
        },
        [
          'required filtering_criteria[0].condition_details[1].field',
          'invalid_type filtering_criteria[0].condition_details[1].value[0]',
          'invalid_type filtering_criteria[1].condition_details[0].value[1]',
          'required output.sorting[1].field',
          'out_of_range output.pagination.limit',
          'required filtering_criteria_operator',
          'unknown_field filtering_criteria[0].condition_details[0].field',
          'unknown_value filtering_criteria[0].condition_details[0].operation',
          'unknown_value filtering_criteria[1].condition_details[0].value[0]',
          'unknown_field output.sorting[0].field',
        ],
      ],
    ];
    for (const [path, body, faults] of bodies) {
      expect([path, ...faultsOf(await account.v5(`/client/attribute/${path}`, body))]).toEqual([path, 400, ...faults]);
    }
  });

  test('an answer reports at most 50 faults', async () => {
    const conditions = Array.from({ length: 50 }, () => ({ field: 'TOWN', operation: 'equals', value: [null] }));
    const body = { filtering_criteria: [{ condition_details: conditions }] };
    expect((await account.v5('/contact/search', body)).body.errors).toHaveLength(50);
  });
});

describe('a repeated key in a JSON object', () => {
  const send = (path: string, body: string) => account.v5(path, body);
  const real = '[{"condition_details":{"field":"CITY","operation":"equals","value":"Pune"}}]';

  test('a repeated key in a search is refused, wherever it stands', async () => {
    for (const path of ['/contact/search', '/client/attribute/search']) {
      expect(
        faultsOf(await send(path, `{"filtering_criteria":${real.replace('CITY', 'name')},"filtering_criteria":[]}`)),
      ).toEqual([400, 'duplicate filtering_criteria']);
    }
    const value = `{"filtering_criteria":${real.replace('"Pune"', '"Pune","value":["Goa"]')},"output":{"fields":["TOWN"]}}`;
    expect(faultsOf(await send('/contact/search', value))).toEqual([
      400,
      // The path has no index for condition_details, because the body has a single object instead
      // of an array.
      'duplicate filtering_criteria[0].condition_details.value',
      'unknown_field output.fields[0]',
    ]);
  });

  test('a repeated key in a delete or a segment is refused', async () => {
    const body =
      '{"data":{"contacts":[{"identity":"a@example.com","audience_details":[{"audience_id":1}],"audience_details":[{"audience_id":2}]}]}}';
    expect(faultsOf(await send('/contact/delete', body))).toEqual([400, 'duplicate data.contacts[0].audience_details']);
    const segment = `{"name":"x","filtering_criteria":${real},"filtering_criteria":[]}`;
    expect(faultsOf(await account.operator('POST', '/segments', segment))).toEqual([
      400,
      'duplicate filtering_criteria',
    ]);
  });

  test('in other operations the last value of a repeated key counts', async () => {
    const body = '{"data":{"contact_type":"vip","contact_type":"anonymous","contacts":[{}]}}';
    expect((await send('/contact/create', body)).status).toBe(200);
  });
});

test('a compressed body is refused with 415 and advice, and `content-encoding: identity` is accepted', async () => {
  const sendEncoded = (encoding: string, payload: Buffer) =>
    service.app.inject({
      method: 'POST',
      url: '/v5/contact/search',
      headers: { 'api-key': account.apiKey, 'content-type': 'application/json', 'content-encoding': encoding },
      payload,
    });
  const refused = await sendEncoded('gzip', gzipSync('{}'));
  expect(refused.statusCode).toBe(415);
  expect(refused.json()).toMatchObject({ code: 415, description: expect.stringContaining('uncompressed') });
  expect((await sendEncoded('identity', Buffer.from('{}'))).statusCode).toBe(200);
});
