import { gunzipSync } from 'node:zlib';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { listExport, startExportService } from './export-service.ts';
import { forFile } from '../support/for-file.ts';

const specialTexts = {
  quotes: 'say "hi", twice: ""',
  breaks: 'one\r\ntwo\nthree\rfour',
  formula: '=HYPERLINK("http://example.com")',
  emoji: '😀 Ünïcödé',
};

const exports = await forFile(startExportService());
const { account, service } = exports;
await account.createContacts([
  {
    identity: 'a@example.com',
    mobile: '919812345678',
    attributes: {
      FIRST_NAME: specialTexts.quotes,
      LAST_NAME: specialTexts.breaks,
      CITY: specialTexts.formula,
      STATE: specialTexts.emoji,
    },
    audience_details: [{ audience_id: 1 }],
  },
  { identity: 'b@example.com', attributes: { CITY: '' }, audience_details: [{ audience_id: 1 }] },
  { identity: 'c@example.com', attributes: { CITY: 'Pune' } },
]);
await service.settled();

test('another parser reads every cell as it was stored, and rows are ordered by contact_id', async () => {
  const names = ['contact_id', 'email', 'Mobile', 'FIRST_NAME', 'last_name', 'City', 'STATE'];
  const requestId = await exports.accepted(listExport(1, { attributes_needed: names }));
  expect(await exports.rows(requestId)).toEqual([
    names,
    [
      '1',
      'a@example.com',
      '919812345678',
      specialTexts.quotes,
      specialTexts.breaks,
      specialTexts.formula,
      specialTexts.emoji,
    ],
    ['2', 'b@example.com', '', '', '', '', ''],
  ]);
});

test('rows end with CRLF, absent values are empty, and empty texts are quoted', async () => {
  const requestId = await exports.accepted(listExport(1, { attributes_needed: ['EMAIL', 'STATE', 'CITY'] }));
  const { file_url, rows_written, rows_total, file_size } = await exports.ended(requestId);
  const { body, headers, status } = await exports.download(file_url!);
  expect(status).toBe(200);
  expect(body.toString()).toBe(
    `EMAIL,STATE,CITY\r\na@example.com,${specialTexts.emoji},"${specialTexts.formula.replaceAll('"', '""')}"\r\nb@example.com,,""\r\n`,
  );
  expect({ rows_written, rows_total, file_size }).toEqual({ rows_written: 2, rows_total: 2, file_size: body.length });
  expect(headers['content-type']).toBe('text/csv; charset=utf-8');
});

test('a row with one absent value is not an empty line, which readers would skip', async () => {
  const requestId = await exports.accepted(listExport(1, { attributes_needed: ['MOBILE'] }));
  const { body } = await exports.download((await exports.ended(requestId)).file_url!);
  expect(body.toString()).toBe('MOBILE\r\n919812345678\r\n""\r\n');
  expect(parse(body, { record_delimiter: '\r\n', skip_empty_lines: true })).toHaveLength(3);
});

test('the default columns are the primary key, EMAIL and MOBILE, each once', async () => {
  expect((await exports.rows(await exports.accepted(listExport(1))))[0]).toEqual(['EMAIL', 'MOBILE']);
});

test('a repeated name is exported once, in its first place', async () => {
  const requestId = await exports.accepted(listExport(1, { attributes_needed: ['City', 'EMAIL', 'CITY', 'email'] }));
  expect((await exports.rows(requestId))[0]).toEqual(['City', 'EMAIL']);
});

test('an empty audience is a file with only the header', async () => {
  const list = await exports.account.createList('Nobody');
  const requestId = await exports.accepted(listExport(list, { attributes_needed: ['EMAIL'] }));
  const { file_url } = await exports.ended(requestId);
  expect((await exports.download(file_url!)).body.toString()).toBe('EMAIL\r\n');
});

test('a segment is evaluated when the export runs', async () => {
  const filtering_criteria = [{ condition_details: [{ field: 'CITY', operation: 'equals', value: 'Pune' }] }];
  const segment = await exports.account.operator('POST', '/segments', { name: 'Pune', filtering_criteria });
  const body = listExport(segment.body.audience_id, { audience_type: 'SEGMENT', attributes_needed: ['EMAIL'] });
  expect(await exports.rows(await exports.accepted(body))).toEqual([['EMAIL'], ['c@example.com']]);
});

