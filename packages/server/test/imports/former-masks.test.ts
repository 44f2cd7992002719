import { expect, test } from 'vitest';
import { startImportService } from './import-service.ts';

test('an attribute that an import creates gets the mask of a deleted attribute with the same name', async () => {
  await using imports = await startImportService();
  const { account } = imports;
  const masked = { name: 'CARD', data_type: 'text', data_masking: 'full' };
  await account.createAttributes([masked]);
  const scopes = ['attributes:write', 'unmasked'];
  const key = (await account.operator('POST', '/api-keys', { name: 'Trusted', scopes })).body.api_key as string;
  const deletion = await account.v5('/client/attribute/delete', { data: ['CARD'] }, { 'api-key': key });
  expect(deletion.status).toBe(200);
  const ended = await imports.run('EMAIL,CARD,COLOUR\na@example.com,secret,red\n', { unknown_columns: 'create' });
  expect(ended).toMatchObject({ status: 'completed', counts: { created: 1 } });
  expect(await account.rows({ output: { fields: ['CARD', 'COLOUR'] } })).toEqual([{ CARD: '****', COLOUR: 'red' }]);
});
