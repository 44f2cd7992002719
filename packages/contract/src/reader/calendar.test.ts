import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isWrittenMoment, readMoment } from './calendar.ts';

/** Returns the text if JavaScript reads it and prints the same text, otherwise undefined. */
function written(text: string): string | undefined {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) || at.toISOString() !== text ? undefined : text;
}

test('readMoment accepts the same dates as JavaScript, and refuses days that do not exist', () => {
  for (const year of ['0001', '0099', '1900', '1999', '2000', '2024', '2026', '9999']) {
    for (let month = 0; month <= 13; month++) {
      for (let day = 0; day <= 32; day++) {
        const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}T23:59:59.999Z`;
        expect([text, readMoment(text)]).toEqual([text, written(text)]);
      }
    }
  }
});

test('isWrittenMoment accepts only texts that JavaScript prints unchanged', () => {
  const digits = (least: number, most: number, length: number) =>
    fc.integer({ min: least, max: most }).map((number) => String(number).padStart(length, '0'));
  const parts = fc.tuple(
    digits(0, 9999, 4),
    digits(0, 13, 2),
    digits(0, 32, 2),
    digits(0, 24, 2),
    digits(0, 60, 2),
    digits(0, 60, 2),
    digits(0, 1000, 3),
  );
  fc.assert(
    fc.property(parts, ([year, month, day, hour, minute, second, thousandth]) => {
      const text = `${year}-${month}-${day}T${hour}:${minute}:${second}.${thousandth}Z`;
      if (isWrittenMoment(text)) expect(written(text)).toBe(text);
      else if (written(text) === text && year !== '0000') expect(text).toContain('-02-29T');
    }),
    { numRuns: 1000 },
  );
});
