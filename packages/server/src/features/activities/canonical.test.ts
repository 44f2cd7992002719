import { activityKinds, ActivityRecord, channels, Faults, readerOf, type RecordActivitiesBody } from '@roster/contract';
import { operations } from '@roster/contract/operations';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CanonicalRecord } from './canonical.ts';
import { ActivityPacker, packActivities } from './packed.ts';

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

/** What a text is packed as that is read as canonical, from a place behind others; undefined where it is left to the reader. */
function packed(text: string): unknown {
  const bytes = Buffer.from(`]${text}{`);
  const end = new CanonicalRecord().read(bytes, 1);
  if (end === -1) return undefined;
  expect(end).toBe(bytes.length - 1);
  const packer = new ActivityPacker();
  expect(packer.take(bytes, 1)).toBe(end);
  return packer.taken();
}

/** What JSON.parse and the reader make of the text. */
function packedByReader(text: string): unknown {
  const faults = new Faults();
  const record = read(JSON.parse(text), faults);
  expect(faults.list).toEqual([]);
  return packActivities([record]);
}

test('what is read as canonical is packed as the reader reads it', () => {
  fc.assert(
    fc.property(
      fc.oneof({ weight: 20, arbitrary: anyRecord }, fc.jsonValue()),
      fc.constantFrom('', ' ', '\n'),
      (record, space) => {
        const text = JSON.stringify(record, undefined, space);
        const fields = packed(text);
        if (fields !== undefined) expect(fields).toEqual(packedByReader(text));
      },
    ),
    { numRuns: 5000 },
  );
});

test('a text that somebody has changed is read as JSON.parse reads it, or not at all', () => {
  const inserted = fc.constantFrom(
    '',
    '"',
    '\\',
    '{',
    '}',
    ',',
    ':',
    ' ',
    '0',
    '-',
    '1e3',
    '\\u0041',
    '\t',
    'ä',
    '"id":"a",',
    ',"ip":"::1"',
  );
  const edits = fc.array(fc.tuple(fc.nat(), inserted), { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.record(canonical), edits, (record, changes) => {
      let text = JSON.stringify(record);
      for (const [place, insert] of changes) {
        const at = place % text.length;
        text = text.slice(0, at) + insert + text.slice(insert === '' ? at + 1 : at);
      }
      const bytes = Buffer.from(text);
      const end = new CanonicalRecord().read(bytes, 0);
      if (end === -1) return;
      const own = bytes.toString('utf8', 0, end);
      expect(packed(own)).toEqual(packedByReader(own));
    }),
    { numRuns: 10_000 },
  );
});

test('what most systems send is canonical', () => {
  const { data } = operations.recordActivities.examples!['mail']!.value as RecordActivitiesBody;
  for (const { occurred_at: at, ...record } of data) {
    for (const space of ['', ' ', '\t']) {
      const text = JSON.stringify({ ...record, occurred_at: new Date(at).toISOString() }, undefined, space);
      expect(packed(text)).toEqual(packedByReader(text));
    }
  }
});

test.each([
  ['{"identity":"a","channel":"sms","activity":"sent","occurred_at":"2026-01-31T09:00:00.000Z","identity":"b"}'],
  ['{"identity":"a","channel":"sms","activity":"sent"}'],
  ['{"identity":"a","channel":"sms","activity":"sent","occurred_at":"2026-01-31T09:00:00.000Z",}'],
  ['{"identity":"a","channel":"sms","activity":"sent","occurred_at":"2026-01-31T09:00:00.000Z","message_id":007}'],
  ['{"identity":"a\\u0041","channel":"sms","activity":"sent","occurred_at":"2026-01-31T09:00:00.000Z"}'],
  ['{"identity":"a","channel":"sms","activity":"sent","occurred_at":"2026-01-31T09:00:00.000Z"'],
  ['{}'],
  ['{'],
])('%s is left to the reader', (text) => {
  expect(new CanonicalRecord().read(Buffer.from(text), 0)).toBe(-1);
});
