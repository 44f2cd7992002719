import { Type, type Static } from 'typebox';
import { activityKinds, channels } from '../contacts/activities.ts';
import { derivedValue } from '../contacts/derived-attributes.ts';
import { dataMaskings, dataTypes } from '../contacts/attributes.ts';
import { contactTypes, optOutChannels } from '../contacts/contacts.ts';
import { exampleMoment, exampleRequestId } from '../common/envelope.ts';
import { nextCursor, pageQueryProperties } from '../common/paging.ts';
import { moment, momentOrNull } from '../common/fields.ts';

const textOrNull = (description: string, example: string | null = null) =>
  Type.Union([Type.String(), Type.Null()], { description, examples: [example] });
const requestOrNull = Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
  description: 'The request that made the change. Null when there was none, or it is unknown.',
  examples: [exampleRequestId],
});
const audience = Type.Object({
  audience_id: Type.Integer({ examples: [1] }),
  name: Type.String({ examples: ['Newsletter'] }),
});

/** Why a contact has its type. `created`: it has had the type from the start. */
export const typeCauses = ['created', 'identity', 'verification', 'opt-out', 'opt-in', 'block', 'unblock'] as const;

const causeOrNull = Type.Union([Type.Enum([...typeCauses]), Type.Null()], {
  description:
    '`created`: from the start. `identity`: an anonymous contact got an identity. `verification`: the link of a sign-up was used. `opt-out`, `opt-in`: on the channel email. `block`, `unblock`: an operator did it. Null when it happened before Roster stored causes.',
  examples: ['opt-out'],
});

const activityOrNull = Type.Union([Type.Enum([...activityKinds]), Type.Null()], {
  description: 'The kind of the activity that opted the contact out. Null when a request did it.',
  examples: ['unsubscribe'],
});

const profileAttribute = Type.Object({
  attribute_id: Type.Integer({ examples: [1] }),
  name: Type.String({ examples: ['FIRST_NAME'] }),
  data_type: Type.Enum([...dataTypes]),
  data_masking: Type.Enum([...dataMaskings]),
  mapping: textOrNull('The system attribute that it is mapped to.'),
  value: Type.Unsafe<string | number | boolean | null>({
    type: ['string', 'number', 'boolean', 'null'],
    description: 'Null when the contact has no value. Masked if the caller must not see it.',
    examples: ['Asha'],
  }),
});

const profileOptOut = Type.Object({
  channel: Type.Enum([...optOutChannels]),
  opted_out: Type.Boolean({ description: 'True when nothing must be sent on the channel.' }),
  since: momentOrNull(
    'When the contact last opted out or in. Null when it never did, or it is unknown.',
    exampleMoment,
  ),
  activity: activityOrNull,
  request_id: requestOrNull,
});

const lifecycle = Type.Object({
  contact_type: Type.Enum([...contactTypes]),
  type_before_blacklisting: Type.Union([Type.Enum([...contactTypes]), Type.Null()], {
    description: 'The type to which an opt-in or an unblock returns the contact.',
  }),
  since: momentOrNull('Since when the contact has its type. Null when it is unknown.', exampleMoment),
  cause: causeOrNull,
  activity: activityOrNull,
  request_id: requestOrNull,
});

/** Everything that an operator sees about one contact, except its timeline. */
export const ContactProfile = Type.Object(
  {
    contact_id: Type.Integer({ examples: [1] }),
    identity: textOrNull('Value of the primary key. Null for an anonymous contact.', 'asha@example.com'),
    email: textOrNull('E-mail address.', 'asha@example.com'),
    mobile: textOrNull('Mobile number.', '919812345678'),
    attributes: Type.Array(profileAttribute, {
      description: 'All attributes of the account, also those without a value, in the order of creation.',
    }),
    derived_attributes: Type.Array(derivedValue, {
      description:
        'The attributes that are computed from the activities of the contact. Empty if the account does not have them, or if you may not see activities.',
    }),
    lists: Type.Array(audience, { description: 'The lists of the contact.' }),
    segments: Type.Array(audience, { description: 'The segments that the contact matches now.' }),
    unusable_segments: Type.Array(audience, {
      description: 'Segments that cannot be evaluated, because they use something that was deleted.',
    }),
    opt_outs: Type.Array(profileOptOut),
    lifecycle,
    former_identities: Type.Array(
      Type.Object({
        identity: Type.String({ examples: ['asha@example.net'] }),
        changed_at: moment('When the contact got another identity.'),
      }),
      { description: 'Identities that the contact had before, oldest first.' },
    ),
    created_at: moment('When the contact was created.'),
    updated_at: moment('When the contact last changed. Each change gives it another value.'),
    version: Type.String({
      description: 'The version of the contact. Send it as `If-Match` with a change.',
      examples: ['"1769850000000"'],
    }),
  },
  { $id: 'ContactProfile', description: 'A contact with its audiences, opt-outs and lifecycle.' },
);

