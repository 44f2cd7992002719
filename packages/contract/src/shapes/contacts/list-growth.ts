import { Type, type Static } from 'typebox';

/** Default and maximum number of days in the growth of a list. */
export const growthDays = { default: 30, max: 400 } as const;

/** Query of the growth of a list. */
export const ListGrowthQuery = Type.Object(
  {
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: growthDays.max,
        default: growthDays.default,
        description: `Number of days up to today. Default: ${growthDays.default}.`,
      }),
    ),
  },
  { additionalProperties: false },
);

const day = { pattern: String.raw`^\d{4}-\d{2}-\d{2}$`, examples: ['2026-08-01'] };

/** One day of a list. */
const ListDay = Type.Object({
  day: Type.String({ ...day, description: 'The day in the time zone that the account had then.' }),
  joined: Type.Integer({ minimum: 0, description: 'Contacts that joined the list.', examples: [120] }),
  left: Type.Integer({
    minimum: 0,
    description: 'Contacts that left the list. Deleted and merged contacts leave their lists.',
    examples: [15],
  }),
  member_count: Type.Integer({ minimum: 0, description: 'Members at the end of the day.', examples: [1250] }),
});

/** How the number of members of a list changed, day by day. */
export const ListGrowth = Type.Object(
  {
    audience_id: Type.Integer({ description: 'Number of the list.', examples: [1] }),
    time_zone: Type.String({ description: 'Time zone of the account, in which days begin.', examples: ['UTC'] }),
    counted_since: Type.String({
      format: 'date-time',
      description: 'Earlier changes are not known: the list did not exist, or an earlier version did not count them.',
    }),
    data: Type.Array(ListDay, { description: 'Every day since `counted_since`, the oldest first.' }),
  },
  { $id: 'ListGrowth', description: 'How the number of members of a list changed, day by day. All numbers are exact.' },
);

export type ListGrowth = Static<typeof ListGrowth>;
export type ListGrowthQuery = Static<typeof ListGrowthQuery>;
