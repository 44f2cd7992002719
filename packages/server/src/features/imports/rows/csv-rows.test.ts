import fc from 'fast-check';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { expect, test, vi } from 'vitest';
import { csvRows } from './csv-rows.ts';
import { maxRowBytes, type RawRow } from './file-row.ts';

async function read(text: string | Buffer, pieceSize = 7): Promise<RawRow[]> {
  const bytes = Buffer.from(text);
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += pieceSize) yield bytes.subarray(at, at + pieceSize);
  }
  const rows: RawRow[] = [];
  for await (const found of csvRows(pieces(), ',')) rows.push(...found);
  return rows;
}

/** Returns the line on which each row begins, and its fault. */
const places = (rows: readonly RawRow[]) => rows.map(({ line, fault }) => [line, fault ?? 'good']);

test('csvRows returns the same rows as another CSV parser, for random piece sizes', async () => {
  const cell = fc.option(fc.string({ unit: fc.constantFrom('a', 'é', '€', ',', '"', '\n', '\r\n', ' ') }));
  const row = fc.array(cell, { minLength: 2, maxLength: 4 });
  // The first row is not quoted as a whole. Another test covers that case.
  const records = fc.array(row, { minLength: 1, maxLength: 20 }).map((rows) => [['a', ''], ...rows]);
  await fc.assert(
    fc.asyncProperty(
      records,
      fc.constantFrom('\n', '\r\n'),
      fc.integer({ min: 1, max: 40 }),
      async (given, end, size) => {
        const options = { record_delimiter: end, quoted_match: /[\r\n]/, quoted_empty: true };
        const text = stringify(given, options);
        const rows = await read(text, size);
        expect(rows.map(({ cells }) => cells)).toEqual(
          parse(text, {
            relax_column_count: true,
            record_delimiter: ['\r\n', '\n', '\r'],
            cast: (value, { quoting }) => (value === '' && !quoting ? null : value),
          }),
        );
        let line = 1;
        for (const [index, { line: found, end: to }] of rows.entries()) {
          expect(found).toBe(line);
          const before = Buffer.from(text).subarray(0, to).toString();
          line = before.split('\n').length;
          expect(to).toBe(Buffer.byteLength(stringify(given.slice(0, index + 1), options)));
        }
      },
    ),
    { numRuns: 150 },
  );
});

test('csvRows distinguishes an empty text from a blank cell, unless the whole header is quoted', async () => {
  const cellsOf = async (text: string) => (await read(text)).map(({ cells }) => cells);
  expect(await cellsOf('A,B,C\r\n"",,x\r\n,"a""b",""\r\n"x\r\ny","",\r\n')).toEqual([
    ['A', 'B', 'C'],
    ['', null, 'x'],
    [null, 'a"b', ''],
    ['x\r\ny', '', null],
  ]);
  expect(await cellsOf('"A","B"\n"","x"\n,""\n')).toEqual([
    ['A', 'B'],
    [null, 'x'],
    [null, null],
  ]);
});

test('csvRows counts the lines of the file, with blank lines and every kind of row end', async () => {
  expect(places(await read('a,b\r\n\r\n"x\r\ny",1\r\n\n\nc,d'))).toEqual([
    [1, 'good'],
    [3, 'good'],
    [7, 'good'],
  ]);
  expect(places(await read('a,b\rc,d\r\re,f'))).toEqual([
    [1, 'good'],
    [2, 'good'],
    [4, 'good'],
  ]);
  expect(await read('')).toEqual([]);
  expect(await read('\n\n')).toEqual([]);
});

test('csvRows does not buffer many blank lines', async () => {
  const text = `a,b\r\n${'\r\n'.repeat(50_000)}c,d\r\n${'\n'.repeat(50_000)}e,f`;
  const concat = vi.spyOn(Buffer, 'concat');
  for (const size of [1021, 4096]) {
    expect(places(await read(text, size))).toEqual([
      [1, 'good'],
      [50_002, 'good'],
      [100_003, 'good'],
    ]);
    for (const { value } of concat.mock.results) expect((value as Buffer).length).toBeLessThan(2 * size);
  }
});

test('csvRows fails only the rows whose quotes are broken', async () => {
  const text = 'a,b\n"x"y,1\nc,d\n5" pipe,2\ne,f\n"never closed,3\ng,h\ni,"j\n';
  for (const size of [1, 3, 8, 1000]) {
    expect(places(await read(text, size))).toEqual([
      [1, 'good'],
      [2, 'row_quotes'],
      [3, 'good'],
      [4, 'row_quotes'],
      [5, 'good'],
      [6, 'row_quotes'],
      [7, 'good'],
      [8, 'row_quotes'],
    ]);
  }
});

test('csvRows fails only the rows that are too large', async () => {
  const large = `x,${'y'.repeat(maxRowBytes + 10)}\n`;
  expect(places(await read(`a,b\n${large}c,d\n${large}`, 65_536))).toEqual([
    [1, 'good'],
    [2, 'row_too_large'],
    [3, 'good'],
    [4, 'row_too_large'],
  ]);
});