test('an export with a blocklist has no contacts that opted out of its channel or that an operator has blocked', async () => {
  const list = await exports.account.createList('Opted out');
  const people: Record<string, object> = {
    keen: {},
    no_email: { email: false },
    no_sms: { sms: false },
    no_whatsapp: { whatsapp: false },
    blocked: {},
  };
  await exports.account.createContacts(
    Object.entries(people).map(([name, subscriptions]) => ({
      identity: `${name}@example.com`,
      audience_details: [{ audience_id: list }],
      subscriptions,
    })),
  );
  const [blocked] = await exports.account.rows({
    filtering_criteria: [
      { condition_details: [{ field: 'email', operation: 'equals', value: 'blocked@example.com' }] },
    ],
    output: { fields: ['contact_id'] },
  });
  const block = await exports.account.operator('POST', `/contacts/${String(blocked!['contact_id'])}/block`);
  expect(block.body.contact_type).toBe('blacklisted');
  const exported = async (details: object) => {
    const requestId = await exports.accepted(listExport(list, { attributes_needed: ['EMAIL'], ...details }));
    return (await exports.rows(requestId)).slice(1).map(([email]) => email!.replace('@example.com', ''));
  };
  expect(await exported({})).toEqual(Object.keys(people));
  expect(await exported({ blocklist_type: 'email' })).toEqual(['keen', 'no_sms', 'no_whatsapp']);
  expect(await exported({ blocklist_type: 'phone' })).toEqual(['keen', 'no_email']);
});

test('an export can have a hundred attributes', async () => {
  const names = Array.from({ length: 95 }, (_, index) => `WIDE_${index}`);
  await exports.account.operator('PATCH', '', { settings: { auto_create_attributes: true } });
  await exports.account.createContacts([
    { identity: 'wide@example.com', attributes: Object.fromEntries(names.map((name) => [name, name])) },
  ]);
  const filtering_criteria = [{ condition_details: [{ field: 'WIDE_0', operation: 'is_not_null' }] }];
  const segment = await exports.account.operator('POST', '/segments', { name: 'Wide', filtering_criteria });
  const columns = ['EMAIL', 'CITY', 'contact_id', 'created_at', 'STATE', ...names];
  const body = listExport(segment.body.audience_id, { audience_type: 'segment', attributes_needed: columns });
  const rows = await exports.rows(await exports.accepted(body));
  expect(rows[0]).toEqual(columns);
  expect(rows[1]!.slice(5)).toEqual(names);
  expect(rows).toHaveLength(2);
});

test('a gzip file has the same content as the plain one', async () => {
  const plain = await exports.ended(await exports.accepted(listExport(1)));
  const packed = await exports.ended(await exports.accepted(listExport(1, {}, { compression: 'GZIP' })));
  expect(packed).toMatchObject({ file_type: 'csv', compression: 'gzip', rows_written: 2 });
  const { body, headers } = await exports.download(packed.file_url!);
  expect(body.length).toBe(packed.file_size);
  expect(gunzipSync(body)).toEqual((await exports.download(plain.file_url!)).body);
  expect(headers).toMatchObject({ 'content-type': 'application/gzip' });
  expect(headers['content-disposition']).toMatch(/^attachment; filename="list-1-\d{4}-\d\d-\d\d\.csv\.gz"$/);
  expect(headers).not.toHaveProperty('content-encoding');
});

test('the formula guard is a setting of the account, off by default', async () => {
  const body = listExport(1, { attributes_needed: ['CITY', 'contact_id'] });
  const plain = await exports.rows(await exports.accepted(body));
  expect(plain.slice(0, 2)).toEqual([
    ['CITY', 'contact_id'],
    [specialTexts.formula, '1'],
  ]);
  await exports.account.operator('PATCH', '', { settings: { csv_formula_guard: true } });
  const guarded = await exports.rows(await exports.accepted(body));
  expect(guarded.slice(0, 2)).toEqual([
    ['CITY', 'contact_id', 'roster:formula_guard'],
    [`'${specialTexts.formula}`, '1', '1'],
  ]);
  await exports.account.operator('PATCH', '', { settings: { csv_formula_guard: null } });
});

test('the directory of exports contains only their files', async () => {
  const files = await readdir(path.join(exports.directory, '1'));
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) expect(file).toMatch(/^[0-9a-f-]{36}-1\.csv(\.gz)?$/);
});
