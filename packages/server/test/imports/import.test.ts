import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { startImportService } from './import-service.ts';
import { forFile } from '../support/for-file.ts';

const imports = await forFile(startImportService());

const fields = ['EMAIL', 'MOBILE', 'FIRST_NAME', 'CITY', 'contact_type', 'list_id'];
async function contactsLike(prefix: string, account = imports.account): Promise<Record<string, unknown>[]> {
  return account.rows({
    filtering_criteria: [{ condition_details: [{ field: 'email', operation: 'starts_with', value: [prefix] }] }],
    output: { fields, sorting: [{ field: 'email' }], pagination: { limit: 100 } },
  });
}

test('an import creates contacts from a CSV file, adds them to its lists, and has counts that add up', async () => {
  const { audience_id } = (await imports.account.operator('POST', '/lists', { name: 'Imported' })).body;
  const file =
    'email;First name;City;Mobile\r\ncsv-1@example.com;Asha;Pune;+91 98123-45678\r\ncsv-2@example.com;"Ravi; junior";;\r\n';
  const ended = await imports.run(file, { file_name: 'people.csv', audience_ids: [audience_id] });
  expect(ended).toMatchObject({
    status: 'completed',
    format: 'csv',
    delimiter: ';',
    encoding: 'utf-8',
    compression: 'none',
    counts: { total: 2, created: 2, updated: 0, unchanged: 0, failed: 0, warnings: 0 },
    progress: { percent: 100, rows_read: 2 },
    failure: null,
    failures_expire_at: null,
  });
  expect(ended.columns.map(({ field, is_identity }) => [field, is_identity])).toEqual([
    ['EMAIL', true],
    ['FIRST_NAME', false],
    ['CITY', false],
    ['MOBILE', false],
  ]);
  expect(await contactsLike('csv-')).toEqual([
    {
      EMAIL: 'csv-1@example.com',
      MOBILE: '919812345678',
      FIRST_NAME: 'Asha',
      CITY: 'Pune',
      contact_type: 'identified',
      list_id: [audience_id],
    },
    {
      EMAIL: 'csv-2@example.com',
      MOBILE: null,
      FIRST_NAME: 'Ravi; junior',
      CITY: null,
      contact_type: 'identified',
      list_id: [audience_id],
    },
  ]);
  expect(await imports.failures(ended.import_id)).toEqual([]);
  expect(await imports.files()).toEqual([]);
});

test('a row of a compressed NDJSON file is a contact object of the API or a flat object', async () => {
  const lines = [
    { identity: 'nd-1@example.com', attributes: { CITY: 'Pune' } },
    '',
    { EMAIL: 'nd-2@example.com', first_name: 'Ravi', CITY: null },
  ];
  const file = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  const ended = await imports.run(gzipSync(file));
  expect(ended).toMatchObject({ status: 'completed', format: 'ndjson', compression: 'gzip', counts: { created: 2 } });
  expect(await contactsLike('nd-')).toMatchObject([
    { EMAIL: 'nd-1@example.com', CITY: 'Pune' },
    { EMAIL: 'nd-2@example.com', FIRST_NAME: 'Ravi', CITY: null },
  ]);
});

test('each row of NDJSON may have different names, in any letter case and nesting', async () => {
  const lines = [
    { identity: 'names-1@example.com', attributes: { CITY: 'Pune', first_name: 'Asha' }, Mobile: '919812340001' },
    { IDENTITY: 'names-2@example.com', Attributes: { city: 'Goa' }, mobile: 919_812_340_002 },
    { Email: 'names-3@example.com', City: 'Delhi', 'First name': 'Ravi' },
    { email: 'names-4@example.com', ATTRIBUTES: null, CITY: '', 'attributes.FIRST_NAME': 'Meera' },
    { email: 'names-5@example.com', EMAIL: 'names-6@example.com' },
    { email: 'names-7@example.com', CITY: 'Pune', attributes: { city: 'Goa' } },
    { email: 'names-8@example.com', attributes: 'CITY' },
  ];
  const file = lines.map((line) => JSON.stringify(line)).join('\n');
  const ended = await imports.run(file, { columns: { 'first name': 'FIRST_NAME' } });
  expect(ended).toMatchObject({ status: 'completed', counts: { total: 7, created: 4, failed: 3, warnings: 0 } });
  expect(ended.columns.map(({ header, field }) => [header, field])).toEqual([
    ['identity', 'IDENTITY'],
    ['attributes.CITY', 'CITY'],
    ['attributes.first_name', 'FIRST_NAME'],
    ['Mobile', 'MOBILE'],
    ['Email', 'EMAIL'],
  ]);
  expect((await imports.failures(ended.import_id)).map((row) => [row['IMPORT_LINE'], row['IMPORT_CODE']])).toEqual([
    ['5', 'row_names_repeated'],
    ['6', 'row_names_repeated'],
    ['7', 'row_attributes'],
  ]);
  expect(await contactsLike('names-')).toMatchObject([
    { EMAIL: 'names-1@example.com', CITY: 'Pune', FIRST_NAME: 'Asha' },
    { EMAIL: 'names-2@example.com', CITY: 'Goa', FIRST_NAME: null },
    { EMAIL: 'names-3@example.com', CITY: 'Delhi', FIRST_NAME: 'Ravi' },
    { EMAIL: 'names-4@example.com', CITY: '', FIRST_NAME: 'Meera' },
  ]);
});

