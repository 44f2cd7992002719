import { Type } from 'typebox';
import { closed } from '../common/closed.ts';
import { searchLimits } from '../common/search-envelope.ts';
import { activityKinds, channels } from './activities.ts';

/** The operations that say when an activity happened. */
export const whenOperations = [
  'in_last',
  'not_in_last',
  'equals',
  'less_than',
  'less_than_or_equal',
  'greater_than',
  'greater_than_or_equal',
  'between',
] as const;

const only = 'Only for the field `activity`.';

/** Null and blank are refused. To ignore them would match more contacts. */
const strict = { 'x-refuse-null': true } as const;

/** When the activities of a condition happened. */
const When = Type.Object(
  {
    operation: Type.String({
      minLength: 1,
      maxLength: 255,
      description: `${whenOperations.map((name) => `\`${name}\``).join(', ')}. The same as for a date-time field.`,
      examples: ['in_last'],
    }),
    value: Type.Optional(
      Type.Array(
        Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'], format: 'condition-value' }),
        {
          maxItems: searchLimits.valuesPerCondition,
          description:
            'A length of time, such as `30 days`, for `in_last` and `not_in_last`. For the other operations: dates, date-times or relative dates, such as `today`, `-30 days` or `last month`.',
          examples: [['30 days']],
        },
      ),
    ),
  },
  { description: `${only} When they happened. Default: at any time that the account keeps.`, ...strict, ...closed },
);

const maxItems = searchLimits.valuesPerCondition;

/** The parts of a condition on activities. A condition on another field cannot have them. */
export const activityConditionProperties = {
  activity: Type.Optional(
    Type.Array(Type.Enum([...activityKinds]), {
      minItems: 1,
      maxItems: activityKinds.length,
      ...strict,
      description: `${only} What happened: one of these. Default: anything, also \`sent\`.`,
      examples: [['open']],
    }),
  ),
  channel: Type.Optional(
    Type.Array(Type.Enum([...channels]), {
      minItems: 1,
      maxItems: channels.length,
      ...strict,
      description: `${only} On one of these channels. Default: on any.`,
      examples: [['email']],
    }),
  ),
  message_id: Type.Optional(
    Type.Array(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), {
      minItems: 1,
      maxItems,
      ...strict,
      description: `${only} With one of these messages. Default: with any.`,
      examples: [[4711]],
    }),
  ),
  message_name: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
      minItems: 1,
      maxItems,
      ...strict,
      description: `${only} With a message of one of these names, instead of \`message_id\`. The name that the activity was recorded with counts, and the latest name of its message.`,
      examples: [['Winter offers']],
    }),
  ),
  when: Type.Optional(When),
};
