import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { startImportService } from './import-service.ts';
import { forFile } from '../support/for-file.ts';

const imports = await forFile(startImportService());

async function cityOf(email: string): Promise<unknown> {
  const rows = await imports.account.rows({
    filtering_criteria: [{ condition_details: [{ field: 'email', operation: 'equals', value: [email] }] }],
    output: { fields: ['CITY'] },
  });
  return rows[0]?.['CITY'];
}

const text = 'EMAIL\tCITY\nEMAIL_HERE\tZürich €\n';
const of = (email: string) => text.replace('EMAIL_HERE', email);
const utf16be = (content: string) => Buffer.from(content, 'utf16le').swap16();
const windows1252 = (content: string) => Buffer.from(content.replace('€', '\u0080'), 'latin1');

test.each<[string, Buffer, object, object]>([
  [
    'UTF-8 with a byte order mark',
    Buffer.from(`\ufeff${of('bom@example.com')}`),
    {},
    { encoding: 'utf-8', delimiter: 'tab' },
  ],
  ['UTF-16, little-endian', Buffer.from(`\ufeff${of('le@example.com')}`, 'utf16le'), {}, { encoding: 'utf-16le' }],
  ['UTF-16, big-endian', utf16be(`\ufeff${of('be@example.com')}`), {}, { encoding: 'utf-16be' }],
  [
    'UTF-16 without a byte order mark, if the import names the encoding,',
    Buffer.from(of('plain@example.com'), 'utf16le'),
    { encoding: 'utf-16le' },
    {},
  ],
  [
    'Windows-1252, if the import names the encoding,',
    windows1252(of('win@example.com')),
    { encoding: 'windows-1252' },
    {},
  ],
  ['compressed UTF-16', gzipSync(Buffer.from(`\ufeff${of('gz@example.com')}`, 'utf16le')), {}, { compression: 'gzip' }],
])('a file in %s is imported', async (_name, file, body, expected) => {
  const ended = await imports.run(file, body);
  expect(ended).toMatchObject({ status: 'completed', counts: { total: 1, failed: 0 }, ...expected });
  const email = ['bom', 'le', 'be', 'plain', 'win', 'gz'].map((name) => `${name}@example.com`);
  const cities = await Promise.all(email.map(cityOf));
  expect(cities.filter((city) => city !== undefined && city !== 'Zürich €')).toEqual([]);
  expect(cities).toContain('Zürich €');
});

