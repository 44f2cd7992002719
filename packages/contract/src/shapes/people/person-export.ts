import { liveChangeCauses } from '../contacts/audiences.ts';
import { Type, type Static } from 'typebox';
import { derivedValue } from '../contacts/derived-attributes.ts';
import { activityKinds, channels } from '../contacts/activities.ts';
import { dataTypes } from '../contacts/attributes.ts';
import { contactTypes, optOutChannels } from '../contacts/contacts.ts';
import { erasureExportFile } from './erasures.ts';
import { contactEventKinds } from './profiles.ts';
import { mailStatuses } from '../service/mails.ts';
import { requestStatuses } from '../service/requests.ts';
import { failureKinds } from '../../catalogue/failures.ts';
import { exampleMoment } from '../common/envelope.ts';
import { momentOrNull } from '../common/fields.ts';

const time = (description?: string) =>
  Type.String({ format: 'date-time', ...(description === undefined ? {} : { description }) });
const textOrNull = Type.Union([Type.String(), Type.Null()]);
const audience = Type.Object({
  audience_id: Type.Integer({ examples: [1] }),
  name: Type.String({ examples: ['Newsletter'] }),
});

/** A part of a stored request. */
const asGiven = (description: string) =>
  Type.Unsafe<object>({
    type: 'object',
    additionalProperties: true,
    description,
    examples: [{ identity: 'asha@example.com' }],
  });

const personAttribute = Type.Object({
  name: Type.String({ examples: ['FIRST_NAME'] }),
  data_type: Type.Enum([...dataTypes]),
  value: Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'], examples: ['Asha'] }),
});

const personContact = Type.Object({
  contact_id: Type.Integer({ examples: [1] }),
  identity: Type.Union([Type.String(), Type.Null()], { description: 'Null for an anonymous contact.' }),
  contact_type: Type.Enum([...contactTypes]),
  type_before_blacklisting: Type.Union([Type.Enum([...contactTypes]), Type.Null()]),
  email: textOrNull,
  mobile: textOrNull,
  attributes: Type.Array(personAttribute, { description: 'Every value, unmasked.' }),
  created_at: time(),
  updated_at: time(),
});

const personOptOut = Type.Object({
  channel: Type.Enum([...optOutChannels]),
  opted_out: Type.Boolean(),
  opted_in_at: momentOrNull('When the contact last opted in to the channel again. Null if it never did.'),
  last_activity: Type.Union(
    [Type.Object({ activity: Type.Enum([...activityKinds]), occurred_at: time() }), Type.Null()],
    {
      description:
        'The last activity that opted the contact out of the channel, if it is still kept. Opt-outs by API calls are in `requests`.',
    },
  ),
});

const personSignUp = Type.Object({
  sign_up_id: Type.String({ format: 'uuid' }),
  created_at: time(),
  expires_at: time('When the link expires.'),
  used_at: momentOrNull('When the link was used.'),
  contact: Type.Union([asGiven('The contact as the sign-up sent it.'), Type.Null()], {
    description: 'Null when the link was used.',
  }),
});

const personMail = Type.Object({
  mail_id: Type.String({ format: 'uuid' }),
  template: Type.String({ examples: ['sign_up_link'] }),
  to: Type.String({ examples: ['asha@example.com'] }),
  subject: Type.String({ examples: ['Please confirm your address for Acme India'] }),
  text: Type.String({
    examples: ['Please confirm your address for Acme India\n\nConfirm the address:\n[link]\n'],
    description: 'The mail in plain text. `[link]` replaces each link, because links can be secrets.',
  }),
  status: Type.Enum([...mailStatuses]),
  created_at: time(),
  sent_at: momentOrNull('When the mail server accepted it.', exampleMoment),
});

const personChange = Type.Object({
  kind: Type.Enum([...contactEventKinds]),
  occurred_at: time('When the request that made the change was accepted.'),
  request_id: Type.String({ format: 'uuid' }),
  details: Type.Unsafe<Record<string, string | null>>({
    type: 'object',
    additionalProperties: { type: ['string', 'null'] },
    description: 'What changed: `from`, `to`, `channel`, `cause` and `activity`, as far as they apply.',
    examples: [{ from: 'identified', to: 'blacklisted', cause: 'opt-out' }],
  }),
});

