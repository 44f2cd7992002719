import { activityKinds, ActivityRecord, channels, Faults, readerOf } from '@roster/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isCanonical } from './canonical.ts';
import { recordExamples } from './examples.ts';

const read = readerOf(ActivityRecord);

const odd = fc.oneof(
  fc.string({ maxLength: 300 }),
  fc.string({ unit: fc.constantFrom(' ', 'a', '|', '\\', '\n', '\0', 'ä', '\ud800', '~'), maxLength: 4 }),
  fc.constantFrom(
    '',
    ' x',
    'x ',
    'anonymous/1',
    'EMAIL',
    'Sent',
    'HARD',
    '2026-02-29T00:00:00.000Z',
    '2026-01-31T09:00:00Z',
  ),
  fc.constantFrom('x'.repeat(45), 'x'.repeat(46), 'x'.repeat(255), 'x'.repeat(256), 'x'.repeat(2048), 'x'.repeat(2049)),
  fc.constantFrom(null, true, -1, 0, -0, 1.5, '7', 1e21, Number.MAX_SAFE_INTEGER, 2 ** 53, [], {}, ['x'], undefined),
);
const canonical = {
  identity: fc.constantFrom('asha@example.com', '919812345678', 'C 1'),
  channel: fc.constantFrom(...channels),
  activity: fc.constantFrom(...activityKinds),
  occurred_at: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  id: fc.string({ unit: 'grapheme-ascii' }),
  message_id: fc.nat(),
  msg_name: fc.string({ unit: 'grapheme-ascii' }),
  ip: fc.ipV4(),
  device: fc.constant('Mobile'),
  os: fc.constant('Android 16'),
  browser: fc.constant('Chrome 141'),
  link: fc.webUrl(),
  bounce_type: fc.constantFrom('hard', 'soft'),
};
const anyRecord = fc
  .tuple(
    fc.record(canonical, { requiredKeys: [] }),
    fc.dictionary(fc.constantFrom(...Object.keys(canonical), 'Identity', 'ID', 'other', '__proto__'), odd, {
      maxKeys: 2,
    }),
  )
  .map(([record, others]): unknown => JSON.parse(JSON.stringify({ ...record, ...others })));

test('a canonical record is one that the reader answers as it is', () => {
  fc.assert(
    fc.property(fc.oneof({ weight: 20, arbitrary: anyRecord }, fc.jsonValue()), (record) => {
      if (!isCanonical(record)) return;
      const faults = new Faults();
      expect(read(record, faults)).toStrictEqual(record);
      expect(faults.list).toEqual([]);
    }),
    { numRuns: 5000 },
  );
});

test('what most systems send is canonical', () => {
  for (const { occurred_at: at, ...record } of recordExamples.mail.value.data) {
    expect(isCanonical({ ...record, occurred_at: new Date(at).toISOString() })).toBe(true);
  }
});
