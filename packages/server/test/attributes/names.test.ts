import { expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import { startTestService } from '../support/service.ts';

const service = await forFile(startTestService());
const account = await service.createAccount();

// JavaScript's toUpperCase turns these into ASCII letters: STRASSE, CITY, FIRST_NAME.
const lookAlikes = ['straße', 'cıty', '\ufb01rst_name'];

const contact = (attributes: object) => account.createContacts([{ identity: 'a@example.com', attributes }]);
const row = async () => (await account.rows({ output: { fields: ['identity', 'STRASSE', 'CITY', 'FIRST_NAME'] } }))[0];

test('names are not folded to ASCII: a name that only looks like an attribute is unknown', async () => {
  await account.createAttributes([{ name: 'STRASSE', data_type: 'text' }]);
  const values = { identity: 'a@example.com', STRASSE: 'kept', CITY: 'kept', FIRST_NAME: 'kept' };
  await contact({ strasse: 'kept', City: 'kept', first_name: 'kept' });
  const written = await contact(Object.fromEntries(lookAlikes.map((name) => [name, 'x'])));
  expect(written).toMatchObject({ counts: { unchanged: 1, warnings: 3 } });
  expect(written.failures.map(({ code }: { code: string }) => code)).toEqual(lookAlikes.map(() => 'attribute_unknown'));
  for (const name of lookAlikes) {
    expect((await account.v5('/client/attribute/delete', { data: [name] })).status).toBe(400);
    expect((await account.v5('/client/attribute/update', { data: [{ name, category: 'x' }] })).status).toBe(400);
    expect((await account.v5('/client/attribute/usage', { data: [name] })).status).toBe(400);
    const search = await account.v5('/contact/search', {
      filtering_criteria: [{ condition_details: [{ field: name, operation: 'equals', value: 'kept' }] }],
    });
    expect(search).toMatchObject({ status: 400, body: { errors: [{ code: 'unknown_field' }] } });
  }
  await account.operator('PATCH', '', { settings: { auto_create_attributes: true } });
  expect(await contact({ straße: 'x' })).toMatchObject({ failures: [{ code: 'attribute_unknown' }] });
  expect(await row()).toEqual(values);
});
