import { describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService, type Answer, type TestAccount } from '../support/service.ts';

let account: TestAccount;
const service = await forFile(startTestService());

async function newAccount(settings: object = {}): Promise<TestAccount> {
  account = await service.createAccount({ name: 'Exact', settings });
  const data = [
    { name: 'CUSTOMER_NO', data_type: 'text' },
    { name: 'NOTES', data_type: 'long_text' },
    { name: 'POINTS', data_type: 'number' },
  ];
  await account.createAttributes(data);
  return account;
}

// Bodies are texts, because JavaScript would round the numbers before they are sent.
const bodyOf = (attributes: string): string =>
  `{"data": {"contact_type": "identified", "contacts": [{"identity": "a@example.com", "attributes": ${attributes}}]}}`;
const isTooLong = { code: 'out_of_range', message: expect.stringContaining('Send it as a string') };
const tooLong = (field: string) => ({ ...isTooLong, field });
const findBy = (condition: string): Promise<Answer> =>
  account.v5('/contact/search', `{"filtering_criteria": [{"condition_details": [${condition}]}]}`);

test.each([
  ['full', 'TREASURE-1234', '****'],
  ['partial', 'TREASURE-1234', '*********1234'],
  ['partial', '1234', '****'],
])('the mask (%s) of the stored value %j does not replace it when it is sent back', async (masking, value, shown) => {
  await newAccount();
  const data = [{ name: 'SECRET', data_type: 'text', data_masking: masking }];
  await account.createAttributes(data);
  await account.apply('/contact/create', bodyOf(JSON.stringify({ SECRET: value })));
  expect(await account.rows({ output: { fields: ['SECRET'] } })).toEqual([{ SECRET: shown }]);
  const request = await account.apply('/contact/create', bodyOf(JSON.stringify({ SECRET: shown, CITY: 'Pune' })));
  expect(request.failures).toMatchObject([{ code: 'value_masked', field: 'attributes.SECRET', warning: true }]);
  const [row] = (await account.rows({ output: { fields: ['contact_id', 'CITY'] } })) as [{ contact_id: number }];
  expect(row).toMatchObject({ CITY: 'Pune' });
  const profile = (await account.operator('GET', `/contacts/${row.contact_id}`)).body;
  const valueOf = (name: string) => profile.attributes.find((one: { name: string }) => one.name === name).value;
  expect(valueOf('SECRET')).toBe(value);
  // A mask that is not that of the stored value is a value like any other.
  await account.apply('/contact/create', bodyOf('{"SECRET": "************9999"}'));
  expect(await account.rows({ output: { fields: ['SECRET'] } })).toEqual([
    { SECRET: masking === 'full' ? '****' : '************9999' },
  ]);
});

describe('an attribute in two spellings', () => {
  const spelled = '{"CITY": "Pune", "city": "Goa"}';

  test.each(['create', 'update'])('is refused with two values in contact %s, so that none is lost', async (name) => {
    await newAccount();
    await account.apply('/contact/create', bodyOf('{"CITY": "Ulm"}'));
    const body =
      name === 'create' ? bodyOf(spelled) : `{"data": {"contacts": [{"contact_id": 1, "attributes": ${spelled}}]}}`;
    const answer = await account.v5(`/contact/${name}`, body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ code: 'duplicate', field: 'data.contacts[0].attributes.city' }]);
  });

  test('is accepted with one value, and in any letter case', async () => {
    await newAccount();
    await account.apply('/contact/create', bodyOf('{"CITY": "Pune", " city ": "Pune", "state": "MH"}'));
    expect(await account.rows({ output: { fields: ['CITY', 'STATE'] } })).toEqual([{ CITY: 'Pune', STATE: 'MH' }]);
  });
});

