import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forFile } from '../support/for-file.ts';
import type { TestAccount } from '../support/service.ts';
import { readTestSeed } from '../support/seed.ts';
import { startImportService } from './import-service.ts';

const imports = await forFile(startImportService());
let source = imports.account;

const attributes = [
  { name: 'POINTS', data_type: 'number' },
  { name: 'MEMBER', data_type: 'boolean' },
  { name: 'SEEN_AT', data_type: 'datetime' },
  { name: 'TOWN', data_type: 'text', mapping: 'CITY' },
];
const columns =
  'CONTACT_ID CONTACT_TYPE IDENTITY EMAIL MOBILE CREATED_AT UPDATED_AT EMAIL_OPTED_OUT SMS_OPTED_OUT FIRST_NAME LAST_NAME CITY BIRTH_DATE POINTS MEMBER SEEN_AT'.split(
    ' ',
  );
/** The columns whose values are the same after an import into another account. */
const compared = columns.filter((name) => !['CONTACT_ID', 'CREATED_AT', 'UPDATED_AT'].includes(name));

async function exportOf(account: TestAccount, audienceId: number, names = columns): Promise<string> {
  const answer = await imports.service.call('POST', '/v4/audience/export', {
    body: {
      audience_details: { audience_type: 'list', audience_id: audienceId, attributes_needed: names },
      callback_details: {},
    },
    headers: { 'api-key': account.apiKey },
  });
  for (;;) {
    const found = (await account.operator('GET', `/exports/${answer.body.data.request_id}`)).body;
    if (found.file_url !== null) {
      const { pathname, search } = new URL(found.file_url);
      return (await imports.service.call('GET', pathname + search)).body;
    }
    if (found.finished_at !== null) throw new Error(JSON.stringify(found));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function allContacts(account: TestAccount): Promise<Record<string, unknown>[]> {
  return account.rows({
    output: { fields: compared, sorting: [{ field: 'mobile' }], pagination: { limit: 100 } },
  });
}

test.each([
  [false, false],
  [false, true],
  [true, false],
  [true, true],
])(
  'an exported file (formula guard: %s) can be imported unchanged into another account (formula guard: %s), and gives the same contacts',
  async (guard, targetGuard) => {
    source = await imports.service.createAccount({ name: 'Source' });
    const target = await imports.service.createAccount({ name: 'Target' });
    for (const account of [source, target]) {
      await account.v5('/client/attribute/create', { data: attributes });
      await account.operator('POST', '/lists', { name: 'All' });
    }
    await source.operator('PATCH', '', { settings: { csv_formula_guard: guard } });
    await target.operator('PATCH', '', { settings: { csv_formula_guard: targetGuard } });
    await imports.service.settled();
    const audience_details = [{ audience_id: 1 }];
    await source.createContacts([
      {
        identity: 'Asha@example.com',
        mobile: '919812345671',
        audience_details,
        attributes: {
          FIRST_NAME: '=HYPERLINK("x")',
          LAST_NAME: "''=1",
          CITY: 'Pune, "old"\nTown',
          BIRTH_DATE: '1990-01-31',
          POINTS: -1.5,
          MEMBER: true,
        },
      },
      {
        identity: 'ravi@example.com',
        mobile: '919812345672',
        audience_details,
        attributes: {
          FIRST_NAME: "'quoted'",
          LAST_NAME: "'+91",
          CITY: '+91',
          SEEN_AT: '2026-01-31T09:00:00Z',
          POINTS: 1e300,
        },
        subscriptions: { email: false },
      },
      { identity: 'meera@example.com', mobile: '919812345673', audience_details, subscriptions: { sms: false } },
    ]);
    await source.apply('/contact/create', {
      data: {
        contact_type: 'anonymous',
        contacts: [{ email: 'nobody@example.com', mobile: '919812345674', audience_details }],
      },
    });
    const file = await exportOf(source, 1);
    const ended = await imports.run(file, { audience_ids: [1] }, target);
    expect(ended).toMatchObject({ status: 'completed', counts: { total: 4, created: 4, failed: 0, warnings: 0 } });
    expect(ended.columns.filter(({ field }) => field === null).map(({ header }) => header)).toEqual([
      'CONTACT_ID',
      'CREATED_AT',
      'UPDATED_AT',
      ...(guard ? ['roster:formula_guard'] : []),
    ]);
    expect(await allContacts(target)).toEqual(await allContacts(source));
    const again = await imports.run(await exportOf(target, 1), { mode: 'update' }, target);
    expect(again.counts).toMatchObject({ total: 4, unchanged: 4, failed: 0 });
  },
);

const anyText = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      null,
      '',
      ' ',
      "'",
      "'=1",
      "''=1",
      '=1',
      '\r\n',
      '"',
      '""',
      '\ufeff',
      '\\.',
      '\\N',
      'NULL',
    ),
  },
  {
    weight: 4,
    arbitrary: fc.string({
      unit: fc.constantFrom("'", '"', ',', ';', '\n', '\r', '\t', ' ', '=', '＝', '@', 'a', 'é', '😀'),
      maxLength: 8,
    }),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => !text.includes('\0')) },
);

