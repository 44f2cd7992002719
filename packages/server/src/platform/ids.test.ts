import { expect, test } from 'vitest';
import { createIds } from '#platform/ids.ts';

/** Returns the time in a UUID of version 7, in milliseconds since 1970. */
const timeOf = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

const noon = Date.UTC(2026, 0, 31, 12);

test('ids are UUIDs of version 7 with the time of the clock', () => {
  const id = createIds(() => noon)();
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(timeOf(id)).toBe(noon);
});

test('ids within one millisecond increase by unpredictable steps', () => {
  const next = createIds(() => noon);
  const ids = Array.from({ length: 20_000 }, next);
  expect(ids).toEqual([...ids].sort());
  expect(new Set(ids).size).toBe(ids.length);
  // The sequence comes after the version and the variant.
  const sequence = (id: string) =>
    Number.parseInt(id.slice(15, 18) + (Number.parseInt(id[19]!, 16) & 3) + id.slice(20, 23), 16);
  const steps = ids.slice(1, 9).map((id, index) => sequence(id) - sequence(ids[index]!));
  expect(new Set(steps).size).toBeGreaterThan(1);
  expect(timeOf(ids.at(-1)!) - noon).toBeLessThan(20);
});

test('ids still increase when the clock is set back by some seconds', () => {
  let now = noon;
  const next = createIds(() => now);
  const first = next();
  now -= 5_000;
  expect(next() > first).toBe(true);
});

test('ids follow the clock after it was set back by a year', () => {
  let now = noon;
  const next = createIds(() => now);
  next();
  now = Date.UTC(2025, 0, 1);
  expect(timeOf(next())).toBe(now);
  now += 1;
  expect(timeOf(next())).toBe(now);
});
