import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
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

const skip = { unknown_columns: 'skip' };
const long = 'x'.repeat(1001);
const longNames = Array.from({ length: 599 }, (_, n) => `C${n}`.padEnd(900, 'x')).join(',');

describe('column names', () => {
  test.each<[string, string | Buffer, object]>([
    ['with U+0000', 'EMAIL,CI\0TY\na@example.com,x\n', {}],
    ['with U+0000 when unknown columns are skipped', 'EMAIL,CI\0TY\na@example.com,x\n', skip],
    [
      'with U+0000 when unknown columns become attributes',
      'EMAIL,CI\0TY\na@example.com,x\n',
      { unknown_columns: 'create' },
    ],
    ['of more than 1,000 characters', `EMAIL,${long}\na@example.com,x\n`, skip],
    ['of more than 256 KiB together', gzipSync(`EMAIL,${longNames}\na@example.com${',x'.repeat(599)}\n`), skip],
    ['with U+0000 in NDJSON', String.raw`{"EMAIL":"a@example.com","X\u0000Y":1}`, skip],
    ['with half of a surrogate pair in NDJSON', String.raw`{"EMAIL":"a@example.com","X\ud800Y":1}`, skip],
    ['of more than 1,000 characters in NDJSON', `{"EMAIL":"a@example.com","${long}":1}`, skip],
  ])('%s fail the import at once', async (_name, file, body) => {
    const ended = await imports.run(file, body);
    expect(ended).toMatchObject({ status: 'failed', failure: { code: 'header_invalid' }, counts: { total: 0 } });
    expect(await cityOf('a@example.com')).toBeUndefined();
  });

  test('like __proto__ have no special meaning', async () => {
    const csv = await imports.run('EMAIL,__proto__,constructor,City\nproto-1@example.com,a,b,Pune\n', skip);
    expect(csv).toMatchObject({ status: 'completed', counts: { created: 1 } });
    const ndjson = await imports.run(
      '{"EMAIL":"proto-2@example.com","__proto__":{"x":1},"attributes":{"__proto__":5,"CITY":"Goa"}}',
      skip,
    );
    expect(ndjson).toMatchObject({ status: 'completed', counts: { created: 1 } });
    expect([await cityOf('proto-1@example.com'), await cityOf('proto-2@example.com')]).toEqual(['Pune', 'Goa']);
    const { import_id } = await imports.create({ columns: JSON.parse('{"__proto__":"CITY"}') });
    const refused = await imports.send(import_id, 'EMAIL,x\na@example.com,y\n');
    expect(refused.body.failure.code).toBe('columns_not_found');
  });

  test('are trimmed, both in NDJSON and in the header of a CSV file', async () => {
    await imports.run('{" EMAIL ":"blank-1@example.com","attributes":{" City ":"Pune"}}');
    await imports.run(' EMAIL , City \nblank-2@example.com,Goa\n');
    expect([await cityOf('blank-1@example.com'), await cityOf('blank-2@example.com')]).toEqual(['Pune', 'Goa']);
  });
});

test('an import creates no attribute at all when its new columns exceed the attribute limit of the account', async () => {
  const account = await imports.service.createAccount({ name: 'Full' });
  const found = async () =>
    (await account.v5('/client/attribute/search', { output: { get_count: true, pagination: { limit: 1 } } })).body
      .count as number;
  const before = await found();
  const file = (count: number) =>
    `EMAIL,${Array.from({ length: count }, (_, n) => `C${n}`).join(',')}\na@example.com${',x'.repeat(count)}\n`;
  for (const dry_run of [true, false]) {
    const ended = await imports.run(file(501 - before), { unknown_columns: 'create', dry_run }, account);
    expect(ended).toMatchObject({ status: 'failed', failure: { code: 'attribute_not_created' }, counts: { total: 0 } });
    expect(ended.failure!.message).toContain(`${before} of 500`);
  }
  expect(await found()).toBe(before);
  const whole = await imports.run(file(500 - before), { unknown_columns: 'create' }, account);
  expect(whole).toMatchObject({ status: 'completed', counts: { created: 1 } });
});

test('a value that is nested too deeply fails only its row, and is shortened in the file of failures', async () => {
  const deep = '['.repeat(200_000) + ']'.repeat(200_000);
  const ended = await imports.run(
    [
      `{"EMAIL":"deep-1@example.com","CITY":${deep}}`,
      '{"EMAIL":"deep-2@example.com","CITY":["x"]}',
      `{"EMAIL":"deep-3@example.com","CITY":"Pune","audience_details":${deep}}`,
      '{"EMAIL":"deep-4@example.com","CITY":"Pune"}',
    ].join('\n'),
  );
  expect(ended).toMatchObject({ status: 'completed', counts: { total: 4, created: 1, failed: 3 } });
  const failures = await imports.failures(ended.import_id);
  expect(failures.map((row) => [row['IMPORT_LINE'], row['IMPORT_COLUMN'], row['CITY']])).toEqual([
    ['1', 'CITY', '[…]'],
    ['2', 'CITY', '["x"]'],
    ['3', 'audience_details', 'Pune'],
  ]);
});

/**
 * More characters than the sample of a file that the service reads first. The sample may end inside
 * a character.
 */
const much = 200_000;
const begins = ['', 'a', 'ab', 'abc'];