test.each([false, true])(
  'an export and an import (formula guard: %s) keep every text, the empty text and null unchanged, and the file follows RFC 4180',
  async (guard) => {
    const from = await imports.service.createAccount({ name: 'Texts' });
    const to = await imports.service.createAccount({ name: 'Copies' });
    for (const account of [from, to]) await account.operator('POST', '/lists', { name: 'All' });
    await from.operator('PATCH', '', { settings: { csv_formula_guard: guard } });
    const row = fc.record({ FIRST_NAME: anyText, LAST_NAME: anyText, CITY: anyText });
    const [given] = fc.sample(fc.array(row, { minLength: 400, maxLength: 400 }), { numRuns: 1, seed: readTestSeed() });
    const identity = (index: number): string => `${String(index).padStart(4, '0')}@example.com`;
    const contacts = given!.map((attributes, index) => ({
      identity: identity(index),
      attributes,
      audience_details: [{ audience_id: 1 }],
    }));
    await from.createContacts(contacts);
    const names = ['EMAIL', 'FIRST_NAME', 'LAST_NAME', 'CITY'];
    const file = await exportOf(from, 1, names);

    const cells = parse(file, {
      record_delimiter: '\r\n',
      cast: (value, { quoting }) => (value === '' && !quoting ? null : value),
    }) as (string | null)[][];
    expect(cells[0]).toEqual(guard ? [...names, 'roster:formula_guard'] : names);
    if (!guard) {
      const expected = given!.map((one, index) => [identity(index), one.FIRST_NAME, one.LAST_NAME, one.CITY]);
      expect(cells.slice(1)).toEqual(expected);
    }
    const ended = await imports.run(file, { audience_ids: [1] }, to);
    expect(ended.counts).toMatchObject({ total: 400, created: 400, warnings: 0 });
    const output = { fields: names, sorting: [{ field: 'email' }], pagination: { limit: 1000 } };
    expect(await to.rows({ output })).toEqual(await from.rows({ output }));
    expect(await exportOf(to, 1, names)).toEqual(guard ? expect.any(String) : file);
  },
);

test.each<[{ formula_guard?: string }, string]>([
  [{}, "'=1"],
  [{ formula_guard: 'auto' }, "'=1"],
  [{ formula_guard: 'keep' }, "'=1"],
  [{ formula_guard: 'remove' }, '=1'],
])('an import with %j of a file without the formula guard column reads "\'=1" as %j', async (options, city) => {
  const target = await imports.service.createAccount({ name: 'Unmarked' });
  const ended = await imports.run("EMAIL,CITY\na@example.com,'=1\n", options, target);
  expect(ended).toMatchObject({ status: 'completed', formula_guard: options.formula_guard ?? 'auto' });
  expect(await target.rows({ output: { fields: ['CITY'] } })).toEqual([{ CITY: city }]);
});

test.each([
  [{}, '=1'],
  [{ formula_guard: 'keep' }, "'=1"],
])('an import with %j of a file with the formula guard column reads "\'=1" as %j', async (options, city) => {
  const target = await imports.service.createAccount({ name: 'Marked' });
  const ended = await imports.run("\ufeffROSTER:Formula_Guard ;EMAIL;CITY\n1;a@example.com;'=1\n", options, target);
  expect(ended).toMatchObject({ status: 'completed', counts: { created: 1, warnings: 0 } });
  expect(ended.columns[0]).toMatchObject({ field: null, note: expect.stringContaining('formula guard') });
  expect(await target.rows({ output: { fields: ['CITY'] } })).toEqual([{ CITY: city }]);
});

