import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readMoment } from './moment.ts';

function moment(text: string): number {
  const bytes = Buffer.from(`"${text}"`);
  return readMoment(bytes, 1, bytes.length - 1);
}

test('a moment is that of Date, from the first of the calendar to the last', () => {
  const dates = fc.date({
    noInvalidDate: true,
    min: new Date('0001-01-01'),
    max: new Date('9999-12-31T23:59:59.999Z'),
  });
  fc.assert(
    fc.property(dates, (date) => {
      expect(moment(date.toISOString())).toBe(date.getTime());
    }),
    { numRuns: 5000 },
  );
});

test('each day of four hundred years and their neighbours is that of Date', () => {
  for (let at = Date.UTC(1899, 11, 30); at < Date.UTC(2301, 2, 3); at += 86_400_000) {
    const text = new Date(at).toISOString();
    if (moment(text) !== at) expect(text).toBe('read');
  }
});

test.each([
  '2026-02-29T00:00:00.000Z',
  '1900-02-29T00:00:00.000Z',
  '2026-00-10T00:00:00.000Z',
  '2026-13-10T00:00:00.000Z',
  '2026-01-00T00:00:00.000Z',
  '2026-04-31T00:00:00.000Z',
  '0000-01-01T00:00:00.000Z',
  '2026-01-31T24:00:00.000Z',
  '2026-01-31T09:60:00.000Z',
  '2026-01-31T23:59:60.000Z',
  '2026-01-31T09:00:00.00:Z',
  '2026-01-31T09:00:00Z',
  '2026-01-31T09:00:00.000z',
  '2026-01-31 09:00:00.000Z',
  '2026-01-31T09:00:00.000+',
  '+026-01-31T09:00:00.000Z',
  '20 6-01-31T09:00:00.000Z',
  '',
])('%j is none', (text) => {
  expect(moment(text)).toBeNaN();
});
