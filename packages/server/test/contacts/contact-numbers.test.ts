import { expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { databaseBefore } from '../support/older-database.ts';
import { startTestService, type TestAccount } from '../support/service.ts';

const service = await forFile(startTestService());

async function create(account: TestAccount, ...identities: string[]): Promise<void> {
  const contacts = identities.map((identity) => ({ identity: `${identity}@example.com` }));
  await account.createContacts(contacts);
}

async function numbers(account: TestAccount): Promise<number[]> {
  const rows = await account.rows({
    output: { fields: ['contact_id'], sorting: [{ field: 'contact_id' }], pagination: { limit: 1000 } },
  });
  return rows.map((row) => row['contact_id'] as number);
}

test('the contact_ids of an account count only its own contacts', async () => {
  const [one, other] = [await service.createAccount(), await service.createAccount()];
  await create(one, 'a', 'b');
  await create(other, 'a', 'b', 'c');
  await create(one, 'c');
  expect(await numbers(one)).toEqual([1, 2, 3]);
  expect(await numbers(other)).toEqual([1, 2, 3]);
});

test('the contact_id of a deleted contact is not used again', async () => {
  const account = await service.createAccount();
  await create(account, 'a', 'b');
  await account.apply('/contact/delete', { data: { contacts: [{ identity: 'b@example.com' }] } });
  await create(account, 'b');
  expect(await numbers(account)).toEqual([1, 3]);
});

test('contact_ids grow in the order in which contacts are accepted', async () => {
  await using _second = service.startWorker();
  const account = await service.createAccount();
  const identities = Array.from({ length: 60 }, (_, n) => String(n).padStart(3, '0'));
  for (const identity of identities) {
    const contacts = [{ identity: `${identity}@example.com` }];
    await account.v5('/contact/create', { data: { contact_type: 'identified', contacts } });
  }
  await service.settled();
  const rows = await account.rows({
    output: { fields: ['identity'], sorting: [{ field: 'contact_id' }], pagination: { limit: 100 } },
  });
  expect(rows.map(({ identity }) => identity)).toEqual(identities.map((identity) => `${identity}@example.com`));
});

test('updates and repeated creates use up no contact_ids', async () => {
  const account = await service.createAccount();
  await create(account, 'a');
  await create(account, 'a', 'a');
  await account.updateContacts([{ identity: 'a@example.com', mobile: '919812345678' }]);
  await create(account, 'b');
  expect(await numbers(account)).toEqual([1, 2]);
});

test('in a migrated older database, each account continues after the highest contact_id of all accounts', async () => {
  await using older = await databaseBefore('0019_contact_numbers');
  const { client } = older;
  await client.query(
    `insert into accounts (name, created_at, updated_at) select 'Old', now(), now() from generate_series(1, 2);
       insert into contacts (account_id, contact_key, contact_type, created_at, updated_at)
       select 1, n || '@example.com', 'identified', now(), now() from generate_series(1, 5) n;
       delete from contacts where contact_id = 5`,
  );
  await older.migrate();
  const { rows } = await client.query('select account_id, last_contact_id from contact_numbers order by account_id');
  expect(rows).toEqual([
    { account_id: 1, last_contact_id: '5' },
    { account_id: 2, last_contact_id: '5' },
  ]);
});
