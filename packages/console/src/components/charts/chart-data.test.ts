import { expect, test } from 'vitest';
import { daysBetween, daysToName, type ChartDay } from './chart-data.ts';

const period = (from: string, to: string): ChartDay[] => daysBetween(from, to).map((day) => ({ day, values: {} }));

test.each([
  ['2026-03-01', '2026-03-01', ['2026-03-01']],
  ['2026-03-01', '2026-03-07', ['2026-03-01', '2026-03-03', '2026-03-05', '2026-03-07']],
  ['2026-03-01', '2026-03-12', ['2026-03-01', '2026-03-03', '2026-03-05', '2026-03-07', '2026-03-09', '2026-03-11']],
])('the axis of %s to %s names %j', (from, to, named) => {
  expect(daysToName(period(from, to))).toEqual(named);
});

test('the axis of a period of any length names up to six days', () => {
  expect(daysToName([])).toEqual([]);
  for (const to of ['2026-03-13', '2026-04-01', '2026-12-31', '2029-01-01']) {
    const named = daysToName(period('2026-03-01', to));
    expect(named[0]).toBe('2026-03-01');
    expect(named.length).toBeGreaterThan(2);
    expect(named.length).toBeLessThanOrEqual(6);
  }
});
