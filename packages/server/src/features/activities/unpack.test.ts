import { activityKinds, channels, type ActivityRecord } from '@roster/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packActivities } from './packed.ts';
import { tuplesIn } from './packed-tuple.ts';
import { unpackActivity } from './unpack.ts';

// Texts of activities are never empty.
const text = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.string({ minLength: 1, unit: fc.constantFrom('|', '\\', '\n', '\r', 'n', 'r') }),
);

const record = fc
  .record(
    {
      identity: text,
      channel: fc.constantFrom(...channels),
      activity: fc.constantFrom(...activityKinds),
      occurred_at: fc.constant('2026-01-31T09:00:00.000Z'),
      message_id: fc.nat(),
      msg_name: text,
    },
    { requiredKeys: ['identity', 'channel', 'activity', 'occurred_at'] },
  )
  .chain((base) => {
    if (base.activity === 'bounce')
      return fc.constantFrom('hard', 'soft').map((bounce_type) => ({ ...base, bounce_type }));
    if (base.activity !== 'click') return fc.constant(base);
    return fc
      .record({ ip: text, device: text, os: text, browser: text, link: text }, { requiredKeys: [] })
      .map((details) => ({ ...base, ...details }));
  }) as fc.Arbitrary<unknown> as fc.Arbitrary<ActivityRecord>;

test('what was packed is unpacked as it was', () => {
  fc.assert(
    fc.property(fc.array(record, { minLength: 1 }), (records) => {
      const packed = packActivities(records);
      const begins = tuplesIn(packed.bytes);
      const unpacked = records.map((_, at) => unpackActivity(packed.identity[at]!, packed.bytes, begins[at]!));
      expect(unpacked).toEqual(records);
    }),
  );
});