test('a quoted empty cell sets a text attribute to the empty text, and a blank cell leaves or clears the value', async () => {
  const target = await imports.service.createAccount({ name: 'Empty' });
  await target.createAttributes(attributes);
  const before = 'EMAIL,CITY,POINTS\na@example.com,Pune,5\nb@example.com,Pune,5\nc@example.com,Pune,5\n';
  await imports.run(before, {}, target);
  const file = 'EMAIL,CITY,POINTS\na@example.com,"",""\nb@example.com,,\nc@example.com, , \n';
  const read = () => target.rows({ output: { fields: ['CITY', 'POINTS'], sorting: [{ field: 'email' }] } });
  expect((await imports.run(file, {}, target)).counts).toMatchObject({ failed: 0, warnings: 0 });
  expect(await read()).toEqual([
    { CITY: '', POINTS: 5 },
    { CITY: 'Pune', POINTS: 5 },
    { CITY: ' ', POINTS: 5 },
  ]);
  expect((await imports.run(file, { blank_cells: 'clear' }, target)).counts).toMatchObject({ failed: 0, warnings: 0 });
  expect(await read()).toEqual([
    { CITY: '', POINTS: null },
    { CITY: null, POINTS: null },
    { CITY: ' ', POINTS: null },
  ]);
  // If a program quotes all cells, quotes do not mean an empty text.
  await imports.run('"EMAIL","CITY"\n"a@example.com","Goa"\n"b@example.com","Goa"\n', {}, target);
  await imports.run('"EMAIL","CITY"\n"a@example.com",""\n', {}, target);
  expect((await read()).map(({ CITY }) => CITY)).toEqual(['Goa', 'Goa', ' ']);
});

test('an import does not make contacts reachable that are unconfirmed, blacklisted or opted out', async () => {
  const target = await imports.service.createAccount({ name: 'Careful' });
  const file = [
    'EMAIL,CONTACT_TYPE,EMAIL_OPTED_OUT',
    'new@example.com,unconfirmed,false',
    'blocked@example.com,blacklisted,false',
    'known@example.com,confirmed,false',
  ].join('\r\n');
  await target.createContacts([{ identity: 'known@example.com', subscriptions: { email: false } }]);
  const ended = await imports.run(file, {}, target);
  expect(ended.counts).toMatchObject({ total: 3, created: 1, unchanged: 1, failed: 1 });
  expect(await imports.failures(ended.import_id, target)).toMatchObject([{ IMPORT_CODE: 'contact_unconfirmed' }]);
  const rows = await target.rows({ output: { fields: ['EMAIL', 'contact_type'], sorting: [{ field: 'email' }] } });
  expect(rows).toEqual([
    { EMAIL: 'blocked@example.com', contact_type: 'blacklisted' },
    { EMAIL: 'known@example.com', contact_type: 'blacklisted' },
  ]);
});

test('masked values in an imported file do not replace the stored values', async () => {
  const target = await imports.service.createAccount({ name: 'Masked' });
  await target.v5('/client/attribute/create', {
    data: [{ name: 'TAX_ID', data_type: 'text', data_masking: 'partial' }],
  });
  await target.createContacts([{ identity: 'a@example.com', attributes: { TAX_ID: 'ABCDE1234F' } }]);
  const ended = await imports.run('EMAIL,TAX_ID\na@example.com,******234F\nb@example.com,XYZ\n', {}, target);
  expect(ended.counts).toMatchObject({ total: 2, created: 1, unchanged: 1, warnings: 1 });
  expect(await imports.failures(ended.import_id, target)).toMatchObject([
    { IMPORT_CODE: 'value_masked', IMPORT_COLUMN: 'TAX_ID' },
  ]);
});

