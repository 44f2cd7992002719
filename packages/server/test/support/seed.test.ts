import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { readTestSeed } from './seed.ts';

test('the seed is the same in every ordinary run, and another one on demand', () => {
  expect(readTestSeed({})).toBe(readTestSeed({ ROSTER_TEST_SEED: ' ' }));
  expect(readTestSeed({ ROSTER_TEST_SEED: '2147483647' })).toBe(2 ** 31 - 1);
  const random = Array.from({ length: 20 }, () => readTestSeed({ ROSTER_TEST_SEED: 'random' }));
  expect(new Set(random).size).toBeGreaterThan(1);
  expect(readTestSeed({ ROSTER_TEST_SEED: '7' }, 'random')).toBe(7);
});

test.each(['-1', '1.5', '2147483648', 'Random', '0x10'])('%s is no seed', (text) => {
  expect(() => readTestSeed({ ROSTER_TEST_SEED: text })).toThrow(/whole number from 0 to 2147483647, or random/);
});

test('property tests take the seed of the run, and name it when they fail', () => {
  const fails = () => fc.assert(fc.property(fc.nat(), () => false));
  expect(fails).toThrow(`seed: ${inject('testSeed')}`);
});
