import { Type, type Static } from 'typebox';
import { growthDays } from './list-growth.ts';

/** Query of the growth of a segment. */
export const SegmentGrowthQuery = Type.Object(
  {
    from: Type.Optional(
      Type.String({
        format: 'date',
        'x-blank-is-absent': true,
        description: `First day, \`YYYY-MM-DD\`, in the time zone of the account. Default: ${growthDays.default} days up to today. An answer has at most ${growthDays.max} days.`,
        examples: ['2026-01-01'],
      }),
    ),
  },
  { additionalProperties: false },
);

/** One day on which a segment was counted. */
const SegmentDay = Type.Object({
  day: Type.String({
    pattern: String.raw`^\d{4}-\d{2}-\d{2}$`,
    description: 'The day in the time zone that the account had then.',
    examples: ['2026-01-01'],
  }),
  contacts: Type.Integer({
    minimum: 0,
    description: 'Contacts that matched the segment when the day began, or as soon after it as a worker ran.',
    examples: [1250],
  }),
});

/** One day with entries or departures of a live segment. */
const LiveDay = Type.Object({
  day: Type.String({
    pattern: String.raw`^\d{4}-\d{2}-\d{2}$`,
    description: 'The day in the time zone that the account had then.',
    examples: ['2026-01-01'],
  }),
  entered: Type.Integer({ minimum: 0, description: 'Number of entries.', examples: [12] }),
  left: Type.Integer({ minimum: 0, description: 'Number of departures.', examples: [3] }),
});

/** How many contacts a segment had, day by day. */
export const SegmentGrowth = Type.Object(
  {
    audience_id: Type.Integer({ description: 'Number of the segment.', examples: [1] }),
    time_zone: Type.String({ description: 'Time zone of the account, in which days begin.', examples: ['UTC'] }),
    from: Type.String({ description: 'First day.', examples: ['2026-01-01'] }),
    to: Type.String({ description: 'Last day.', examples: ['2026-01-30'] }),
    days: Type.Array(SegmentDay, {
      description: 'The days on which the segment was counted, the oldest first. Other days are left out.',
    }),
    live_days: Type.Array(LiveDay, {
      description:
        'Entries and departures of a live segment, the oldest day first. Days without any are left out. Empty if the segment is not live.',
    }),
  },
  { $id: 'SegmentGrowth', description: 'How many contacts a segment had, day by day.' },
);

export type SegmentGrowth = Static<typeof SegmentGrowth>;
export type SegmentGrowthQuery = Static<typeof SegmentGrowthQuery>;