const personOperatorAction = Type.Object({
  occurred_at: time(),
  actor: Type.String({ examples: ['operator'] }),
  action: Type.String({ examples: ['contact.block'] }),
});

const personRequestItem = Type.Object({
  index: Type.Integer({ minimum: 0, description: 'Index of the item in the request, from 0.' }),
  item: asGiven('The item as it was stored.'),
  failures: Type.Array(
    Type.Object({
      code: Type.String({ examples: ['attribute_type_mismatch'] }),
      field: Type.Union([Type.String(), Type.Null()], { examples: ['attributes.AGE'] }),
      message: Type.String({ examples: [failureKinds.attribute_type_mismatch.message] }),
      warning: Type.Boolean({ examples: [true] }),
    }),
    { description: 'Why the item was not applied, or only in part.' },
  ),
});

const personRequest = Type.Object({
  request_id: Type.String({ format: 'uuid' }),
  operation: Type.String({ examples: ['contact.create'] }),
  accepted_at: time(),
  finished_at: momentOrNull('When it was applied. Null while it waits.', exampleMoment),
  status: Type.Enum([...requestStatuses], { examples: ['done'] }),
  items: Type.Array(personRequestItem, { description: 'The items of the request that name the person.' }),
});

const personActivity = Type.Object({
  channel: Type.Enum([...channels]),
  activity: Type.Enum([...activityKinds]),
  occurred_at: time(),
  message_id: Type.Union([Type.Integer(), Type.Null()]),
  msg_name: textOrNull,
  bounce_type: Type.Union([Type.Enum(['hard', 'soft']), Type.Null()]),
  ip: textOrNull,
  device: textOrNull,
  os: textOrNull,
  browser: textOrNull,
  link: textOrNull,
});

const personSegmentChange = Type.Object({
  audience_id: Type.Integer({ examples: [7] }),
  change: Type.Enum(['entered', 'left'], { examples: ['entered'] }),
  cause: Type.Enum([...liveChangeCauses], { examples: ['changed'] }),
  occurred_at: time(),
});

/**
 * Everything that the service knows about one person. It is streamed in this order, with `complete`
 * at the end.
 */
export const PersonExport = Type.Object(
  {
    exported_at: time(),
    account: Type.Object({
      account_id: Type.Integer({ examples: [1] }),
      name: Type.String({ examples: ['Acme India'] }),
      primary_key: Type.String({ examples: ['EMAIL'] }),
    }),
    contact: personContact,
    former_identities: Type.Array(
      Type.Object({
        identity: Type.String({ examples: ['asha@example.net'] }),
        changed_at: time('When the contact got another identity.'),
      }),
      {
        description: 'Identities that the contact had before.',
      },
    ),
    changes: Type.Array(personChange, {
      description: 'Changes of its type, identity and opt-outs since Roster stores them, oldest first.',
    }),
    lists: Type.Array(audience),
    segments: Type.Array(audience, {
      description: 'Segments that contain the contact. A segment that cannot be evaluated is left out.',
    }),
    segment_changes: Type.Array(personSegmentChange, {
      description: 'When the contact entered and left live segments, as long as this is kept, oldest first.',
    }),
    derived_attributes: Type.Array(derivedValue, {
      description: 'The attributes that are computed from the activities of the person, if the account has them.',
    }),
    opt_outs: Type.Array(personOptOut),
    operator_actions: Type.Array(personOperatorAction, {
      description:
        'Actions of operators on the contact, such as blocking it, oldest first. Requests and activities can change its type, too.',
    }),
    sign_ups: Type.Array(personSignUp, { description: 'Oldest first, without their tokens.' }),
    mails: Type.Array(personMail, { description: 'Mails to the address of the contact, oldest first.' }),
    export_files: Type.Array(erasureExportFile, {
      description: 'Files of exports that may contain the contact and have not expired.',
    }),
    requests: Type.Array(personRequest, {
      description: 'Requests that named the person and are still kept, newest first.',
    }),
    activities: Type.Array(personActivity, { description: 'All activities that are still kept, oldest first.' }),
    complete: Type.Literal(true, { description: 'The last field. Without it, the answer was cut off.' }),
  },
  { $id: 'PersonExport', description: 'Everything that is known about a person.' },
);

/** Everything that the service knows about one person, as a type. */
export type PersonExport = Static<typeof PersonExport>;
