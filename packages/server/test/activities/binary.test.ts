import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBigint, readTimestamp, writeBigint, writeTimestamp } from '#platform/database/values/binary.ts';
import { bigintArray, smallintArray, textArray, timestampArray } from '#platform/database/values/binary-array.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service[Symbol.asyncDispose]());

test('arrays in binary are to PostgreSQL what they are here', async () => {
  const moment = fc.date({ noInvalidDate: true, min: new Date('0001-01-01'), max: new Date('9999-12-31') });
  const row = fc.record({
    text: fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0') && text.isWellFormed()),
    small: fc.integer({ min: -32_768, max: 32_767 }),
    big: fc.maxSafeInteger(),
    moment: moment.map((date) => date.getTime()),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(row), async (rows) => {
      const { rows: answer } = await service.context.pool.query({
        text: `
          select * from (select unnest($1::text[]) as text, unnest($2::smallint[]) as small, unnest($3::bigint[]) as big,
            unnest($4::timestamptz[]) as moment) rows`,
        values: [
          textArray(rows.map(({ text }) => text)),
          smallintArray(rows.map(({ small }) => small)),
          bigintArray(rows.map(({ big }) => big)),
          timestampArray(rows.map(({ moment: at }) => at)),
        ],
      });
      expect(answer.map((one) => ({ ...one, big: Number(one.big), moment: one.moment.getTime() }))).toEqual(rows);
    }),
    { numRuns: 30 },
  );
});

test('moments and integers in binary are read as they were written', () => {
  const moment = fc.date({ noInvalidDate: true, min: new Date('0001-01-01'), max: new Date('9999-12-31') });
  fc.assert(
    fc.property(moment, fc.maxSafeInteger(), (date, integer) => {
      const bytes = Buffer.alloc(8);
      expect(writeTimestamp(bytes, date.getTime(), 0)).toBe(8);
      expect(readTimestamp(bytes, 0)).toBe(date.getTime());
      expect(writeBigint(bytes, integer, 0)).toBe(8);
      expect(readBigint(bytes, 0)).toBe(integer);
    }),
  );
});
