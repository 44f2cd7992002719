import { beforeAll, describe, expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService, type TestAccount } from '../support/service.ts';

const service = await forFile(startTestService());

const condition = (field: string, operation: string, value?: unknown) => [
  { condition_details: [{ field, operation, ...(value === undefined ? {} : { value }) }] },
];
const fields = ['identity', 'EMAIL', 'MOBILE'];

async function search(account: TestAccount, field: string, operation: string, value?: unknown) {
  return account.rows({
    filtering_criteria: condition(field, operation, value),
    output: { fields, sorting: [{ field: 'contact_id' }] },
  });
}

/** Returns what the address columns of an account hold, in the order of the contact_ids. */
async function stored({ accountId }: TestAccount, column: 'email' | 'mobile'): Promise<(string | null)[]> {
  const rows = await service.context.db
    .selectFrom('contacts')
    .where('account_id', '=', accountId)
    .orderBy('contact_id')
    .select(column)
    .execute();
  return rows.map((row) => row[column]);
}

async function create(account: TestAccount, contacts: object[], type = 'identified') {
  return account.apply('/contact/create', { data: { contact_type: type, contacts } });
}

describe('in an account keyed by EMAIL', () => {
  let account: TestAccount;
  beforeAll(async () => {
    account = await service.createAccount({ name: 'Mail', primary_key: 'EMAIL' });
    await create(account, [
      { identity: 'asha@example.com', mobile: '919812345678' },
      { identity: 'Ravi@Example.com' },
      { identity: 'old@example.com' },
    ]);
    // Such contacts can come from versions with other rules.
    await service.context.db
      .updateTable('contacts')
      .set({ email: 'new@example.com' })
      .where('account_id', '=', account.accountId)
      .where('contact_key', '=', 'old@example.com')
      .execute();
    await create(account, [{ mobile: '14155550100' }, { email: 'asha@example.com' }], 'anonymous');
  });

  test('an address that equals the identity is stored once, and any other address as it was given', async () => {
    expect(await stored(account, 'email')).toEqual([
      '',
      'Ravi@Example.com',
      'new@example.com',
      null,
      'asha@example.com',
    ]);
  });

  test('a search for an address in any letter case finds every contact that has it', async () => {
    const asha = { identity: 'asha@example.com', EMAIL: 'asha@example.com', MOBILE: '919812345678' };
    const shared = { identity: null, EMAIL: 'asha@example.com', MOBILE: null };
    expect(await search(account, 'EMAIL', 'equals', 'ASHA@example.com')).toEqual([asha, shared]);
    expect(await search(account, 'email', 'starts_with', 'ASHA@')).toEqual([asha, shared]);
    expect(await search(account, 'email', 'contains', 'SHA@EX')).toEqual([asha, shared]);
    expect(await search(account, 'EMAIL', 'equals', 'ravi@example.com')).toMatchObject([{ EMAIL: 'Ravi@Example.com' }]);
    expect(await search(account, 'EMAIL', 'equals', ['new@example.com', 'asha@example.com'])).toHaveLength(3);
  });

  test('an identity is not found as an address when the contact has another address', async () => {
    expect(await search(account, 'EMAIL', 'equals', 'old@example.com')).toEqual([]);
    expect(await search(account, 'EMAIL', 'starts_with', 'old@')).toEqual([]);
    expect(await search(account, 'EMAIL', 'equals', 'new@example.com')).toMatchObject([
      { identity: 'old@example.com' },
    ]);
  });

  test('a contact without an address has none', async () => {
    expect(await search(account, 'EMAIL', 'is_null')).toMatchObject([{ EMAIL: null, MOBILE: '14155550100' }]);
    expect(await search(account, 'EMAIL', 'is_not_null')).toHaveLength(4);
    expect(await search(account, 'EMAIL', 'not_equals', 'asha@example.com')).toHaveLength(3);
  });

  test('quick find shows the address, also if it differs from the identity', async () => {
    const find = async (text: string) =>
      (await account.operator('GET', `/contacts?find=${encodeURIComponent(text)}`)).body.data;
    expect(await find('asha@')).toMatchObject([
      { identity: 'asha@example.com', email: 'asha@example.com', found_by: 'identity' },
      { identity: null, email: 'asha@example.com', found_by: 'email' },
    ]);
    expect(await find('new@')).toMatchObject([{ identity: 'old@example.com', found_by: 'email' }]);
  });
});

