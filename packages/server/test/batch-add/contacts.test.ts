import { failureKinds } from '@roster/contract';
import { describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';
import { accepted, applied, batch, reportsOf, requestOf } from './support.ts';

const service = await forFile(startTestService());

const fields = ['EMAIL', 'MOBILE', 'FIRST_NAME', 'CITY', 'BIRTH_DATE', 'list_id', 'contact_type'];

async function contactOf(account: TestAccount, identity: string): Promise<Record<string, unknown> | undefined> {
  const condition = { field: 'identity', operation: 'equals', value: [identity] };
  const [row] = await account.rows({ filtering_criteria: [{ condition_details: [condition] }], output: { fields } });
  return row;
}

const report = (counts: object, errors: unknown[] = []) => ({
  job_id: expect.any(String),
  status: 'completed',
  listid: 1,
  ...counts,
  errors,
});

describe('the contacts of a batch', () => {
  test('contacts are created or merged, and all join the list', async () => {
    await service.first.createContacts([{ identity: 'old@example.com', attributes: { CITY: 'Delhi' } }]);
    const data = [
      { EMAIL: 'new@example.com', MOBILE: 919812345678, FIRST_NAME: 'Asha', CITY: 'Pune' },
      { EMAIL: 'Old@Example.com', FIRST_NAME: 'Omar' },
      { EMAIL: 'new@example.com', CITY: 'Mumbai' },
    ];
    expect(await applied(service, batch(data))).toEqual(report({ total: 3, created: 1, updated: 2, failed: 0 }));
    expect(await contactOf(service.first, 'new@example.com')).toEqual({
      EMAIL: 'new@example.com',
      MOBILE: '919812345678',
      FIRST_NAME: 'Asha',
      CITY: 'Mumbai',
      BIRTH_DATE: null,
      list_id: [1],
      contact_type: 'identified',
    });
    expect(await contactOf(service.first, 'old@example.com')).toMatchObject({
      FIRST_NAME: 'Omar',
      CITY: 'Delhi',
      list_id: [1],
    });
  });

  test('contacts that already have the values of the batch count as updated, so that the counts add up', async () => {
    const same = batch([{ EMAIL: 'same@example.com', CITY: 'Pune' }]);
    expect(await applied(service, same)).toMatchObject({ total: 1, created: 1, updated: 0, failed: 0 });
    expect(await applied(service, same)).toMatchObject({ total: 1, created: 0, updated: 1, failed: 0 });
  });

  test('blank and "null" values clear fields, but "Null" is kept, because it can be a name', async () => {
    const full = { EMAIL: 'c@example.com', MOBILE: '919812345679', FIRST_NAME: 'Asha', CITY: 'Pune' };
    await applied(service, batch([full]));
    const data = [{ EMAIL: 'c@example.com', MOBILE: 'null', FIRST_NAME: ' ', CITY: 'Null' }];
    expect(await applied(service, batch(data))).toEqual(report({ total: 1, created: 0, updated: 1, failed: 0 }));
    expect(await contactOf(service.first, 'c@example.com')).toMatchObject({
      MOBILE: null,
      FIRST_NAME: null,
      CITY: 'Null',
    });
    await applied(service, batch([{ EMAIL: 'c@example.com', CITY: null }]));
    expect(await contactOf(service.first, 'c@example.com')).toMatchObject({ CITY: null });
  });

  test('attribute names can have any letter case, and an upper-case name wins over others', async () => {
    await applied(service, batch([{ email: 'd@example.com', First_Name: 'x', FIRST_NAME: 'Asha', ' city ': 'Pune' }]));
    expect(await contactOf(service.first, 'd@example.com')).toMatchObject({ FIRST_NAME: 'Asha', CITY: 'Pune' });
  });

  test('a contact can have 20 attributes in addition to the primary key, the email and the mobile', async () => {
    await service.first.operator('PATCH', '', { settings: { auto_create_attributes: true } });
    const contact = (email: string, count: number) => ({
      EMAIL: email,
      MOBILE: '919812345670',
      ...Object.fromEntries(Array.from({ length: count }, (_, n) => [`A_${n}`, n])),
    });
    const data = [contact('e20@example.com', 20), contact('e21@example.com', 21), contact('f20@example.com', 20)];
    const errors = [{ index: 1, code: 'too_many_attributes', message: 'The contact has more than 20 attributes.' }];
    expect(await applied(service, batch(data))).toEqual(
      report({ total: 3, created: 2, updated: 0, failed: 1 }, errors),
    );
    expect(await contactOf(service.first, 'e21@example.com')).toBeUndefined();
    await service.first.operator('PATCH', '', { settings: { auto_create_attributes: null } });
  });

  test('only contacts that cannot be applied fail, each with its reason and its index', async () => {
    const data = [
      { EMAIL: 'g@example.com' },
      5,
      null,
      ['g@example.com'],
      { FIRST_NAME: 'nobody' },
      { EMAIL: '', FIRST_NAME: 'nobody' },
      { EMAIL: 'not an address' },
      { EMAIL: 'h@example.com', MOBILE: '12' },
      { EMAIL: 'i@example.com', CITY: { name: 'Pune' } },
      { EMAIL: 'j@example.com', CITY: 'a\u0000b' },
      { EMAIL: 'k@example.com', BIRTH_DATE: 'yesterday', NOT_THERE: 1 },
    ];
    const result = await applied(service, batch(data));
    expect(result).toMatchObject({ total: 11, created: 2, updated: 0, failed: 9 });
    const noObject = 'The contact must be an object of attribute names and values.';
    const noKey = 'EMAIL: The contact has no value for the primary key.';
    const character = 'CITY must not contain U+0000 or half of a surrogate pair. Remove this character.';
    expect(result.errors.map(({ index, code, message }) => [index, code, message])).toEqual([
      [1, 'contact_invalid', noObject],
      [2, 'contact_invalid', noObject],
      [3, 'contact_invalid', noObject],
      [4, 'identity_missing', noKey],
      [5, 'identity_missing', noKey],
      [6, 'identity_invalid', `EMAIL: ${failureKinds.identity_invalid.message}`],
      [7, 'contact_invalid', 'MOBILE must be 6 to 15 digits with the country code, such as 919812345678'],
      [8, 'contact_invalid', 'CITY must be a string, number, boolean or null, not an object'],
      [9, 'contact_invalid', character],
      [10, 'attribute_type_mismatch', `BIRTH_DATE: ${failureKinds.attribute_type_mismatch.message}`],
      [10, 'attribute_unknown', 'NOT_THERE: The account has no attribute with this name. The value was left out.'],
    ]);
    expect(await contactOf(service.first, 'k@example.com')).toMatchObject({ BIRTH_DATE: null, list_id: [1] });
    const request = await requestOf(service.first, result.job_id);
    expect(request).toMatchObject({
      operation: 'contact.batch-add',
      status: 'done',
      counts: { total: 11, created: 2, failed: 9, warnings: 2 },
    });
    expect(request.failures[6]).toMatchObject({ index: 7, code: 'contact_invalid', field: 'mobile', warning: false });
  });

  test('a contact with a key like `__proto__` is treated like any other', async () => {
    const text = JSON.stringify(batch([{ EMAIL: 'proto@example.com', constructor: 'x' }]));
    const result = await applied(service, text.replace('"constructor"', '"__proto__"'));
    expect(result).toMatchObject({ created: 1, errors: [{ index: 0, code: 'attribute_unknown' }] });
    expect(result.errors[0]!.message).toMatch(/^__PROTO__: /);
  });
});

test('a report has at most 1,000 errors, and errors of failed contacts come before errors of values', async () => {
  const names = Array.from({ length: 20 }, (_, n) => [`UNKNOWN_${n}`, 1] as const);
  const data = [
    ...Array.from({ length: 100 }, (_, n) => ({ EMAIL: `w${n}@example.com`, ...Object.fromEntries(names) })),
    {},
    {},
  ];
  const { errors, failed, created } = await applied(service, batch(data));
  expect([created, failed, errors.length]).toEqual([100, 2, 1000]);
  expect(errors.slice(-2).map(({ index, code }) => [index, code])).toEqual([
    [100, 'identity_missing'],
    [101, 'identity_missing'],
  ]);
  expect(errors.map(({ index }) => index)).toEqual(errors.map(({ index }) => index).sort((a, b) => a - b));
});

test('a custom primary key is found in any letter case, and is not counted as an attribute', async () => {
  const account = await service.createAccount({ name: 'Shop', primary_key: 'CUSTOMER_ID' });
  await account.operator('POST', '/lists', { name: 'List 1' });
  const data = [
    { CUSTOMER_ID: 'C-1', EMAIL: 'l@example.com', CITY: 'Pune' },
    { customer_id: 17, EMAIL: 'l@example.com' },
    { EMAIL: 'm@example.com' },
    { CUSTOMER_ID: 'anonymous/x' },
  ];
  const result = await applied(service, batch(data, { primarykey: 'Customer_Id' }), account);
  expect(result).toMatchObject({ total: 4, created: 2, failed: 2 });
  expect(result.errors).toMatchObject([
    { index: 2, code: 'identity_missing', message: 'CUSTOMER_ID: The contact has no value for the primary key.' },
    {
      index: 3,
      code: 'contact_invalid',
      message: 'CUSTOMER_ID must not begin with "anonymous/", which the service uses itself',
    },
  ]);
  expect(await contactOf(account, '17')).toMatchObject({ EMAIL: 'l@example.com', list_id: [1] });
});

test('a mobile number can be the primary key', async () => {
  const account = await service.createAccount({ name: 'Mobile', primary_key: 'MOBILE' });
  await account.operator('POST', '/lists', { name: 'List 1' });
  const data = [{ MOBILE: '+91 98123-45678', EMAIL: 'n@example.com' }, { MOBILE: 919812345678 }, { MOBILE: 'x' }];
  const result = await applied(service, batch(data, { primarykey: 'mobile' }), account);
  expect(result).toMatchObject({ created: 1, updated: 1, failed: 1, errors: [{ index: 2, code: 'identity_invalid' }] });
  expect(await contactOf(account, '919812345678')).toMatchObject({ EMAIL: 'n@example.com' });
});

test('an account that rejects existing contacts gets an error for each of them', async () => {
  const settings = { reject_existing_contacts: true };
  const account = await service.createAccount({ name: 'Strict', settings });
  await account.operator('POST', '/lists', { name: 'List 1' });
  await applied(service, batch([{ EMAIL: 'o@example.com' }]), account);
  const result = await applied(service, batch([{ EMAIL: 'o@example.com' }, { EMAIL: 'p@example.com' }]), account);
  expect(result).toMatchObject({ created: 1, updated: 0, failed: 1, errors: [{ index: 0, code: 'contact_exists' }] });
});

test('a batch is applied in order with the other requests of the account', async () => {
  const identity = 'order@example.com';
  const create = (CITY: string) =>
    service.first.v5('/contact/create', {
      data: { contact_type: 'identified', contacts: [{ identity, attributes: { CITY } }] },
    });
  await service.first.v5('/client/attribute/create', { data: [{ name: 'TIER', data_type: 'text' }] });
  const jobs: string[] = [];
  for (let round = 0; round < 10; round++) {
    await create(`created ${round}`);
    jobs.push(await accepted(service, batch([{ EMAIL: identity, CITY: `batch ${round}`, TIER: `t${round}` }])));
  }
  await service.settled();
  expect(await contactOf(service.first, identity)).toMatchObject({ CITY: 'batch 9', list_id: [1] });
  for (const jobId of jobs) expect((await reportsOf(service, jobId))[0]).toMatchObject({ failed: 0, errors: [] });
});

test('accounts are separate: two accounts can have the same contacts in their own lists', async () => {
  const other = await service.createAccount({ name: 'Other' });
  await other.operator('POST', '/lists', { name: 'List 1' });
  const here = await accepted(service, batch([{ EMAIL: 'q@example.com', CITY: 'here' }]));
  const there = await accepted(service, batch([{ EMAIL: 'q@example.com', CITY: 'there' }]), other);
  await service.settled();
  expect(await contactOf(service.first, 'q@example.com')).toMatchObject({ CITY: 'here' });
  expect(await contactOf(other, 'q@example.com')).toMatchObject({ CITY: 'there' });
  expect((await service.first.operator('GET', `/requests/${there}`)).status).toBe(404);
  expect((await other.operator('GET', `/deliveries?source_id=${here}`)).body.data).toEqual([]);
  expect((await other.operator('GET', `/deliveries?source_id=${there}`)).body.data).toHaveLength(1);
});