const zip = Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(100)]);
test.each<[string, string | Buffer, object, string]>([
  ['Windows-1252, if the import does not name the encoding', windows1252(of('a@example.com')), {}, 'encoding_unknown'],
  ['UTF-16 without a byte order mark', Buffer.from(of('a@example.com'), 'utf16le'), {}, 'encoding_unknown'],
  [
    'a byte order mark of another encoding',
    Buffer.from(`\ufeff${of('a@b.co')}`, 'utf16le'),
    { encoding: 'utf-8' },
    'encoding_unknown',
  ],
  ['a spreadsheet', zip, {}, 'file_not_text'],
  ['text that is compressed twice', gzipSync(gzipSync(of('a@example.com'))), {}, 'file_not_text'],
  ['invalid gzip data', Buffer.from([0x1f, 0x8b, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), {}, 'file_damaged'],
  ['only blank lines', '\n\n', {}, 'file_empty'],
  ['a JSON array', '[{"EMAIL":"a@example.com"}]', {}, 'format_unsupported'],
  ['a first row with broken quotes', 'EMAIL,"CITY\na@example.com,x\n', {}, 'header_invalid'],
  ['a repeated column', 'EMAIL,CITY,City\na@example.com,x,y\n', {}, 'columns_repeated'],
  ['no column for the identity', 'CITY\nPune\n', {}, 'identity_column_missing'],
  [
    'a column mapping of a column that does not exist',
    'EMAIL\na@example.com\n',
    { columns: { Ort: 'CITY' } },
    'columns_not_found',
  ],
  [
    'a mapping to an attribute that does not exist',
    'EMAIL,Ort\na@example.com,x\n',
    { columns: { Ort: 'NOWHERE' } },
    'columns_not_found',
  ],
  ['a column without a name', 'EMAIL,\na@example.com,x\n', {}, 'columns_unknown'],
  [
    'a new column whose name is not valid for an attribute',
    'EMAIL,7th\na@example.com,x\n',
    { unknown_columns: 'create' },
    'attribute_not_created',
  ],
])('an import fails at once for this file: %s', async (_name, file, body, code) => {
  const { import_id } = await imports.create(body);
  const answer = await imports.send(import_id, file);
  expect(answer.body).toMatchObject({ status: 'failed', failure: { code }, counts: { total: 0 } });
  expect(await imports.files()).toEqual([]);
});

test('a damaged line in a UTF-8 file is named, also if the other lines have letters in UTF-8', async () => {
  const file = Buffer.concat([Buffer.from('EMAIL,CITY\na@example.com,Köln\nb@example.com,K'), Buffer.from([0xf6, 10])]);
  const ended = await imports.send((await imports.create()).import_id, file);
  expect(ended.body.failure).toEqual({
    code: 'encoding_unknown',
    message:
      'Line 3 of the file is not valid UTF-8. Save the file as UTF-8, or name its encoding in "encoding", such as windows-1252.',
  });
});

test('an import fails before it writes anything when a later part of its file is damaged', async () => {
  const lines = Array.from({ length: 40_000 }, (_, n) => `late-${n}@example.com,Pune\n`).join('');
  const late = await imports.run(
    Buffer.concat([Buffer.from(`EMAIL,CITY\n${lines}`), Buffer.from('late@example.com,Z\xfcrich\n', 'latin1')]),
  );
  expect(late).toMatchObject({ status: 'failed', failure: { code: 'encoding_unknown' }, counts: { total: 0 } });
  expect(late.failure?.message).toContain('Line 40002');
  const compressed = gzipSync(`EMAIL,CITY\n${lines}`);
  const cut = await imports.run(compressed.subarray(0, compressed.length - 20));
  expect(cut).toMatchObject({ status: 'failed', failure: { code: 'file_damaged' }, counts: { total: 0 } });
  expect(await cityOf('late-0@example.com')).toBeUndefined();
});

test('a refused upload leaves no file and can be repeated, and a second file is refused', async () => {
  const { import_id } = await imports.create();
  const url = `/admin/v1/accounts/1/imports/${import_id}/file`;
  const empty = await imports.send(import_id, '');
  expect(empty).toMatchObject({ status: 400, body: { description: expect.stringContaining('is empty') } });
  const lied = await imports.send(import_id, of('x@example.com'), { 'content-encoding': 'gzip' });
  expect(lied.status).toBe(400);
  expect((await imports.send(import_id, 'x', { 'content-encoding': 'br' })).status).toBe(415);
  expect(await imports.files()).toEqual([]);
  expect(await imports.find(import_id)).toMatchObject({ status: 'awaiting_file' });
  expect((await imports.send(import_id, of('upload@example.com'))).body).toMatchObject({ status: 'accepted' });
  const second = await imports.send(import_id, of('upload@example.com'));
  expect(second).toMatchObject({ status: 409, body: { description: expect.stringContaining('already has its file') } });
  expect((await imports.ended(import_id)).status).toBe('completed');
  expect((await imports.service.call('PUT', url)).status).toBe(401);
});

test('a file over the size limit is refused, and an import fails when its file is too large after decompression', async () => {
  await using small = await startImportService({ config: { importFileMb: 1, importUnpackedMb: 2 } });
  const large = `EMAIL,CITY\n${'a@example.com,Pune\n'.repeat(130_000)}`;
  const { import_id } = await small.create();
  expect(await small.send(import_id, large)).toMatchObject({ status: 413 });
  expect(await small.files()).toEqual([]);
  expect((await small.run(gzipSync(large))).failure).toMatchObject({ code: 'file_too_large' });
});
