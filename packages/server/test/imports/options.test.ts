import { describe, expect, test } from 'vitest';
import { startImportService } from './import-service.ts';
import { forFile } from '../support/for-file.ts';

const imports = await forFile(startImportService({ config: { importUnpackedMb: 50 } }));

const newAccount = () => imports.service.createAccount({ name: 'Options' });
const stored = (accountId: number) =>
  imports.service.context.db
    .selectFrom('contacts')
    .where('account_id', '=', accountId)
    .selectAll()
    .orderBy('contact_key')
    .execute();

describe('columns of an import', () => {
  test('a new attribute has the data type that the mapping says, also if unknown columns are refused', async () => {
    const account = await newAccount();
    const ended = await imports.run(
      'EMAIL,Postcode,Since\na@example.com,01067,31.01.2024\nb@example.com,1,yesterday\n',
      {
        columns: {
          Postcode: { field: 'POSTCODE', data_type: 'text' },
          Since: { field: 'SINCE', data_type: 'date', date_format: 'dmy' },
        },
      },
      account,
    );
    expect(ended.columns).toMatchObject([{}, { data_type: 'text', is_new: true }, { data_type: 'date', is_new: true }]);
    expect(ended.counts).toMatchObject({ created: 2, warnings: 1 });
    expect(await account.rows({ output: { fields: ['POSTCODE', 'SINCE'], sorting: [{ field: 'email' }] } })).toEqual([
      { POSTCODE: '01067', SINCE: '2024-01-31' },
      { POSTCODE: '1', SINCE: null },
    ]);
    expect(await imports.failures(ended.import_id, account)).toMatchObject([
      { IMPORT_LINE: '3', IMPORT_COLUMN: 'Since', IMPORT_CODE: 'date_format_mismatch' },
    ]);
  });

  test('a column with a number format has decimal commas or separated thousands, and other values are left out', async () => {
    const account = await newAccount();
    const columns = {
      Spent: { field: 'SPENT', data_type: 'number', number_format: 'comma' },
      Price: { field: 'PRICE', data_type: 'number', number_format: 'point' },
      Remark: { field: 'REMARK', data_type: 'text', number_format: 'comma' },
    };
    const file = [
      'EMAIL,Spent,Price,Remark',
      'a@example.com,"99,90","1,234.5","1,5"',
      'b@example.com,-1.234,0.5,',
      'c@example.com,99.90,"1,5",',
      'd@example.com,,,',
    ].join('\n');
    const ended = await imports.run(file, { columns }, account);
    expect(ended.counts).toMatchObject({ created: 4, warnings: 2 });
    const output = { fields: ['SPENT', 'PRICE', 'REMARK'], sorting: [{ field: 'email' }] };
    expect(await account.rows({ output })).toEqual([
      { SPENT: 99.9, PRICE: 1234.5, REMARK: '1,5' },
      { SPENT: -1234, PRICE: 0.5, REMARK: null },
      { SPENT: null, PRICE: null, REMARK: null },
      { SPENT: null, PRICE: null, REMARK: null },
    ]);
    expect(await imports.failures(ended.import_id, account)).toMatchObject([
      { IMPORT_LINE: '4', IMPORT_COLUMN: 'Spent', IMPORT_CODE: 'number_format_mismatch' },
      { IMPORT_LINE: '4', IMPORT_COLUMN: 'Price', IMPORT_CODE: 'number_format_mismatch' },
    ]);
    // The attribute exists now. A number of NDJSON is a number in any format.
    const objects = '{"EMAIL":"c@example.com","Spent":7.5}\n{"EMAIL":"d@example.com","Spent":"7,5"}';
    const again = await imports.run(objects, { columns: { Spent: columns.Spent } }, account);
    expect(again.counts).toMatchObject({ updated: 2, warnings: 0 });
    expect((await account.rows({ output })).slice(2)).toMatchObject([{ SPENT: 7.5 }, { SPENT: 7.5 }]);
  });

  test('columns with the same name are refused unless they are left out, alone or together', async () => {
    const account = await newAccount();
    const failureOf = async (header: string, columns: object) =>
      (await imports.run(`${header}\na@example.com,x,y\n`, { columns }, account)).failure;
    expect(await failureOf('EMAIL,CITY,CITY', {})).toEqual({
      code: 'columns_repeated',
      message:
        'Two columns have the same name: "CITY". Rename one in the file, or leave both out with null in "columns".',
    });
    expect((await failureOf('EMAIL,CITY,CITY', { CITY: 'STATE' }))?.code).toBe('columns_repeated');
    expect((await failureOf('EMAIL,CITY,City', {}))?.message).toContain('or leave one out');
    for (const [header, name, left] of [
      ['EMAIL,CITY,CITY', 'CITY', [null, null]],
      ['EMAIL,CITY,City', 'city', [null, null]],
      ['EMAIL,CITY,City', 'CITY', [null, 'CITY']],
    ] as const) {
      const ended = await imports.run(`${header}\na@example.com,x,y\n,,\n`, { columns: { [name]: null } }, account);
      expect(ended, header).toMatchObject({ status: 'completed', failure: null, counts: { total: 2, failed: 1 } });
      expect(ended.columns.slice(1).map(({ field }) => field)).toEqual(left);
      // The file of failures has both columns, and can be imported with the same mapping.
      const { body } = await account.operator('GET', `/imports/${ended.import_id}/failures`);
      const fixed = (body as string).replace(/\n([^\n]*),,,\s*$/, '\n$1,b@example.com,x,y\n');
      const again = await imports.run(fixed, { mapping_of: ended.import_id }, account);
      expect(again.counts, header).toMatchObject({ total: 1, failed: 0 });
    }
    expect(await account.rows({ output: { fields: ['EMAIL', 'CITY'], sorting: [{ field: 'email' }] } })).toEqual([
      { EMAIL: 'a@example.com', CITY: 'y' },
      { EMAIL: 'b@example.com', CITY: 'y' },
    ]);
  });

  test('an opt-out state that is not known fails the row, and no state opts a contact in again', async () => {
    const account = await newAccount();
    const states = ['unsubscribed', 'Subscribed', '', 'archived', 'CLEANED'];
    const file = ['EMAIL,State', ...states.map((state, at) => `${at}@example.com,${state}`)].join('\n');
    const columns = { State: 'EMAIL_OPTED_OUT' };
    const ended = await imports.run(file, { columns }, account);
    expect(ended.counts).toMatchObject({ created: 4, failed: 1 });
    expect(await imports.failures(ended.import_id, account)).toMatchObject([
      { IMPORT_LINE: '5', IMPORT_CODE: 'opt_out_unknown', IMPORT_COLUMN: 'State' },
    ]);
    await imports.run('EMAIL,State\n0@example.com,subscribed\n', { columns }, account);
    const values = { archived: 'nothing' };
    await imports.run(
      'EMAIL,State\n3@example.com,Archived\n5@example.com,?\n',
      { columns: { State: { field: 'SMS_OPTED_OUT', values, other_values: 'opt_out' } } },
      account,
    );
    expect(
      (await stored(account.accountId)).map(({ contact_key, email_opted_out, sms_opted_out }) => [
        contact_key,
        email_opted_out,
        sms_opted_out,
      ]),
    ).toEqual([
      ['0@example.com', true, false],
      ['1@example.com', false, false],
      ['2@example.com', false, false],
      ['3@example.com', false, false],
      ['4@example.com', true, false],
      ['5@example.com', false, true],
    ]);
  });

  test('a sign-up date is stored for new contacts only, and a date in the future fails the row', async () => {
    const account = await newAccount();
    const columns = { Joined: { field: 'CREATED_AT', date_format: 'mdy', time_zone: 'America/New_York' } };
    const first = await imports.run(
      'EMAIL,Joined\na@example.com,1/31/2024 2:05 PM\nb@example.com,\n',
      { columns },
      account,
    );
    expect(first.columns[1]).toMatchObject({ field: 'CREATED_AT' });
    const again = await imports.run(
      'EMAIL,Joined\na@example.com,2/1/2020\nc@example.com,1/1/2990\nd@example.com,31/1/2024\n',
      { columns },
      account,
    );
    expect(again.counts).toMatchObject({ unchanged: 1, failed: 2 });
    const rows = await stored(account.accountId);
    expect(rows[0]!.created_at.toISOString()).toBe('2024-01-31T19:05:00.000Z');
    expect(rows[1]!.created_at.getTime()).toBeGreaterThan(Date.parse('2024-02-01'));
  });

  test('an API key cannot set a sign-up date', async () => {
    const account = await newAccount();
    await account.createContacts([{ identity: 'a@example.com', created_at: '2001-01-01T00:00:00.000Z' }]);
    expect((await stored(account.accountId))[0]!.created_at.getFullYear()).toBeGreaterThan(2001);
  });

  test('names of lists in a column become lists, once each, and a dry run creates none', async () => {
    const account = await newAccount();
    await account.operator('POST', '/lists', { name: 'vip' });
    const file = 'EMAIL,Tags\na@example.com,"VIP; T\u200bea ; vip"\nb@example.com,"""Tea; green"";"\nc@example.com,\n';
    const columns = { Tags: { list_names: true, separator: ';' } };
    const lists = async () =>
      (await account.operator('GET', '/lists')).body.data.map(({ name }: { name: string }) => name);
    expect((await imports.run(file, { columns, dry_run: true }, account)).counts).toMatchObject({ created: 3 });
    expect(await lists()).toEqual(['vip']);
    await imports.run(file, { columns }, account);
    await imports.run(file, { columns }, account);
    expect(await lists()).toEqual(['vip', 'Tea', 'Tea; green']);
    expect((await stored(account.accountId)).map(({ list_ids }) => list_ids)).toEqual([[1, 2], [3], []]);
  });

  test('keys in JSON cells are treated like columns, and can be mapped', async () => {
    const account = await newAccount();
    const file =
      'EMAIL,extra\na@example.com,"{""city"":""Pune"",""email"":""x@example.com"",""n"":1}"\nb@example.com,[1]\n';
    const columns = { extra: { json: true }, 'extra.n': { field: 'NUMBER_OF_CATS', data_type: 'number' } };
    const refused = await imports.run(file, { columns: { extra: { json: true } } }, account);
    expect(refused.failure).toMatchObject({ code: 'columns_unknown' });
    const ended = await imports.run(file, { columns }, account);
    expect(ended.counts).toMatchObject({ created: 1, failed: 1 });
    expect(ended.columns.map(({ header, field }) => [header, field])).toEqual([
      ['EMAIL', 'EMAIL'],
      ['extra', null],
      ['extra.city', 'CITY'],
      ['extra.email', null],
      ['extra.n', 'NUMBER_OF_CATS'],
    ]);
    expect(await account.rows({ output: { fields: ['CITY', 'NUMBER_OF_CATS'] } })).toEqual([
      { CITY: 'Pune', NUMBER_OF_CATS: 1 },
    ]);
    const [failure] = await imports.failures(ended.import_id, account);
    expect(failure).toMatchObject({ IMPORT_CODE: 'row_json', EMAIL: 'b@example.com', extra: '[1]' });
  });

  test('all opt-outs of a row count, and nothing in a file opts a contact in again', async () => {
    const account = await newAccount();
    await account.createContacts([{ identity: 'a@example.com', subscriptions: { email: false } }]);
    const lines = [
      { email: 'a@example.com', subscriptions: { email: true, sms: 'true' } },
      { email: 'b@example.com', email_opted_out: true, subscriptions: { sms: false, email: true } },
      { email: 'c@example.com', contact_type: 'blacklisted', subscriptions: { email: true } },
      { email: 'd@example.com', subscriptions: { whatsapp: true } },
    ];
    const file = lines.map((line) => JSON.stringify(line)).join('\n');
    const fields = ['email_opted_out', 'sms_opted_out', 'whatsapp_opted_out'];
    const read = async () =>
      (await account.rows({ output: { fields, sorting: [{ field: 'email' }] } })).map((row) =>
        fields.filter((field) => row[field] === true).map((field) => field.replace('_opted_out', '')),
      );
    expect((await imports.run(file, {}, account)).counts).toMatchObject({ created: 3, unchanged: 1, failed: 0 });
    expect(await read()).toEqual([['email'], ['email', 'sms'], ['email'], []]);
    await imports.run(file, { opt_out: ['whatsapp'] }, account);
    expect(await read()).toEqual([
      ['email', 'whatsapp'],
      ['email', 'sms', 'whatsapp'],
      ['email', 'whatsapp'],
      ['whatsapp'],
    ]);
  });

  test('an update adds contacts to the lists that their cells name', async () => {
    const account = await newAccount();
    await imports.run('EMAIL\na@example.com\n', {}, account);
    const options = { mode: 'update', columns: { Tags: { list_names: true } } };
    const ended = await imports.run('EMAIL,Tags\na@example.com,VIP\n', options, account);
    expect(ended.counts).toMatchObject({ updated: 1, failed: 0 });
    expect((await stored(account.accountId)).map(({ list_ids }) => list_ids)).toEqual([[1]]);
  });

  test('a JSON cell with two names for one attribute fails, so that no value is lost', async () => {
    const account = await newAccount();
    const file =
      'EMAIL,extra\na@example.com,"{""city"":""Pune"",""City"":""Goa""}"\nb@example.com,"{""City"":""Ulm"",""x"":1,""X"":2}"\n';
    const ended = await imports.run(file, { columns: { extra: { json: true } }, unknown_columns: 'skip' }, account);
    expect(ended.counts).toMatchObject({ created: 1, failed: 1 });
    expect(await imports.failures(ended.import_id, account)).toMatchObject([
      { IMPORT_LINE: '2', IMPORT_COLUMN: 'extra.city', IMPORT_CODE: 'row_names_repeated' },
    ]);
    expect(await account.rows({ output: { fields: ['EMAIL', 'CITY'] } })).toEqual([
      { EMAIL: 'b@example.com', CITY: 'Ulm' },
    ]);
  });

  test('a number is the name of a list, and a name that cannot be a list causes a warning', async () => {
    const account = await newAccount();
    const lines = [
      { email: 'a@example.com', tags: [2024, 'VIP'] },
      { email: 'b@example.com', tags: 2024 },
      { email: 'c@example.com', tags: ['x'.repeat(256), true, 'VIP', null] },
      { email: 'd@example.com', tags: '😀'.repeat(255) },
    ];
    const file = lines.map((line) => JSON.stringify(line)).join('\n');
    const ended = await imports.run(file, { columns: { tags: { list_names: true } } }, account);
    expect(ended.counts).toMatchObject({ created: 4, failed: 0, warnings: 1 });
    expect((await stored(account.accountId)).map(({ list_ids }) => list_ids)).toEqual([[1, 2], [1], [2], [3]]);
    expect(await imports.failures(ended.import_id, account)).toMatchObject([
      { IMPORT_LINE: '3', IMPORT_COLUMN: 'tags', IMPORT_CODE: 'list_name_invalid' },
    ]);
  });

  test('integers above 2^53 keep all their digits in NDJSON, in JSON cells and in the file of failures', async () => {
    const account = await imports.service.createAccount({ name: 'Digits', primary_key: 'CUSTOMER_NO' });
    await account.v5('/client/attribute/create', { data: [{ name: 'CARD', data_type: 'text' }] });
    const lines = [
      '{"CUSTOMER_NO": 12345678901234567890, "CARD": 90071992547409931, "NEW": 5}',
      '{"CUSTOMER_NO": 2, "extra": {"card": 90071992547409933, "list": [90071992547409935]}, "NEW": 90071992547409937}',
      '{"CUSTOMER_NO": 3, "email": "nobody", "CARD": 90071992547409939}',
    ];
    const options = { columns: { extra: { json: true } }, unknown_columns: 'create' };
    const ended = await imports.run(lines.join('\n').replaceAll('card', 'number'), options, account);
    expect(ended.counts).toMatchObject({ created: 2, failed: 1, warnings: 0 });
    const fields = ['CUSTOMER_NO', 'CARD', 'NEW', 'NUMBER', 'LIST'];
    expect(await account.rows({ output: { fields, sorting: [{ field: 'CUSTOMER_NO' }] } })).toEqual([
      { CUSTOMER_NO: '12345678901234567890', CARD: '90071992547409931', NEW: '5', NUMBER: null, LIST: null },
      {
        CUSTOMER_NO: '2',
        CARD: null,
        NEW: '90071992547409937',
        NUMBER: '90071992547409933',
        LIST: '90071992547409935',
      },
    ]);
    expect(await imports.failures(ended.import_id, account)).toMatchObject([{ CARD: '90071992547409939' }]);
  });

  test('NDJSON can have names of lists, and objects in a field', async () => {
    const account = await newAccount();
    const ended = await imports.run(
      '{"email":"a@example.com","tags":["Tea","VIP, gold"],"extra":{"city":"Pune"}}\n{"email":"b@example.com","tags":"Tea"}\n',
      { columns: { tags: { list_names: true }, extra: { json: true } } },
      account,
    );
    expect(ended).toMatchObject({ status: 'completed', counts: { created: 2 } });
    expect((await stored(account.accountId)).map(({ list_ids }) => list_ids)).toEqual([[1, 2], [1]]);
    expect((await account.rows({ output: { fields: ['CITY'] } }))[0]).toEqual({ CITY: 'Pune' });
  });

  test.each([
    [{ field: 'CITY', datatype: 'text' }, 'unknown_field'],
    [{ field: 'CITY', data_type: 'colour' }, 'unknown_value'],
    [{ list_names: true, separator: '' }, 'required'],
    [{ list_names: false }, 'unknown_value'],
    [{}, 'required'],
    [7, 'invalid_type'],
    [{ field: 'CREATED_AT', time_zone: 'Berlin' }, 'invalid_format'],
    [{ field: 'EMAIL_OPTED_OUT', values: { no: 'opt_in' } }, 'unknown_value'],
  ])('the meaning %j of a column is refused', async (column, code) => {
    const answer = await imports.account.operator('POST', '/imports', { columns: { City: column } });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ code }]);
    expect(answer.body.errors[0].field).toMatch(/^columns\.City/);
  });
});

