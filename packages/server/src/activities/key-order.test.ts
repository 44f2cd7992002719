import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { NewActivity } from './activity.ts';
import { inKeyOrder } from './key-order.ts';

const activity = (key: string, begin: number): NewActivity => ({
  key,
  request: 0,
  bytes: Buffer.of(),
  begin,
  end: begin,
});

test('all activities are there once, and those of one key in the order in which they were', () => {
  const keys = fc.array(fc.oneof(fc.string(), fc.constantFrom('a', 'ab', 'person1', 'person2', 'ä')));
  fc.assert(
    fc.property(keys, (given) => {
      const ordered = inKeyOrder(given.map(activity));
      expect(ordered.map(({ begin }) => begin).sort((a, b) => a - b)).toEqual(given.map((_, at) => at));
      for (const key of given) {
        const places = ordered.filter((one) => one.key === key).map(({ begin }) => begin);
        expect(places).toEqual(places.toSorted((a, b) => a - b));
      }
    }),
  );
});

test('keys that differ early behind what they have in common are sorted', () => {
  const keys = Array.from({ length: 10_000 }, (_, n) => `person${(n * 7919) % 10_000}@example.com`);
  expect(inKeyOrder(keys.map(activity)).map(({ key }) => key)).toEqual(keys.toSorted());
});
