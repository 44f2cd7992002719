import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { RowEndConverter } from './row-ends.ts';

async function convert(chunks: readonly Buffer[]): Promise<{ text: string; rows: number }> {
  const rowEnds = new RowEndConverter(Buffer.from('head\r\n'));
  const text = (await buffer(Readable.from(chunks).pipe(rowEnds))).toString();
  expect(text.slice(0, 6)).toBe('head\r\n');
  return { text: text.slice(6), rows: rowEnds.rows };
}

test('RowEnds converts row ends to CRLF, and keeps line feeds inside quotes', async () => {
  const input = 'a,"x\ny"\n"say ""\n""",b\n,\n';
  expect(await convert([Buffer.from(input)])).toEqual({
    text: 'a,"x\ny"\r\n"say ""\n""",b\r\n,\r\n',
    rows: 3,
  });
});

test('RowEnds writes only the header if there are no rows', async () => {
  expect(await convert([])).toEqual({ text: '', rows: 0 });
});

test('a CSV parser reads the same cells before and after RowEnds, for random cells and chunk sizes', async () => {
  const cell = fc.oneof(
    fc.string({ unit: fc.constantFrom('"', '\n', '\r', ',', 'a', '😀', '=', ' '), maxLength: 6 }),
    fc.string({ unit: 'binary', maxLength: 5 }),
  );
  const table = fc
    .integer({ min: 2, max: 4 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }));
  await fc.assert(
    fc.asyncProperty(table, fc.integer({ min: 1, max: 7 }), async (rows, size) => {
      // Quotes cells like PostgreSQL.
      const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
      const input = Buffer.from(rows.map((row) => `${row.map(quoted).join(',')}\n`).join(''));
      const chunks = Array.from({ length: Math.ceil(input.length / size) }, (_, at) =>
        input.subarray(at * size, (at + 1) * size),
      );
      const { text, rows: counted } = await convert(chunks);
      expect(counted).toBe(rows.length);
      expect(parse(text, { record_delimiter: '\r\n' })).toEqual(parse(input, { record_delimiter: '\n' }));
    }),
  );
});