test('a file of failures can be imported after its rows are fixed', async () => {
  const target = await imports.service.createAccount({ name: 'Fixed' });
  await target.operator('PATCH', '', { settings: { csv_formula_guard: true } });
  const ended = await imports.run("EMAIL,CITY,STATE,LAST_NAME,FIRST_NAME\nnobody,=1,\"a\nb\",'=1,''=1\n", {}, target);
  expect((await imports.failures(ended.import_id, target))[0]).toMatchObject({
    'roster:formula_guard': '1',
    CITY: "'=1",
    LAST_NAME: "''=1",
    FIRST_NAME: "'''=1",
  });
  const file = (await target.operator('GET', `/imports/${ended.import_id}/failures`)).body as string;
  const fixed = await imports.run(file.replace('nobody', 'asha@example.com'), {}, target);
  expect(fixed.counts).toMatchObject({ total: 1, created: 1 });
  expect(await target.rows({ output: { fields: ['EMAIL', 'CITY', 'STATE', 'LAST_NAME', 'FIRST_NAME'] } })).toEqual([
    { EMAIL: 'asha@example.com', CITY: '=1', STATE: 'a\nb', LAST_NAME: "'=1", FIRST_NAME: "''=1" },
  ]);
});

test('a file of failures that fails again gives another file of failures, which can be fixed', async () => {
  const target = await imports.service.createAccount({ name: 'Twice' });
  const first = await imports.run('EMAIL,CITY\nnobody,Pune\nnobody else,Goa\nshort\n', {}, target);
  const failuresOf = async (importId: string): Promise<string> =>
    (await target.operator('GET', `/imports/${importId}/failures`)).body;
  const second = await imports.run(
    (await failuresOf(first.import_id)).replace('nobody,', 'asha@example.com,'),
    {},
    target,
  );
  expect(second.counts).toMatchObject({ total: 3, created: 1, failed: 2 });
  const left = await failuresOf(second.import_id);
  expect(left.split('\r\n', 1)).toEqual(['IMPORT_LINE,IMPORT_COLUMN,IMPORT_CODE,IMPORT_REASON,EMAIL,CITY']);
  expect(await imports.failures(second.import_id, target)).toMatchObject([
    { IMPORT_LINE: '3', IMPORT_CODE: 'identity_invalid', EMAIL: 'nobody else', CITY: 'Goa' },
    { IMPORT_LINE: '4', IMPORT_CODE: 'row_cells', EMAIL: 'short' },
  ]);
  const third = await imports.run(
    left.replace('nobody else', 'ravi@example.com').replace(',short', ',lena@example.com,Bonn'),
    {},
    target,
  );
  expect(third.counts).toMatchObject({ total: 2, created: 2, failed: 0 });
});

test('the file of failures keeps lists and subscriptions of NDJSON rows', async () => {
  const target = await imports.service.createAccount({ name: 'Members' });
  await target.operator('POST', '/lists', { name: 'All' });
  const contact = { EMAIL: 'nobody', audience_details: [{ audience_id: [1] }], subscriptions: { sms: false } };
  const ended = await imports.run(JSON.stringify(contact), {}, target);
  const file = (await target.operator('GET', `/imports/${ended.import_id}/failures`)).body as string;
  const fixed = await imports.run(file.replace('nobody', 'asha@example.com'), {}, target);
  expect(fixed.counts).toMatchObject({ total: 1, created: 1, warnings: 0 });
  expect(await target.rows({ output: { fields: ['EMAIL', 'list_id', 'sms_opted_out'] } })).toEqual([
    { EMAIL: 'asha@example.com', list_id: [1], sms_opted_out: true },
  ]);
});

test.each([true, false])(
  'the file of failures keeps the values of NDJSON rows unchanged (formula guard: %s)',
  async (guard) => {
    const target = await imports.service.createAccount({ name: 'Lines' });
    await target.operator('PATCH', '', { settings: { csv_formula_guard: guard } });
    const values = { FIRST_NAME: "'=1", LAST_NAME: '', CITY: "''", STATE: "'+\n", COUNTRY: '=1' };
    const ended = await imports.run(JSON.stringify({ EMAIL: 'nobody', ...values }), {}, target);
    expect(ended.counts).toMatchObject({ total: 1, failed: 1 });
    const file = (await target.operator('GET', `/imports/${ended.import_id}/failures`)).body as string;
    const fixed = await imports.run(file.replace('nobody', 'asha@example.com'), {}, target);
    expect(fixed.counts).toMatchObject({ total: 1, created: 1 });
    expect(await target.rows({ output: { fields: Object.keys(values) } })).toEqual([values]);
  },
);
