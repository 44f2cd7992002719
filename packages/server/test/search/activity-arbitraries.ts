import { activityKinds, channels } from '@roster/contract';
import fc from 'fast-check';
import type { ModelActivity } from './oracle.ts';

/** The latest names of the messages. Message 3 has none. */
export const messageNames: ReadonlyMap<number, string> = new Map([
  [1, 'Spring'],
  [2, 'Summer 100%'],
  [4, 'Spring'],
]);
const messages = [null, 1, 2, 3, 4, 2 ** 53 - 1];
const namesOfRecords = [null, null, 'Spring', 'spring', 'An old name'];
/**
 * Moments of activities: around the oldest that count, around the ends of days, and around the
 * beginning of the windows of 30 and 90 days.
 */
export const activityMoments = [
  '2024-01-31T23:59:59.999Z',
  '2024-02-01T00:00:00.000Z',
  '2025-03-28T22:59:59.999Z',
  '2025-03-28T23:00:00.000Z',
  '2025-10-26T22:30:00.000Z',
  '2025-12-28T10:59:59.999Z',
  '2025-12-28T11:00:00.000Z',
  '2025-12-28T22:00:00.000Z',
  '2025-12-28T22:59:59.999Z',
  '2025-12-28T23:00:00.000Z',
  '2026-02-26T11:00:00.000Z',
  '2026-02-26T21:59:59.999Z',
  '2026-02-26T22:00:00.000Z',
  '2026-02-26T22:59:59.999Z',
  '2026-02-26T23:00:00.000Z',
  '2026-02-26T12:00:00.000Z',
  '2026-02-27T09:59:59.999Z',
  '2026-02-27T23:00:00.000Z',
  '2026-03-26T21:59:59.999Z',
  '2026-03-27T11:30:00.000Z',
  '2026-03-28T22:30:00.000Z',
  '2026-03-28T22:59:59.999Z',
  '2026-03-28T23:00:00.000Z',
  '2026-03-28T23:30:00.000Z',
  '2026-03-28T23:30:00.001Z',
  '2026-03-29T18:00:00.000Z',
];

/** Generates the activities of one contact. Many contacts have none. */
export const activities: fc.Arbitrary<ModelActivity[]> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<ModelActivity[]>([]) },
  {
    weight: 3,
    arbitrary: fc.array(
      fc.record({
        // Mostly what conditions name.
        activity: fc.constantFrom('open', 'open', 'click', 'sent', 'sent', ...activityKinds),
        channel: fc.constantFrom('email', 'email', ...channels),
        occurred_at: fc.constantFrom(...activityMoments),
        message_id: fc.constantFrom(...messages),
        msg_name: fc.constantFrom(...namesOfRecords),
      }),
      { minLength: 1, maxLength: 8 },
    ),
  },
);