test('a row of NDJSON may have the name of the primary key instead of identity, independent of the other rows', async () => {
  const account = await imports.service.createAccount({ name: 'Keys', primary_key: 'CUSTOMER_ID' });
  const lines = [
    '{"identity":"K-1"}',
    '{"customer_id":"K-2"}',
    '{"attributes":{"CUSTOMER_ID":"K-3"}}',
    '{"email":"k@example.com"}',
  ];
  const ended = await imports.run(lines.join('\n'), {}, account);
  expect(ended).toMatchObject({ status: 'completed', counts: { created: 3, failed: 1 } });
  const rows = await account.rows({ output: { fields: ['IDENTITY'], sorting: [{ field: 'identity' }] } });
  expect(rows).toEqual([{ IDENTITY: 'K-1' }, { IDENTITY: 'K-2' }, { IDENTITY: 'K-3' }]);
});

test('the file of failures names the line, the column and the reason of every row that cannot be applied', async () => {
  const file = [
    'EMAIL,CITY,BIRTH_DATE',
    'bad-1@example.com,"two',
    'lines",1990-01-02',
    '',
    'no address,Pune,',
    'bad-2@example.com,Pune',
    'bad-3@example.com,"Pu"ne,',
    'bad-4@example.com,Pune,yesterday',
    ',Pune,',
    'bad-5@example.com,"=1+1\0",',
    'bad-6@example.com,=1+1,1990-13-01',
    'bad-7@example.com,"never closed,',
    'bad-8@example.com,Pune,',
  ].join('\n');
  const ended = await imports.run(file);
  expect(ended).toMatchObject({ status: 'completed', counts: { total: 10, created: 4, failed: 6, warnings: 2 } });
  const failures = await imports.failures(ended.import_id);
  expect(failures.map((row) => [row['IMPORT_LINE'], row['IMPORT_COLUMN'], row['IMPORT_CODE']])).toEqual([
    ['5', 'EMAIL', 'identity_invalid'],
    ['6', '', 'row_cells'],
    ['7', '', 'row_quotes'],
    ['8', 'BIRTH_DATE', 'attribute_type_mismatch'],
    ['9', 'EMAIL', 'identity_blank'],
    ['10', 'CITY', 'invalid_character'],
    ['11', 'BIRTH_DATE', 'attribute_type_mismatch'],
    ['12', '', 'row_quotes'],
  ]);
  expect(failures[0]).toMatchObject({ EMAIL: 'no address', CITY: 'Pune' });
  expect(failures[6]).toMatchObject({ EMAIL: 'bad-6@example.com', CITY: '=1+1' });
  expect((await contactsLike('bad-')).map((row) => row['EMAIL'])).toEqual([
    'bad-1@example.com',
    'bad-4@example.com',
    'bad-6@example.com',
    'bad-8@example.com',
  ]);
  expect((await contactsLike('bad-6'))[0]).toMatchObject({ CITY: '=1+1' });
  expect((await contactsLike('bad-1'))[0]).toMatchObject({ CITY: 'two\nlines' });
});

test('the mode create fails rows of existing or repeated contacts, and the mode update fails rows of unknown contacts', async () => {
  await imports.run('EMAIL,CITY\nmode-1@example.com,Pune\n');
  const created = await imports.run(
    'EMAIL,CITY\nmode-1@example.com,Delhi\nmode-2@example.com,Delhi\nMODE-2@example.com,Goa\n',
    { mode: 'create' },
  );
  expect(created.counts).toMatchObject({ total: 3, created: 1, failed: 2 });
  expect((await imports.failures(created.import_id)).map((row) => row['IMPORT_CODE'])).toEqual([
    'contact_exists',
    'contact_exists',
  ]);
  const updated = await imports.run('EMAIL,CITY\nmode-1@example.com,\nmode-3@example.com,Goa\n', {
    mode: 'update',
    blank_cells: 'clear',
  });
  expect(updated.counts).toMatchObject({ total: 2, updated: 1, failed: 1 });
  expect((await imports.failures(updated.import_id))[0]).toMatchObject({
    IMPORT_LINE: '3',
    IMPORT_CODE: 'contact_not_found',
    IMPORT_COLUMN: 'EMAIL',
  });
  expect(await contactsLike('mode-')).toMatchObject([
    { EMAIL: 'mode-1@example.com', CITY: null },
    { EMAIL: 'mode-2@example.com', CITY: 'Delhi' },
  ]);
});