/** Answer of changing one contact. */
export const ContactChanged = Type.Object(
  {
    request_id: Type.String({ format: 'uuid', description: 'The request in the log that made the change.' }),
    warnings: Type.Array(
      Type.Object({
        code: Type.String({ examples: ['list_unknown'] }),
        field: textOrNull('The part of the change that was left out.', 'audience_details[0].audience_id'),
        message: Type.String({ examples: ['The account has no list with this audience_id. The list was left out.'] }),
      }),
      {
        description:
          'Parts that were left out because an attribute or list changed while the change waited. Nearly always empty.',
      },
    ),
    contact: Type.Ref('ContactProfile'),
  },
  { $id: 'ContactChanged', description: 'The contact after the change.' },
);

/** Kinds of the stored changes of a contact (contact events). */
export const contactEventKinds = ['type_changed', 'identity_changed', 'opted_out', 'opted_in'] as const;

/** One of {@link contactEventKinds}. */
export type ContactEventKind = (typeof contactEventKinds)[number];

/** The kinds of entries of a timeline. */
export const timelineKinds = ['created', 'request', 'activity', ...contactEventKinds] as const;

/** Kind of an entry of a timeline. */
export type TimelineKind = (typeof timelineKinds)[number];

/** Query of the timeline of a contact. */
export const ContactTimelineQuery = Type.Object(
  {
    ...pageQueryProperties,
    kinds: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        'x-blank-is-absent': true,
        description: `Only entries of these kinds, separated by commas. Default: all. The kinds are ${timelineKinds.map((kind) => `\`${kind}\``).join(', ')}.`,
        examples: ['activity,request'],
      }),
    ),
  },
  { additionalProperties: false },
);

const timelineRequest = Type.Object({
  request_id: Type.String({ format: 'uuid' }),
  operation: textOrNull('Kind of the request. Null when the request is no longer kept.', 'contact.update'),
  status: Type.Union([Type.Enum(['done', 'failed']), Type.Null()], { examples: ['done'] }),
  total: Type.Union([Type.Integer(), Type.Null()], { description: 'Items of the whole request.', examples: [1] }),
  failed: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Items of the whole request that were not applied.',
    examples: [0],
  }),
});

const timelineActivity = Type.Object({
  channel: Type.Enum([...channels]),
  activity: Type.Enum([...activityKinds]),
  message_id: Type.Union([Type.Integer(), Type.Null()], { examples: [81] }),
  msg_name: textOrNull('Name of the message.', 'January offer'),
  bounce_type: Type.Union([Type.Enum(['hard', 'soft']), Type.Null()]),
  ip: textOrNull('IP address of the person.'),
  device: textOrNull('Device of the person.'),
  os: textOrNull('Operating system of the person.'),
  browser: textOrNull('Browser of the person.'),
  link: textOrNull('The link that was clicked.'),
});

const timelineChange = Type.Object({
  from: textOrNull('The type or identity before.', 'identified'),
  to: textOrNull('The type or identity after.', 'blacklisted'),
  channel: Type.Union([Type.Enum([...optOutChannels]), Type.Null()], {
    description: 'The channel of an opt-out or opt-in.',
  }),
  cause: causeOrNull,
  activity: activityOrNull,
});

/** One entry of the timeline of a contact. */
export const TimelineEntry = Type.Object(
  {
    kind: Type.Enum([...timelineKinds], {
      description:
        '`request`: a request named the contact, and perhaps changed it. `activity`: something was sent, or the person did something. The others are changes of the contact.',
      examples: ['request'],
    }),
    occurred_at: moment('When it happened. Requests and changes have the time at which the request was accepted.'),
    request: Type.Union([timelineRequest, Type.Null()], {
      description: 'The request, or the request that made the change. Null for `activity` and `created`.',
    }),
    activity: Type.Union([timelineActivity, Type.Null()], { description: 'Only for `activity`.', examples: [null] }),
    change: Type.Union([timelineChange, Type.Null()], {
      description: 'Only for `type_changed`, `identity_changed`, `opted_out` and `opted_in`.',
      examples: [null],
    }),
  },
  { $id: 'TimelineEntry', description: 'Something that happened to a contact.' },
);

/** Answer of the timeline of a contact. */
export const ContactTimeline = Type.Object(
  { data: Type.Array(Type.Ref('TimelineEntry')), next_cursor: nextCursor },
  {
    $id: 'ContactTimeline',
    description: 'Entries of the timeline, newest first. A page can have fewer entries than `limit`, even none.',
  },
);

export type ContactProfile = Static<typeof ContactProfile>;
export type ContactTimelineQuery = Static<typeof ContactTimelineQuery>;
export type TimelineEntry = Static<typeof TimelineEntry>;

/** Answer of changing one contact, as a type. */
export interface ContactChanged {
  readonly request_id: string;
  readonly warnings: readonly { readonly code: string; readonly field: string | null; readonly message: string }[];
  readonly contact: ContactProfile;
}
