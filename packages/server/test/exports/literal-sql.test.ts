import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { literalSql } from '#platform/database/statements/literal-sql.ts';
import { createTestContext } from '../support/context.ts';
import { forFile } from '../support/for-file.ts';

const context = await forFile(createTestContext());

const texts = fc
  .oneof(
    fc.string({ unit: fc.constantFrom("'", '\\', '"', '$1', '$$', '--', '/*', ';', 'E', '{', ',', 'a', '😀', '\n') }),
    fc.string({ unit: 'binary' }),
  )
  .filter((text) => !text.includes('\0'));

test('a literal has the same value as the parameter, whatever it contains and however the server reads strings', async () => {
  await fc.assert(
    fc.asyncProperty(texts, fc.array(texts), fc.integer(), fc.boolean(), async (text, list, number, conforming) => {
      const query = sql`
        select ${text}::text as text, ${list}::text[] as list, ${number} = ${number}::bigint as same,
          ${JSON.stringify({ text })}::jsonb as json, 'a' = any(${list}::text[]) as any, ${null}::text as nothing`;
      const { rows } = await query.execute(context.db);
      const client = await context.pool.connect();
      try {
        await client.query(`set standard_conforming_strings = ${conforming}`);
        const literal = await client.query(literalSql(query));
        expect(literal.rows).toEqual(rows);
        expect(literal.rows[0]).toMatchObject({ text, list, json: { text }, nothing: null });
      } finally {
        await client.query('reset standard_conforming_strings');
        client.release();
      }
    }),
    { numRuns: 200 },
  );
});

test('literal SQL has no parameters, and one literal for each value', () => {
  const query = sql`select ${"it's"}, ${String.raw`a\b`}, ${5}, ${true}, ${[1, 2]}::int[], ${new Date(0)}`;
  expect(literalSql(query)).toBe(
    String.raw`select 'it''s',  E'a\\b', '5', 'true', array['1', '2']::int[], '1970-01-01T00:00:00.000Z'`,
  );
});

test('an object is refused instead of becoming [object Object]', () => {
  expect(() => literalSql(sql`select ${{ a: 1 }}`)).toThrow('JSON text');
});