describe('a mapping', () => {
  test('can be copied from an earlier import, whose answer has all options', async () => {
    const account = await newAccount();
    await account.operator('POST', '/lists', { name: 'Members' });
    const body = {
      mode: 'create',
      blank_cells: 'clear',
      audience_ids: [1],
      unknown_columns: 'create',
      columns: { Address: 'EMAIL', Since: { field: 'SINCE', data_type: 'date', date_format: 'dmy' } },
      opt_out: ['sms'],
      preset: 'spreadsheet',
    };
    const first = await imports.run('Address;Since\nno address;31.01.2024\n', { ...body, delimiter: ';' }, account);
    expect(first).toMatchObject({ ...body, columns: expect.any(Array), given_columns: body.columns });
    const failures = await account.operator('GET', `/imports/${first.import_id}/failures`);
    const mended = String(failures.body).replace('no address', 'a@example.com');
    const second = await imports.run(mended, { mapping_of: first.import_id, blank_cells: 'leave' }, account);
    expect(second).toMatchObject({
      ...body,
      columns: expect.any(Array),
      given_columns: body.columns,
      blank_cells: 'leave',
      delimiter: ',',
      counts: { created: 1, failed: 0 },
    });
    expect((await stored(account.accountId))[0]).toMatchObject({ list_ids: [1], sms_opted_out: true });
  });

  test('of another account is not found', async () => {
    const [account, other] = [await newAccount(), await newAccount()];
    const { import_id } = await imports.create({}, other);
    for (const mapping_of of [import_id, 'not-an-id', '019a9d3e-7c1b-7f3a-9b52-2f3c8b1d0a11']) {
      const answer = await account.operator('POST', '/imports', { mapping_of });
      expect(answer.body.errors).toMatchObject([{ code: 'not_found', field: 'mapping_of' }]);
    }
  });
});

