import { expect, test } from 'vitest';
import { freshBytes, isBloated, mebibyte, rebuildObstacle, rebuildRules } from './rebuild-plan.ts';

const rules = { ...rebuildRules, maxFreshBytes: 1000 * mebibyte };

test('an index is bloated from three times its fresh size on, unless it is small or its fresh size is unknown', () => {
  const size = (bytes: number, fresh_bytes: number | null) => ({
    bytes: bytes * mebibyte,
    fresh_bytes: fresh_bytes === null ? null : fresh_bytes * mebibyte,
  });
  expect(isBloated(size(301, 100))).toBe(true);
  expect(isBloated(size(299, 100))).toBe(false);
  expect(isBloated(size(63, 1))).toBe(false);
  expect(isBloated(size(10_000, null))).toBe(false);
});

test('a rebuild needs disk space for two new indexes and a reserve, and a fresh size up to the setting', () => {
  const fresh = 1000 * mebibyte;
  expect(rebuildObstacle(fresh, 3100 * mebibyte, rules)).toBeUndefined();
  expect(rebuildObstacle(fresh, 3000 * mebibyte, rules)).toBe('disk');
  expect(rebuildObstacle(fresh, undefined, rules)).toBeUndefined();
  expect(rebuildObstacle(fresh + 1, undefined, rules)).toBe('setting');
  expect(rebuildObstacle(0, undefined, { ...rules, maxFreshBytes: 0 })).toBe('setting');
});

test('the fresh size is at least the size after the last rebuild, scaled to the number of contacts', () => {
  expect(freshBytes(undefined, undefined, 100)).toBeNull();
  expect(freshBytes(500, undefined, 100)).toBe(500);
  const last = { rebuilt_bytes: 600, rebuilt_contacts: 100 };
  expect(freshBytes(500, last, 100)).toBe(600);
  expect(freshBytes(500, last, 50)).toBe(500);
  expect(freshBytes(undefined, last, 200)).toBe(1200);
  expect(freshBytes(undefined, { rebuilt_bytes: 600, rebuilt_contacts: 0 }, 200)).toBe(600);
});
