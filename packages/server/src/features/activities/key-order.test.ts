import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inKeyOrder } from './key-order.ts';

test('all are there once, and those of one key in the order in which they were', () => {
  const keys = fc.array(fc.oneof(fc.string(), fc.constantFrom('a', 'ab', 'person1', 'person2', 'ä')));
  fc.assert(
    fc.property(keys, (given) => {
      const ordered = inKeyOrder([...given.keys()], given);
      expect(ordered.toSorted((a, b) => a - b)).toEqual([...given.keys()]);
      for (const key of given) {
        const places = ordered.filter((at) => given[at] === key);
        expect(places).toEqual(places.toSorted((a, b) => a - b));
      }
    }),
  );
});

test('keys that differ early behind what they have in common are sorted', () => {
  const keys = Array.from({ length: 10_000 }, (_, n) => `person${(n * 7919) % 10_000}@example.com`);
  expect(inKeyOrder([...keys.keys()], keys).map((at) => keys[at])).toEqual(keys.toSorted());
});