describe('the failed rows', () => {
  test('are listed page by page, with all cells as they were', async () => {
    const account = await newAccount();
    const long = 'x'.repeat(10_000);
    const rows = Array.from(
      { length: 120 },
      (_, at) => `bad ${at},"=1+${at}, ""é""",${at === 5 ? long : at === 6 ? '' : '""'}`,
    );
    const file = ['EMAIL,CITY,STATE', ...rows, 'a@example.com', 'ok@example.com,Goa,x'].join('\r\n');
    const { import_id: id } = await imports.run(file, {}, account);
    const found = [];
    let cursor: string | null = null;
    do {
      const next: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { body } = await account.operator('GET', `/imports/${id}/failures/rows?limit=50${next}`);
      expect(body.data.length).toBeLessThanOrEqual(50);
      found.push(...body.data);
      cursor = body.next_cursor;
    } while (cursor !== null);
    expect(found.map(({ line }) => line)).toEqual(Array.from({ length: 121 }, (_, at) => at + 2));
    expect(found[5]).toMatchObject({
      column: 'EMAIL',
      code: 'identity_invalid',
      values: { EMAIL: 'bad 5', CITY: '=1+5, "é"', STATE: long },
      text: null,
    });
    expect(found[0].values).toEqual({ EMAIL: 'bad 0', CITY: '=1+0, "é"', STATE: '' });
    // An empty cell is not an empty text, also in the file that is imported again.
    expect(found[6].values.STATE).toBeNull();
    expect(found[120]).toMatchObject({ column: null, code: 'row_cells', values: {}, text: 'a@example.com' });
  });

  test('are listed in several answers if they are very large', async () => {
    const account = await newAccount();
    const large = 'y'.repeat(700_000);
    const file = ['EMAIL,CITY', ...Array.from({ length: 4 }, (_, at) => `bad ${at},${large}`)].join('\n');
    const { import_id: id } = await imports.run(file, {}, account);
    const first = await account.operator('GET', `/imports/${id}/failures/rows`);
    expect(first.body.data).toHaveLength(2);
    const second = await account.operator('GET', `/imports/${id}/failures/rows?cursor=${first.body.next_cursor}`);
    expect(second.body.data.map(({ line }: { line: number }) => line)).toEqual([4, 5]);
    expect(second.body.next_cursor).toBeNull();
  });

  test('are an empty list without failures, and a conflict before the end', async () => {
    const account = await newAccount();
    const { import_id } = await imports.run('EMAIL\na@example.com\n', {}, account);
    const none = await account.operator('GET', `/imports/${import_id}/failures/rows`);
    expect(none.body).toEqual({ data: [], next_cursor: null });
    const waiting = await imports.create({}, account);
    expect((await account.operator('GET', `/imports/${waiting.import_id}/failures/rows`)).status).toBe(409);
    const other = await newAccount();
    expect((await other.operator('GET', `/imports/${import_id}/failures/rows`)).status).toBe(404);
    const wrong = await account.operator('GET', `/imports/${import_id}/failures/rows?cursor=abc`);
    expect(wrong.status).toBe(400);
  });
});