describe('an integer above 2^53', () => {
  test('is left out of a text with a warning, because JSON.parse rounds it, and a number rounds it', async () => {
    await newAccount();
    const request = await account.apply(
      '/contact/create',
      bodyOf('{"CUSTOMER_NO": 12345678901234567890, "NOTES": -9007199254740993, "POINTS": 12345678901234567890}'),
    );
    expect(request.counts).toMatchObject({ created: 1, failed: 0, warnings: 2 });
    const message = expect.stringContaining('Send it as a string');
    expect(request.failures).toMatchObject([
      { code: 'attribute_type_mismatch', field: 'attributes.CUSTOMER_NO', warning: true, message },
      { code: 'attribute_type_mismatch', field: 'attributes.NOTES', warning: true, message },
    ]);
    expect(await account.rows({ output: { fields: ['CUSTOMER_NO', 'NOTES', 'POINTS'] } })).toEqual([
      { CUSTOMER_NO: null, NOTES: null, POINTS: 12_345_678_901_234_567_000 },
    ]);
  });

  test('is stored with all its digits in a text when it is sent as a string or is not larger', async () => {
    await newAccount();
    await account.apply(
      '/contact/create',
      bodyOf('{"CUSTOMER_NO": "12345678901234567890", "NOTES": 9007199254740991}'),
    );
    expect(await account.rows({ output: { fields: ['CUSTOMER_NO', 'NOTES'] } })).toEqual([
      { CUSTOMER_NO: '12345678901234567890', NOTES: '9007199254740991' },
    ]);
  });

  test('does not create an attribute, because it may be a code', async () => {
    await newAccount({ auto_create_attributes: true });
    const request = await account.apply('/contact/create', bodyOf('{"CODE": 12345678901234567890, "AGE": 31}'));
    expect(request.failures).toMatchObject([{ code: 'attribute_type_mismatch', field: 'attributes.CODE' }]);
    expect((await account.v5('/contact/search', { output: { fields: ['CODE'] } })).status).toBe(400);
    expect(await account.rows({ output: { fields: ['AGE'] } })).toEqual([{ AGE: 31 }]);
  });

  test.each([
    ['CUSTOMER_NO', 'equals'],
    ['CUSTOMER_NO', 'not_equals'],
    ['CUSTOMER_NO', 'contains'],
    ['identity', 'not_equals'],
    ['email', 'not_equals'],
    ['mobile', 'not_contains'],
  ])('is refused in a condition on %s (%s), because it would mean another value', async (field, operation) => {
    await newAccount();
    const answer = await findBy(`{"field": "${field}", "operation": "${operation}", "value": [12345678901234567890]}`);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([tooLong('filtering_criteria[0].condition_details[0].value[0]')]);
  });

  test('is refused as the default value of a text, in a create and in an update', async () => {
    await newAccount();
    const create = await account.v5(
      '/client/attribute/create',
      '{"data": [{"name": "CODE", "data_type": "text", "default_value": 12345678901234567890}]}',
    );
    const update = await account.v5(
      '/client/attribute/update',
      '{"data": [{"name": "CUSTOMER_NO", "default_value": 12345678901234567890}]}',
    );
    for (const { status, body } of [create, update]) {
      expect(status).toBe(400);
      expect(body.errors).toMatchObject([{ field: 'data[0].default_value', message: isTooLong.message }]);
    }
  });

  test('is refused in the change of one contact', async () => {
    await newAccount();
    await account.apply('/contact/create', bodyOf('{}'));
    const [{ contact_id: id }] = (await account.rows({ output: { fields: ['contact_id'] } })) as [
      Record<string, number>,
    ];
    const change = await account.operator(
      'PATCH',
      `/contacts/${id}`,
      '{"attributes": {"NOTES": 12345678901234567890}}',
    );
    expect(change.status).toBe(400);
    expect(change.body.errors).toMatchObject([{ field: 'attributes.NOTES', message: isTooLong.message }]);
  });

  test('that a number attribute has keeps its value when the attribute and its default become a text', async () => {
    await newAccount();
    await account.apply('/contact/create', bodyOf('{"POINTS": 1152921504606846976}'));
    await account.v5(
      '/client/attribute/update',
      '{"data": [{"name": "POINTS", "default_value": 1152921504606846976}]}',
    );
    const answer = await account.v5('/client/attribute/update', { data: [{ name: 'POINTS', data_type: 'text' }] });
    expect(answer.body.data).toMatchObject([{ data_type: 'text', default_value: '1152921504606847000' }]);
    expect(await account.rows({ output: { fields: ['POINTS', 'identity'] } })).toEqual([
      { POINTS: '1152921504606847000', identity: 'a@example.com' },
    ]);
    const found = await findBy('{"field": "POINTS", "operation": "equals", "value": ["1152921504606847000"]}');
    expect(found.body.data).toHaveLength(1);
  });
});