test('the address follows the identity when it changes, and keeps its letter case', async () => {
  const account = await service.createAccount({ name: 'Moves', primary_key: 'EMAIL' });
  await create(account, [{ identity: 'first@example.com' }]);
  const [{ contact_id: id }] = (await account.rows({ output: { fields: ['contact_id'] } })) as [{ contact_id: number }];
  const update = (contact: object) => account.updateContacts([{ contact_id: id, ...contact }]);
  const row = async () => (await account.rows({ output: { fields } }))[0];

  await update({ identity: 'second@example.com' });
  expect(await row()).toMatchObject({ identity: 'second@example.com', EMAIL: 'second@example.com' });
  expect(await stored(account, 'email')).toEqual(['']);
  await update({ email: 'Third@Example.com' });
  expect(await row()).toMatchObject({ identity: 'third@example.com', EMAIL: 'Third@Example.com' });
  await update({ mobile: '14155550100', attributes: { CITY: 'Pune' } });
  expect(await row()).toMatchObject({ EMAIL: 'Third@Example.com', MOBILE: '14155550100' });
  expect(await stored(account, 'email')).toEqual(['Third@Example.com']);
  await update({ email: 'third@example.com' });
  expect(await row()).toMatchObject({ identity: 'third@example.com', EMAIL: 'third@example.com' });
  expect(await stored(account, 'email')).toEqual(['']);
});

test('a contact that was stored before addresses were stored once is found, shown and updated', async () => {
  const account = await service.createAccount({ name: 'Older', primary_key: 'EMAIL' });
  await create(account, [{ identity: 'older@example.com' }, { identity: 'newer@example.com' }]);
  await service.context.db
    .updateTable('contacts')
    .set({ email: 'older@example.com' })
    .where('account_id', '=', account.accountId)
    .where('contact_key', '=', 'older@example.com')
    .execute();
  expect(await search(account, 'EMAIL', 'equals', ['OLDER@example.com', 'newer@example.com'])).toHaveLength(2);
  expect(await search(account, 'EMAIL', 'starts_with', 'older')).toMatchObject([{ EMAIL: 'older@example.com' }]);
  await account.updateContacts([{ email: 'older@example.com', attributes: { CITY: 'Goa' } }]);
  expect(await search(account, 'CITY', 'equals', 'Goa')).toMatchObject([{ EMAIL: 'older@example.com' }]);
});

test('in an account keyed by MOBILE, a number is stored once, and found in any way', async () => {
  const account = await service.createAccount({ name: 'Phones', primary_key: 'MOBILE' });
  await create(account, [{ identity: '+91 98123-45678', email: 'Asha@Example.com' }, { identity: '14155550100' }]);
  await create(account, [{ mobile: '14155550100' }], 'anonymous');
  expect(await stored(account, 'mobile')).toEqual(['', '', '14155550100']);
  expect(await search(account, 'MOBILE', 'equals', '+91 98123 45678')).toEqual([
    { identity: '919812345678', EMAIL: 'Asha@Example.com', MOBILE: '919812345678' },
  ]);
  expect(await search(account, 'MOBILE', 'equals', '14155550100')).toHaveLength(2);
  expect(await search(account, 'MOBILE', 'starts_with', '9198')).toHaveLength(1);
  expect(await search(account, 'EMAIL', 'equals', 'asha@example.com')).toHaveLength(1);
  await account.updateContacts([{ email: 'asha@example.com', attributes: { CITY: 'Goa' } }]);
  expect(await search(account, 'CITY', 'equals', 'Goa')).toMatchObject([{ MOBILE: '919812345678' }]);
});

test('in an account keyed by an attribute, an address is stored even if it equals the identity', async () => {
  const account = await service.createAccount({ name: 'Customers', primary_key: 'CUSTOMER_ID' });
  await create(account, [
    { identity: 'asha@example.com', email: 'asha@example.com' },
    { identity: 'ravi@example.com' },
    { identity: 'C3', email: 'RAVI@example.com' },
  ]);
  expect(await stored(account, 'email')).toEqual(['asha@example.com', null, 'RAVI@example.com']);
  expect(await search(account, 'EMAIL', 'equals', 'Asha@example.com')).toMatchObject([
    { identity: 'asha@example.com' },
  ]);
  expect(await search(account, 'EMAIL', 'equals', 'ravi@example.com')).toMatchObject([{ identity: 'C3' }]);
  expect(await search(account, 'EMAIL', 'is_null')).toMatchObject([{ identity: 'ravi@example.com', EMAIL: null }]);
});
