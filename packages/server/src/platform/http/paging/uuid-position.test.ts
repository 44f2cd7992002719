import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeCursor, encodeCursor } from './page.ts';
import { uuidAt, uuidBounds, uuidPosition } from './uuid-position.ts';

test('a UUID is the same after it is encoded as a cursor and decoded', () => {
  fc.assert(
    fc.property(fc.uuid(), (uuid) => {
      expect(uuidAt(decodeCursor(encodeCursor(uuidPosition(uuid)), uuidBounds))).toBe(uuid);
    }),
  );
  for (const uuid of ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']) {
    expect(uuidAt(decodeCursor(encodeCursor(uuidPosition(uuid)), uuidBounds))).toBe(uuid);
  }
});