test.each(begins)('a file is imported when its first sample ends inside a character (offset of %j)', async (begin) => {
  const email = `cut${begin}@example.com`;
  const files = {
    'a long line of NDJSON': `{"EMAIL":"${email}","CITY":"Pune","FIRST_NAME":"${'€'.repeat(much)}"}\n`,
    'a file without line feeds': `EMAIL,CITY\r${email},Pune\r${'€'.repeat(much)},x\r`,
    'a file with one long row': `EMAIL,CITY\n${email},Pune\n${'€'.repeat(much)},x\n`,
    'UTF-16': Buffer.from(`\ufeffEMAIL,CITY\n${email},Pune\n${'😀'.repeat(much)},x\n`, 'utf16le'),
  };
  for (const [name, file] of Object.entries(files)) {
    // Compressed, so that the service reads the sample in pieces.
    const ended = await imports.run(gzipSync(file));
    expect(ended.failure, name).toBeNull();
    expect(ended.columns.length, name).toBeGreaterThanOrEqual(2);
    expect(ended.counts.total, name).toBe(name.includes('NDJSON') ? 1 : 2);
  }
  expect(await cityOf(email)).toBe('Pune');
});

test('a header without rows is imported as zero rows, with any line ending', async () => {
  for (const file of ['EMAIL,CITY', 'EMAIL,CITY\n', '\ufeffEMAIL,CITY\r\n', 'EMAIL,CITY\r', gzipSync('EMAIL,CITY\n')]) {
    const ended = await imports.run(file);
    expect(ended).toMatchObject({ status: 'completed', counts: { total: 0 }, progress: { percent: 100 } });
    expect(await imports.failures(ended.import_id)).toEqual([]);
  }
});

test('the rows of one file may end in carriage returns, line feeds or both', async () => {
  const file = 'EMAIL,CITY\r\nend-1@example.com,Pune\nend-2@example.com,"Goa\rOld"\rend-3@example.com\rnobody,Agra\r';
  const ended = await imports.run(file);
  expect(ended.counts).toMatchObject({ total: 4, created: 2, failed: 2 });
  expect((await imports.failures(ended.import_id)).map((row) => row['IMPORT_CODE'])).toEqual([
    'row_cells',
    'identity_invalid',
  ]);
  expect([await cityOf('end-1@example.com'), await cityOf('end-2@example.com')]).toEqual(['Pune', 'Goa\rOld']);
});

test('each row gets a warning when a list of the import is deleted before the upload', async () => {
  const { audience_id } = (await imports.account.operator('POST', '/lists', { name: 'Gone' })).body;
  const { import_id } = await imports.create({ audience_ids: [audience_id] });
  await imports.account.operator('DELETE', `/lists/${audience_id}`);
  await imports.send(import_id, 'EMAIL\ngone@example.com\n');
  expect((await imports.ended(import_id)).counts).toMatchObject({ created: 1, warnings: 1 });
  expect(await imports.failures(import_id)).toMatchObject([{ IMPORT_LINE: '2', IMPORT_CODE: 'list_unknown' }]);
});

test('two concurrent imports that create the same contacts create each contact once', async () => {
  const file = (city: string) =>
    `EMAIL,CITY\n${Array.from({ length: 5000 }, (_, n) => `shared-${n}@example.com,${city}\n`).join('')}`;
  const [one, two] = await Promise.all(['Pune', 'Goa'].map((city) => imports.run(file(city), { mode: 'create' })));
  expect(one!.counts.created + two!.counts.created).toBe(5000);
  expect(one!.counts.failed + two!.counts.failed).toBe(5000);
  for (const { counts } of [one!, two!]) expect(counts.created + counts.failed).toBe(counts.total);
});

test.each([
  ['a line feed', 'Old\nGoa'],
  ['a carriage return', 'Old\rGoa'],
  ['a carriage return with a line feed', 'Old\r\nGoa'],
  ['quotes, a comma and a semicolon', '"Old", Goa;'],
])('%s in a cell of a failed row can be imported again from the file of failures', async (_what, city) => {
  const cell = `"${city.replaceAll('"', '""')}"`;
  const ended = await imports.run(`EMAIL,CITY,FIRST_NAME\nnobody,${cell},Asha\n`);
  expect(await imports.failures(ended.import_id)).toMatchObject([{ CITY: city, FIRST_NAME: 'Asha' }]);
  const file = (await imports.account.operator('GET', `/imports/${ended.import_id}/failures`)).body as string;
  const fixed = await imports.run(file.replace('nobody', 'fixed@example.com'));
  expect(fixed.counts).toMatchObject({ total: 1, failed: 0 });
  expect(await cityOf('fixed@example.com')).toBe(city);
});

test.each([
  ['whole', 900, (text: string) => text],
  ['cut after 1,000 bytes, with an ellipsis', 1200, (text: string) => `${text.slice(0, 15 + 492)}…`],
])('the text of a row that cannot be read is shown %s', async (_how, bytes, shown) => {
  // A letter of two bytes stands at the end of the 1,000 bytes.
  const text = `a@example.com,"${'é'.repeat(bytes / 2)}`;
  const ended = await imports.run(`EMAIL,CITY\n${text}\nb@example.com,Pune\n`);
  expect(ended.counts).toMatchObject({ total: 2, failed: 1 });
  expect(await imports.failures(ended.import_id)).toMatchObject([{ IMPORT_CODE: 'row_quotes', EMAIL: shown(text) }]);
});

test('a row of NDJSON with null for attributes is imported without attributes', async () => {
  const ended = await imports.run(
    '{"identity":"none-1@example.com","attributes":null}\n{"identity":"none-2@example.com","attributes":{"CITY":"Pune"}}',
  );
  expect(ended).toMatchObject({ status: 'completed', counts: { total: 2, created: 2 } });
});
