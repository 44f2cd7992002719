import { Type, type Static } from 'typebox';
import type { AttributeUse } from './attributes.ts';

/** A derived attribute, which searches can use like any attribute. */
export const DerivedAttribute = Type.Object(
  {
    name: Type.String({ description: 'Name of the field in searches.', examples: ['activity.email.last_open'] }),
    data_type: Type.Enum(['number', 'datetime']),
    description: Type.String({ examples: ['When a message on this channel was opened last.'] }),
  },
  { $id: 'DerivedAttribute', description: 'An attribute that is computed from the activities of a contact.' },
);

/** A derived attribute of one contact. */
export const derivedValue = Type.Object({
  name: Type.String({ examples: ['activity.email.last_open'] }),
  data_type: Type.Enum(['number', 'datetime']),
  value: Type.Union([Type.Number(), Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'A number, a time, or null for a time without a value.',
  }),
});

/** What the service does with the derived attributes of an account. */
export const derivedAttributeStates = ['off', 'building', 'ready', 'rebuilding', 'removing'] as const;

/** The derived attributes of an account. */
export const DerivedAttributes = Type.Object(
  {
    state: Type.Enum([...derivedAttributeStates], {
      description:
        '`off`: the setting `derived_attributes` is off. `building`: the attributes are being computed the first time, and searches refuse them. `ready`: searches can use them. `rebuilding`: searches can use them, and they are being computed again. `removing`: the setting was switched off, and the stored values are being deleted.',
    }),
    progress: Type.Union(
      [
        Type.Object({
          done: Type.Integer({ minimum: 0, description: 'Activities that have been read.' }),
          total: Type.Integer({ minimum: 0, description: 'Activities of the account when it began.' }),
        }),
        Type.Null(),
      ],
      { description: 'How far the attributes are computed. Null unless they are being computed.' },
    ),
    requested_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When they were switched on or off, or requested again. Null if they never were.',
    }),
    attributes: Type.Array(Type.Ref('DerivedAttribute'), {
      description: 'All derived attributes, also if they are off.',
    }),
    uses: Type.Array(Type.Ref('AttributeUse'), {
      description:
        'What uses derived attributes directly: segments, event subscriptions, exports and their schedules, bulk changes, and shared views. If you switch them off, all of these fail or pause.',
    }),
  },
  { $id: 'DerivedAttributes', description: 'The derived attributes of an account, and their state.' },
);

export type DerivedAttribute = Static<typeof DerivedAttribute>;
/** The derived attributes of an account, as an answer has them. */
export interface DerivedAttributes extends Omit<Static<typeof DerivedAttributes>, 'attributes' | 'uses'> {
  readonly attributes: readonly DerivedAttribute[];
  readonly uses: readonly AttributeUse[];
}
