import { expect, test } from 'vitest';
import { preferredWait } from './prefer-wait.ts';

test.each([
  ['wait=10', 10],
  ['wait=1', 1],
  ['WAIT = 10', 10],
  ['wait="10"', 10],
  ['wait=010', 10],
  ['respond-async, wait=5', 5],
  ['respond-async,wait=5;reason=busy , return=minimal', 5],
  ['note="a, wait=3, b", wait=4', 4],
  ['note="unfinished, wait=4', 4],
  // The first one counts.
  ['wait=4, wait=9', 4],
  ['wait=30', 30],
  ['wait=31', 30],
  [`wait=${'9'.repeat(500)}`, 30],
])('the header "Prefer: %s" asks for a wait of %i s', (prefer, seconds) => {
  expect(preferredWait({ prefer })).toBe(seconds);
});

test.each([
  undefined,
  '',
  ',',
  'wait',
  'wait=',
  'wait=0',
  'wait=-1',
  'wait=1.5',
  'wait=1e1',
  'wait=ten',
  'wait=10 s',
  'wait=1=2',
  'waits=10',
  'respond-async',
  'respond-async; wait=10',
  'note="wait=10"',
  // The first one counts, also when it cannot be read.
  'wait=soon, wait=10',
])('the header "Prefer: %s" is ignored', (prefer) => {
  expect(preferredWait({ prefer })).toBeUndefined();
});

test('repeated headers "Prefer" are read as one list', () => {
  expect(preferredWait({ prefer: ['return=minimal', 'wait=7'] })).toBe(7);
});
