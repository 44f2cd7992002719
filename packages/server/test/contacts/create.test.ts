import { beforeAll, describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';

let account: TestAccount;
const service = await forFile(startTestService());

const fields = ['identity', 'EMAIL', 'MOBILE', 'contact_type', 'FIRST_NAME', 'CITY', 'list_id'];

async function contact(identity: string, names: readonly string[] = fields) {
  const rows = await account.rows({
    filtering_criteria: [{ condition_details: [{ field: 'identity', operation: 'equals', value: [identity] }] }],
    output: { fields: names },
  });
  return rows.length === 1 ? rows[0] : rows;
}

function create(contacts: unknown, contactType = 'identified') {
  return account.apply('/contact/create', { data: { contact_type: contactType, contacts } });
}

describe('creating contacts', () => {
  beforeAll(async () => {
    account = await service.createAccount();
  });

  test('an identified contact is stored with its attributes and lists', async () => {
    const list = await account.createList('News');
    const request = await create([
      {
        identity: 'asha@example.com',
        mobile: '+91 98123-45678',
        attributes: { FIRST_NAME: 'Asha', CITY: 'Pune' },
        audience_details: [{ audience_id: [list], audience_type: 'list' }],
      },
    ]);
    expect(request).toMatchObject({
      status: 'done',
      counts: { total: 1, created: 1, updated: 0, unchanged: 0, deleted: 0, failed: 0, warnings: 0 },
      failures: [],
    });
    expect(await contact('asha@example.com')).toEqual({
      identity: 'asha@example.com',
      EMAIL: 'asha@example.com',
      MOBILE: '919812345678',
      contact_type: 'identified',
      FIRST_NAME: 'Asha',
      CITY: 'Pune',
      list_id: [list],
    });
    expect((await account.operator('GET', `/lists/${list}`)).body.member_count).toBe(1);
  });

  test('a create merges into an existing contact, and reports if nothing changed', async () => {
    await create([{ identity: 'merge@example.com', mobile: '1234567', attributes: { FIRST_NAME: 'A', CITY: 'Pune' } }]);
    const again = await create([{ identity: ' MERGE@example.com ', attributes: { city: 'Mumbai', FIRST_NAME: null } }]);
    expect(again.counts).toMatchObject({ created: 0, updated: 1, unchanged: 0 });
    expect(await contact('merge@example.com')).toMatchObject({ MOBILE: '1234567', FIRST_NAME: null, CITY: 'Mumbai' });
    const same = await create([{ identity: 'merge@example.com', attributes: { CITY: 'Mumbai' } }]);
    expect(same.counts).toMatchObject({ updated: 0, unchanged: 1 });
    const cleared = await create([{ identity: 'merge@example.com', mobile: null }]);
    expect(cleared.counts).toMatchObject({ updated: 1 });
    expect(await contact('merge@example.com')).toMatchObject({ MOBILE: null, CITY: 'Mumbai' });
  });

  test('an identity that is repeated in one request is merged in order, and the last value wins', async () => {
    const request = await create([
      { identity: 'twice@example.com', attributes: { CITY: 'Pune', FIRST_NAME: 'T' } },
      { identity: 'twice@example.com', attributes: { CITY: 'Delhi' } },
    ]);
    expect(request.counts).toMatchObject({ total: 2, created: 1, updated: 1 });
    expect(await contact('twice@example.com')).toMatchObject({ CITY: 'Delhi', FIRST_NAME: 'T' });
  });

  test('an identity can be a number, or 255 characters outside the BMP', async () => {
    const customers = await service.createAccount({ name: 'Customers', primary_key: 'CUSTOMER_ID' });
    const long = '😀'.repeat(255);
    await customers.apply('/contact/create', {
      data: { contact_type: 'IDENTIFIED', contacts: [{ identity: 12345 }, { identity: long }] },
    });
    const rows = await customers.rows({
      output: { fields: ['CUSTOMER_ID', 'identity'], sorting: [{ field: 'contact_id' }] },
    });
    expect(rows).toEqual([
      { CUSTOMER_ID: '12345', identity: '12345' },
      { CUSTOMER_ID: long, identity: long },
    ]);
    const tooLong = await customers.v5('/contact/create', {
      data: { contact_type: 'identified', contacts: [{ identity: `${long}x` }] },
    });
    expect(tooLong.body.errors).toMatchObject([{ code: 'too_long', field: 'data.contacts[0].identity' }]);
  });

  test('each anonymous entry becomes a new contact, and its identity is ignored', async () => {
    const entry = { identity: 'ignored', email: 'anon@example.com', mobile: 919800000001 };
    const request = await create([entry, entry], 'anonymous');
    expect(request.counts).toMatchObject({ total: 2, created: 2 });
    const rows = await account.rows({
      filtering_criteria: [{ condition_details: [{ field: 'EMAIL', operation: 'equals', value: 'ANON@example.com' }] }],
      output: { fields },
    });
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatchObject({ identity: null, contact_type: 'anonymous', MOBILE: '919800000001' });
  });

  test('a contact is stored without the values that do not fit, and each of them is a warning', async () => {
    const request = await create([
      {
        identity: 'partly@example.com',
        attributes: { CITY: 'Pune', BIRTH_DATE: '31-02-2025', SHOE_SIZE: 42 },
        audience_details: [{ audience_id: 999 }],
      },
      { identity: 'fine@example.com' },
    ]);
    expect(request.counts).toMatchObject({ total: 2, created: 2, failed: 0, warnings: 3 });
    expect(request.failures).toMatchObject([
      { index: 0, code: 'attribute_type_mismatch', field: 'attributes.BIRTH_DATE', warning: true },
      { index: 0, code: 'attribute_unknown', field: 'attributes.SHOE_SIZE', warning: true },
      { index: 0, code: 'list_unknown', field: 'audience_details[0].audience_id', warning: true },
    ]);
    expect(await contact('partly@example.com')).toMatchObject({ CITY: 'Pune', list_id: [] });
  });

  test('a contact is stored without attributes whose names or texts are invalid', async () => {
    const name = 'Y'.repeat(300);
    const request = await create([
      { identity: 'long@example.com', attributes: { CITY: 'x'.repeat(65_537), FIRST_NAME: 'Long' } },
      { identity: 'names@example.com', attributes: { '': 1, '  ': 2, [name]: 3, ['\n']: 4, CITY: 'Pune' } },
      { identity: 'beside@example.com' },
    ]);
    expect(request.counts).toMatchObject({ total: 3, created: 3, warnings: 3 });
    expect(request.failures).toMatchObject([
      { index: 0, code: 'attribute_type_mismatch', field: 'attributes.CITY', warning: true },
      { index: 1, code: 'attribute_unknown', field: 'attributes.', warning: true },
      // The field is cut, because a name can be as long as a body.
      { index: 1, code: 'attribute_unknown', field: `attributes.${'Y'.repeat(64)}`, warning: true },
    ]);
    expect(await contact('long@example.com')).toMatchObject({ FIRST_NAME: 'Long', CITY: null });
    expect(await contact('names@example.com')).toMatchObject({ CITY: 'Pune' });
  });

  test('only the contact whose email differs from its identity fails', async () => {
    const request = await create([
      { identity: 'one@example.com', email: 'other@example.com' },
      { identity: 'ONE@example.com', email: 'One@Example.com' },
    ]);
    expect(request.status).toBe('done');
    expect(request.counts).toMatchObject({ total: 2, created: 1, failed: 1 });
    expect(request.failures).toMatchObject([{ index: 0, code: 'identity_mismatch', field: 'email', warning: false }]);
    // The email is stored as it was written. The identity is its normalised form.
    expect(await contact('one@example.com')).toMatchObject({ identity: 'one@example.com', EMAIL: 'One@Example.com' });
  });

  test('with auto_create_attributes, unknown attributes get the type of their first value', async () => {
    const auto = await service.createAccount({ name: 'Auto', settings: { auto_create_attributes: true } });
    const request = await auto.createContacts([
      {
        identity: 'a@example.com',
        attributes: {
          score: 1.5,
          vip: true,
          note: 'x',
          'bad name': 1,
          email_opted_out: 'x',
          book: 'x'.repeat(65_537),
        },
      },
      { identity: 'b@example.com', attributes: { SCORE: 'many', NOTHING: null } },
    ]);
    expect(request.counts).toMatchObject({ created: 2, warnings: 5 });
    expect(request.failures.map((failure: { code: string; field: string }) => [failure.code, failure.field])).toEqual([
      ['attribute_unknown', 'attributes.BAD NAME'],
      ['attribute_unknown', 'attributes.EMAIL_OPTED_OUT'],
      ['attribute_type_mismatch', 'attributes.BOOK'],
      ['attribute_type_mismatch', 'attributes.SCORE'],
      ['attribute_unknown', 'attributes.NOTHING'],
    ]);
    const rows = await auto.rows({ output: { fields: ['SCORE', 'VIP', 'NOTE'], sorting: [{ field: 'contact_id' }] } });
    expect(rows).toEqual([
      { SCORE: 1.5, VIP: true, NOTE: 'x' },
      { SCORE: null, VIP: null, NOTE: null },
    ]);
  });

  test('texts are stored unchanged: markup, quotes, backslashes, tabs, line ends, right-to-left, emoji', async () => {
    const value = 'a"b\'c\\d\te\nf\rg{h},i\\N \u202Eש👩‍👩‍👧';
    await create([{ identity: 'text@example.com', attributes: { FIRST_NAME: value, CITY: '' } }]);
    expect(await contact('text@example.com')).toMatchObject({ FIRST_NAME: value, CITY: '' });
    await create([{ identity: 'text@example.com', attributes: { FIRST_NAME: `${value}2`, CITY: value } }]);
    expect(await contact('text@example.com')).toMatchObject({ FIRST_NAME: `${value}2`, CITY: value });
  });
});

describe('subscriptions in a create', () => {
  const types = ['contact_type', 'email_opted_out', 'sms_opted_out'];
  beforeAll(async () => {
    account = await service.createAccount();
  });

  test('subscriptions opt a new contact out, and an existing one out and in again', async () => {
    const created = await create([
      { identity: 'out@example.com', subscriptions: { email: false } },
      { identity: 'sms@example.com', subscriptions: { SMS: 'false', email: true, whatsapp: null } },
      { identity: 'plain@example.com', subscriptions: null },
    ]);
    expect(created.counts).toMatchObject({ created: 3, warnings: 0 });
    const out = { contact_type: 'blacklisted', email_opted_out: true, sms_opted_out: false };
    const inAgain = { contact_type: 'identified', email_opted_out: false, sms_opted_out: false };
    expect(await contact('out@example.com', types)).toEqual(out);
    expect(await contact('sms@example.com', types)).toEqual({ ...inAgain, sms_opted_out: true });
    expect(await contact('plain@example.com', types)).toEqual(inAgain);

    const again = await create([
      { identity: 'out@example.com', subscriptions: { email: true } },
      { identity: 'plain@example.com', subscriptions: { email: false } },
      { identity: 'sms@example.com', subscriptions: { sms: false } },
    ]);
    expect(again.counts).toMatchObject({ updated: 2, unchanged: 1 });
    expect(await contact('out@example.com', types)).toEqual(inAgain);
    expect(await contact('plain@example.com', types)).toEqual(out);
  });

  test('an anonymous contact that was created opted out gets its type back when it opts in', async () => {
    await create([{ email: 'anon@example.com', subscriptions: { email: false } }], 'anonymous');
    const find = async () =>
      account.rows({
        filtering_criteria: [
          { condition_details: [{ field: 'email', operation: 'equals', value: 'anon@example.com' }] },
        ],
        output: { fields: types },
      });
    expect(await find()).toMatchObject([{ contact_type: 'blacklisted', email_opted_out: true }]);
    await account.updateContacts([{ email: 'anon@example.com', subscriptions: { email: true } }]);
    expect(await find()).toMatchObject([{ contact_type: 'anonymous', email_opted_out: false }]);
  });
});

describe('creating contacts with another primary key', () => {
  test('with the primary key MOBILE, the identity is compared by its digits and is the mobile', async () => {
    account = await service.createAccount({ name: 'Mobile', primary_key: 'mobile' });
    const request = await create([
      { identity: '+91 98123 45678', email: 'a@example.com' },
      { identity: 919812345678, mobile: '91-98123-45678' },
    ]);
    expect(request.counts).toMatchObject({ created: 1, unchanged: 1, failed: 0 });
    expect(await contact('91 98123 45678')).toMatchObject({ identity: '919812345678', MOBILE: '919812345678' });
  });

  test('with a custom primary key, its value is the identity and can be given in both places', async () => {
    account = await service.createAccount({ name: 'Custom', primary_key: 'CUSTOMER_ID' });
    const request = await create([
      { identity: 'C-1', attributes: { customer_id: 'C-1', CITY: 'Pune' } },
      { identity: 'C-2', attributes: { CUSTOMER_ID: 'C-3' } },
      { identity: 'c-1' },
    ]);
    expect(request.counts).toMatchObject({ created: 2, failed: 1 });
    expect(request.failures).toMatchObject([{ index: 1, code: 'identity_mismatch', field: 'attributes.CUSTOMER_ID' }]);
    expect(await contact('C-1', ['CUSTOMER_ID', 'CITY'])).toEqual({ CUSTOMER_ID: 'C-1', CITY: 'Pune' });
    const anonymous = await create([{ attributes: { CUSTOMER_ID: 'C-9' } }], 'anonymous');
    expect(anonymous.failures).toMatchObject([{ code: 'identity_ignored', warning: true }]);
  });
});

describe('accounts with the setting reject_existing_contacts', () => {
  beforeAll(async () => {
    account = await service.createAccount({ name: 'Strict', settings: { reject_existing_contacts: true } });
  });

  test('the whole request is refused when one identity exists or was just accepted', async () => {
    const body = (identities: string[]) => ({
      data: { contact_type: 'identified', contacts: identities.map((identity) => ({ identity })) },
    });
    expect((await account.v5('/contact/create', body(['a@example.com', 'b@example.com']))).status).toBe(200);
    const answer = await account.v5('/contact/create', body(['c@example.com', 'A@example.com']));
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 400, status: 'error', description: 'Contact already exists' });
    expect(answer.body.errors).toEqual([
      { code: 'taken', field: 'data.contacts[1].identity', message: expect.any(String) },
    ]);
    await service.settled();
    expect(await account.rows({ output: { fields: ['EMAIL'], sorting: [{ field: 'EMAIL' }] } })).toEqual([
      { EMAIL: 'a@example.com' },
      { EMAIL: 'b@example.com' },
    ]);
  });

  test('one request can name a new identity twice', async () => {
    const request = await create([
      { identity: 'new@example.com', attributes: { CITY: 'Pune' } },
      { identity: 'new@example.com', attributes: { CITY: 'Goa' } },
    ]);
    expect(request.counts).toMatchObject({ created: 1, updated: 1, failed: 0 });
  });

  test('the later of two simultaneous requests fails when both pass the check', async () => {
    const answers = await Promise.all(
      [1, 2].map((n) =>
        account.v5('/contact/create', {
          data: {
            contact_type: 'identified',
            contacts: [{ identity: 'race@example.com' }, { identity: `r${n}@example.com` }],
          },
        }),
      ),
    );
    await service.settled();
    const requests = await Promise.all(
      answers
        .filter((answer) => answer.status === 200)
        .map(async (answer) => (await account.operator('GET', `/requests/${answer.body.request_id}`)).body),
    );
    expect(requests.reduce((sum, request) => sum + request.counts.updated, 0)).toBe(0);
    expect(
      (await account.rows({ output: { get_count: true } })).filter((row) => row['EMAIL'] === 'race@example.com'),
    ).toHaveLength(1);
  });
});