test('in an upsert, a later row overwrites an earlier one, and blank cells change nothing', async () => {
  const ended = await imports.run('EMAIL,CITY\nup-1@example.com,Pune\nup-1@example.com,Goa\nup-1@example.com,\n');
  expect(ended.counts).toMatchObject({ total: 3, created: 1, updated: 1, unchanged: 1 });
  expect(await contactsLike('up-')).toMatchObject([{ CITY: 'Goa' }]);
});

test('a dry run reports the counts and failures of the import, and writes nothing', async () => {
  const file =
    'EMAIL,CITY,Points,BIRTH_DATE\ndry-1@example.com,Pune,1,x\ndry-2@example.com,,2,\ndry-1@example.com,Goa,3,\nnobody,,,\n';
  const ended = await imports.run(file, { dry_run: true, unknown_columns: 'create' });
  expect(ended).toMatchObject({
    status: 'completed',
    dry_run: true,
    counts: { total: 4, created: 2, updated: 1, unchanged: 0, failed: 1, warnings: 1 },
  });
  expect(ended.columns[2]).toMatchObject({ header: 'Points', field: 'POINTS', data_type: 'number', is_new: true });
  expect((await imports.failures(ended.import_id)).map((row) => [row['IMPORT_LINE'], row['IMPORT_CODE']])).toEqual([
    ['2', 'attribute_type_mismatch'],
    ['5', 'identity_invalid'],
  ]);
  expect(await contactsLike('dry-')).toEqual([]);
  const found = await imports.account.v5('/client/attribute/search', {
    filtering_criteria: [{ condition_details: [{ field: 'name', operation: 'equals', value: ['POINTS'] }] }],
  });
  expect(found.body.data).toEqual([]);
  const again = await imports.run(file, { dry_run: true, unknown_columns: 'create', mode: 'create' });
  expect(again.counts).toMatchObject({ total: 4, created: 2, failed: 2 });
});

test('unknown columns make the import fail before it writes anything, are skipped, or become attributes of the narrowest type', async () => {
  const file =
    'EMAIL,Score,Member,Since,Code,Remarks\nnew-1@example.com,1.5,yes,2020-01-31,007,a\nnew-2@example.com,-2,no,2021-02-28,1,b\n';
  const { import_id } = await imports.create();
  const refused = (await imports.send(import_id, file)).body;
  expect(refused).toMatchObject({ status: 'failed', failure: { code: 'columns_unknown' } });
  expect(refused.unknown_headers).toEqual(['Score', 'Member', 'Since', 'Code', 'Remarks']);
  expect((await imports.files()).filter((name) => name.startsWith(import_id))).toEqual([]);
  expect(await contactsLike('new-')).toEqual([]);
  const ended = await imports.run(file, { unknown_columns: 'create', columns: { remarks: null } });
  expect(ended).toMatchObject({ status: 'completed', counts: { created: 2 } });
  expect(ended.columns.map(({ field, data_type, is_new }) => [field, data_type, is_new])).toEqual([
    ['EMAIL', null, false],
    ['SCORE', 'number', true],
    ['MEMBER', 'boolean', true],
    ['SINCE', 'date', true],
    ['CODE', 'text', true],
    [null, null, false],
  ]);
  const rows = await imports.account.rows({
    filtering_criteria: [{ condition_details: [{ field: 'SCORE', operation: 'less_than', value: [0] }] }],
    output: { fields: ['EMAIL', 'SCORE', 'MEMBER', 'SINCE', 'CODE'] },
  });
  expect(rows).toEqual([{ EMAIL: 'new-2@example.com', SCORE: -2, MEMBER: false, SINCE: '2021-02-28', CODE: '1' }]);
  const skipped = await imports.run('EMAIL,Whatever\nnew-3@example.com,x\n', { unknown_columns: 'skip' });
  expect(skipped).toMatchObject({ status: 'completed', counts: { created: 1, warnings: 0 } });
});
