import type { Scope } from '@roster/contract';
import { expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import type { TestAccount } from '../support/service.ts';
import { startImportService } from './import-service.ts';

const imports = await forFile(startImportService());

/** Reads the failures of an import as JSON and as CSV, with a new API key. */
async function failuresWith(scopes: readonly Scope[], id: string, account: TestAccount) {
  const { body } = await account.operator('POST', '/api-keys', { name: 'Test', scopes });
  const headers = { 'api-key': body.api_key as string };
  const path = `/admin/v1/accounts/${account.accountId}/imports/${id}/failures`;
  const rows = await imports.service.call('GET', `${path}/rows`, { headers });
  const file = await imports.service.call('GET', path, { headers });
  expect([rows.status, file.status]).toEqual([200, 200]);
  return {
    rows: rows.body.data as { values: Record<string, string>; text: string | null }[],
    file: file.body as string,
  };
}

const masked: readonly Scope[] = ['imports:write'];
const unmasked: readonly Scope[] = ['imports:write', 'unmasked'];

test('the failed rows have masks for a caller without the permission unmasked, as JSON and as CSV', async () => {
  const account = await imports.service.createAccount({ name: 'Shop', primary_key: 'EMAIL' });
  const secret = { name: 'SECRET', data_type: 'text', data_masking: 'full' };
  await account.createAttributes([secret]);
  const { import_id: id } = await imports.run('EMAIL,SECRET,CITY\nbad,tea,Pune\nworse\n', {}, account);

  const { rows, file } = await failuresWith(masked, id, account);
  expect(rows).toMatchObject([
    { values: { EMAIL: 'bad', SECRET: '****', CITY: 'Pune' } },
    // A row with other cells than the header may have any value in any cell.
    { values: {}, text: '****' },
  ]);
  expect(file).toMatch(/bad,\*\*\*\*,Pune/);
  expect(file).not.toMatch(/tea|worse/);

  const whole = await failuresWith(unmasked, id, account);
  expect(whole.rows).toMatchObject([{ values: { SECRET: 'tea' } }, { text: 'worse' }]);
  expect(whole.file).toMatch(/bad,tea,Pune/);
});

test('the identities of failed rows have the mask of the primary key', async () => {
  const account = await imports.service.createAccount({ name: 'Shop', primary_key: 'MEMBER' });
  await account.apply('/client/attribute/update', {
    data: [{ name: 'MEMBER', data_masking: 'full' }],
  });
  for (const header of ['MEMBER', 'IDENTITY']) {
    const { import_id: id } = await imports.run(`${header},EMAIL\nM-4711,not an address\n`, {}, account);
    const { rows, file } = await failuresWith(masked, id, account);
    expect(rows).toMatchObject([{ values: { [header]: '****', EMAIL: 'not an address' } }]);
    expect(file).not.toMatch(/4711/);
    expect((await failuresWith(unmasked, id, account)).rows).toMatchObject([{ values: { [header]: 'M-4711' } }]);
  }
});

test('columns that were left out, or whose attribute was deleted, keep the mask of their name', async () => {
  const account = await imports.service.createAccount({ name: 'Shop', primary_key: 'EMAIL' });
  const attributes = ['CARD', 'PIN'].map((name) => ({ name, data_type: 'text', data_masking: 'full' }));
  await account.createAttributes(attributes);
  const { import_id: id } = await imports.run(
    'EMAIL,Card,PIN\nbad,card value,pin value\n',
    { columns: { PIN: null } },
    account,
  );
  const hidden = [{ values: { EMAIL: 'bad', Card: '****', PIN: '****' } }];
  expect((await failuresWith(masked, id, account)).rows).toMatchObject(hidden);
  const deletion = await account.operator('POST', '/client/attribute/delete', { data: ['CARD', 'PIN'] });
  expect(deletion.status).toBe(200);
  await imports.service.settled();
  const { rows, file } = await failuresWith(masked, id, account);
  expect(rows).toMatchObject(hidden);
  expect(file).not.toMatch(/card value|pin value/);
});
