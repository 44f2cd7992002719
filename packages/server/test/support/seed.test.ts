import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { readTestSeed } from './seed.ts';

test('the seed is fixed by default, and ROSTER_TEST_SEED sets another or a random one', () => {
  expect(readTestSeed({})).toBe(readTestSeed({ ROSTER_TEST_SEED: ' ' }));
  expect(readTestSeed({ ROSTER_TEST_SEED: '2147483647' })).toBe(2 ** 31 - 1);
  const random = Array.from({ length: 20 }, () => readTestSeed({ ROSTER_TEST_SEED: 'random' }));
  expect(new Set(random).size).toBeGreaterThan(1);
  expect(readTestSeed({ ROSTER_TEST_SEED: '7' }, 'random')).toBe(7);
});

test.each(['-1', '1.5', '2147483648', 'Random', '0x10'])('the seed %s is refused', (text) => {
  expect(() => readTestSeed({ ROSTER_TEST_SEED: text })).toThrow(/whole number from 0 to 2147483647, or random/);
});

test('a property test uses the seed of the run, and shows it when it fails', () => {
  const fails = () => fc.assert(fc.property(fc.nat(), () => false));
  expect(fails).toThrow(`seed: ${inject('testSeed')}`);
});
