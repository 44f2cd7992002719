import { FindContactsAnswer, type FoundContact } from '@roster/contract';
import { describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';
import { expectShape } from './shape.ts';

const service = await forFile(startTestService());
const account = await service.createAccount({ name: 'Shop', primary_key: 'EMAIL' });
const contacts = [
  { identity: 'asha@example.com', mobile: '919812345678' },
  { identity: 'asha@example.com.au' },
  { identity: 'Ravi.Kumar@example.com', mobile: '+91 98123-45679' },
  { identity: 'o_neil%@example.com' },
];
await account.createContacts(contacts);
const anonymous = [{ email: 'anonymous.reader@example.com' }, { mobile: '4917112345678' }];
await account.apply('/contact/create', { data: { contact_type: 'anonymous', contacts: anonymous } });

async function find(text: string, one = account): Promise<{ data: FoundContact[]; more: boolean }> {
  const { status, body } = await one.operator('GET', `/contacts?find=${encodeURIComponent(text)}`);
  expect(status).toBe(200);
  expectShape(FindContactsAnswer, body);
  return body;
}

const emails = async (text: string) => (await find(text)).data.map(({ email }) => email);

describe('quick find', () => {
  test('finds a contact by its whole e-mail address, and longer addresses after it', async () => {
    expect((await find('Asha@Example.com')).data).toMatchObject([
      { email: 'asha@example.com', identity: 'asha@example.com', found_by: 'identity', exact: true },
      { email: 'asha@example.com.au', exact: false },
    ]);
  });

  test('finds contacts by the beginning of an address, in any letter case', async () => {
    expect(await emails('ASH')).toEqual(['asha@example.com', 'asha@example.com.au']);
    expect(await emails('ravi.k')).toEqual(['Ravi.Kumar@example.com']);
  });

  test.each(['919812345678', '+91 98123 45678', '0091-98123-45678', '(+91) 98123/45678'.replace('(+91)', '+91')])(
    'finds a contact by the mobile number %s',
    async (text) => {
      expect((await find(text)).data).toMatchObject([{ mobile: '919812345678', found_by: 'mobile', exact: true }]);
    },
  );

  test('finds contacts by the first digits of a mobile number', async () => {
    expect((await find('+91 981')).data.map(({ mobile }) => mobile)).toEqual(['919812345678', '919812345679']);
  });

  test('finds a contact by its contact_id, which comes first', async () => {
    const [row] = await account.rows({ output: { fields: ['contact_id'], sorting: [{ field: 'contact_id' }] } });
    const id = row!['contact_id'] as number;

    expect((await find(String(id))).data[0]).toMatchObject({ contact_id: id, found_by: 'contact_id', exact: true });
  });

  test('finds anonymous contacts by e-mail address and mobile number, never by their internal key', async () => {
    expect((await find('anonymous')).data).toMatchObject([
      { email: 'anonymous.reader@example.com', identity: null, contact_type: 'anonymous', found_by: 'email' },
    ]);
    expect((await find('anonymous/')).data).toEqual([]);
    expect((await find('+49171')).data).toMatchObject([{ identity: null, email: null }]);
  });

  test('treats % and _ as ordinary characters', async () => {
    expect(await emails('%')).toEqual([]);
    expect(await emails('o_n')).toEqual(['o_neil%@example.com']);
    expect(await emails('oxn')).toEqual([]);
  });

  test('does not find text inside a value', async () => {
    expect(await emails('example.com')).toEqual([]);
    expect(await emails('kumar')).toEqual([]);
  });

  test('finds by the exact writing of a custom primary key', async () => {
    const shop = await service.createAccount({ name: 'Shop', primary_key: 'CUSTOMER_ID' });
    await shop.createContacts([{ identity: 'C-17', email: 'c-17@example.com' }]);

    expect((await find('C-1', shop)).data).toMatchObject([{ identity: 'C-17', found_by: 'identity', exact: false }]);
    expect((await find('c-1', shop)).data).toMatchObject([{ identity: 'C-17', found_by: 'email' }]);
  });

  test('returns at most twenty contacts, and says that there are more', async () => {
    const large = await service.createAccount();
    const contacts = Array.from({ length: 30 }, (_, index) => ({ identity: `p${index}@example.com` }));
    await large.createContacts(contacts);

    const found = await find('p', large);
    expect(found.data).toHaveLength(20);
    expect(found.more).toBe(true);
    expect(await find('p10', large)).toMatchObject({ data: [{ email: 'p10@example.com' }], more: false });
  });

  test('finds nothing of another account', async () => {
    const other = await service.createAccount();

    expect(await find('asha', other)).toEqual({ data: [], more: false });
    expect(await find('919812345678', other)).toEqual({ data: [], more: false });
  });

  test.each([
    ['', 400],
    ['find=', 400],
    [`find=${'x'.repeat(256)}`, 400],
    ['find=a%00b', 400],
    ['find=asha&limit=5', 400],
    ['find=%EF%BF%BF', 200],
    ['find=%F0%9F%A6%8A', 200],
    ["find='%20or%201=1--", 200],
    ['find=9007199254740993', 200],
  ])('with the query %j returns %i', async (query, status) => {
    expect((await account.operator('GET', `/contacts?${query}`)).status).toBe(status);
  });

  test('does not search masked values for callers who may not see them, and masks them', async () => {
    const shop = await service.createAccount({ name: 'Shop', primary_key: 'CUSTOMER_ID' });
    await service.context.db
      .updateTable('attributes')
      .where('account_id', '=', shop.accountId)
      .where('name', '=', 'CUSTOMER_ID')
      .set({ data_masking: 'full' })
      .execute();
    await shop.createContacts([{ identity: 'C-17', email: 'asha@example.com' }]);
    const findWith = async (scopes: string[], text: string) => {
      const { body } = await shop.operator('POST', '/api-keys', { name: 'Finder', scopes });
      const headers = { 'api-key': body.api_key };
      const url = `/admin/v1/accounts/${shop.accountId}/contacts?find=${text}`;
      return service.call('GET', url, { headers });
    };

    expect((await findWith(['contacts:read'], 'C-17')).body.data).toEqual([]);
    expect((await findWith(['contacts:read'], 'asha')).body.data).toMatchObject([{ identity: '****' }]);
    expect((await findWith(['contacts:read', 'unmasked'], 'C-17')).body.data).toMatchObject([{ identity: 'C-17' }]);
    expect((await findWith(['lists:read'], 'asha')).status).toBe(403);
    const { body } = await shop.operator('POST', '/api-keys', { name: 'Finder', scopes: ['contacts:read'] });
    const elsewhere = `/admin/v1/accounts/${account.accountId}/contacts?find=asha`;
    expect((await service.call('GET', elsewhere, { headers: { 'api-key': body.api_key } })).status).toBe(404);
  });

  test('is not found in an unknown account', async () => {
    expect((await service.operator('GET', '/accounts/999999/contacts?find=a')).status).toBe(404);
  });
});
