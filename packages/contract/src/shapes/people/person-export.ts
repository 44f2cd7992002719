import { Type, type Static } from 'typebox';
import { activityKinds, channels } from '../contacts/activities.ts';
import { dataTypes } from '../contacts/attributes.ts';
import { contactTypes, optOutChannels } from '../contacts/contacts.ts';
import { erasureExportFile } from './erasures.ts';
import { mailStatuses } from '../service/mails.ts';
import { requestStatuses } from '../service/requests.ts';
import { failureKinds } from '../../catalogue/errors.ts';
import { exampleMoment } from '../common/examples.ts';

const time = (description?: string) =>
  Type.String({ format: 'date-time', ...(description === undefined ? {} : { description }) });
const timeOrNull = (description: string, example: string | null = null) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description, examples: [example] });
const textOrNull = Type.Union([Type.String(), Type.Null()]);
const audience = Type.Object({
  audience_id: Type.Integer({ examples: [1] }),
  name: Type.String({ examples: ['Newsletter'] }),
});

/** A part of a request, as it was read. */
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
  opted_in_at: timeOrNull('When the contact last came back to the channel; null when it never did.'),
  last_activity: Type.Union(
    [Type.Object({ activity: Type.Enum([...activityKinds]), occurred_at: time() }), Type.Null()],
    {
      description:
        'The last activity that opts out of the channel, as far as activities are kept; an opt-out by a caller is among the requests.',
    },
  ),
});

const personSignUp = Type.Object({
  sign_up_id: Type.String({ format: 'uuid' }),
  created_at: time(),
  expires_at: time('Until when the link confirms.'),
  used_at: timeOrNull('When the link was used.'),
  contact: Type.Union([asGiven('What the form gave.'), Type.Null()], { description: 'Null once the link was used.' }),
});

const personMail = Type.Object({
  mail_id: Type.String({ format: 'uuid' }),
  template: Type.String({ examples: ['sign_up_link'] }),
  to: Type.String({ examples: ['asha@example.com'] }),
  subject: Type.String({ examples: ['Please confirm your address for Acme India'] }),
  text: Type.String({
    examples: ['Please confirm your address for Acme India\n\nConfirm the address:\n[link]\n'],
    description: 'The mail in plain text, with `[link]` in place of each link: links can be secrets.',
  }),
  status: Type.Enum([...mailStatuses]),
  created_at: time(),
  sent_at: timeOrNull('When the mail server took it.', exampleMoment),
});

const personOperatorAction = Type.Object({
  occurred_at: time(),
  actor: Type.String({ examples: ['operator'] }),
  action: Type.String({ examples: ['contact.block'] }),
});

const personRequestItem = Type.Object({
  index: Type.Integer({ minimum: 0, description: 'Index of the item in the request, from 0.' }),
  item: asGiven('The item, as it was read.'),
  failures: Type.Array(
    Type.Object({
      code: Type.String({ examples: ['attribute_type_mismatch'] }),
      field: Type.Union([Type.String(), Type.Null()], { examples: ['attributes.AGE'] }),
      message: Type.String({ examples: [failureKinds.attribute_type_mismatch.message] }),
      warning: Type.Boolean({ examples: [true] }),
    }),
    { description: 'Why the item was not applied, or not wholly.' },
  ),
});

const personRequest = Type.Object({
  request_id: Type.String({ format: 'uuid' }),
  operation: Type.String({ examples: ['contact.create'] }),
  accepted_at: time(),
  finished_at: timeOrNull('When it was applied; null while it waits.', exampleMoment),
  status: Type.Enum([...requestStatuses], { examples: ['done'] }),
  items: Type.Array(personRequestItem, { description: 'Those items of the request that name the person.' }),
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

/** All that the service knows of one person, as it is streamed: in this order, `complete` last. */
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
        changed_at: time('When it got another.'),
      }),
      {
        description: 'Identities that the contact had before.',
      },
    ),
    lists: Type.Array(audience),
    segments: Type.Array(audience, {
      description: 'The segments that the contact falls into. One that cannot be evaluated is left out.',
    }),
    opt_outs: Type.Array(personOptOut),
    operator_actions: Type.Array(personOperatorAction, {
      description:
        'What operators did to the contact, such as blocking it, oldest first. The other moves of its type come from requests and activities.',
    }),
    sign_ups: Type.Array(personSignUp, { description: 'Oldest first, without their tokens.' }),
    mails: Type.Array(personMail, { description: 'Mails to the address of the contact, oldest first.' }),
    export_files: Type.Array(erasureExportFile, {
      description: 'Files of exports that may contain the contact and are still there.',
    }),
    requests: Type.Array(personRequest, {
      description: 'The requests that touched the person, as far as they are kept, newest first.',
    }),
    activities: Type.Array(personActivity, { description: 'All that are kept, oldest first.' }),
    complete: Type.Literal(true, { description: 'The last field: an answer without it broke off.' }),
  },
  { $id: 'PersonExport', description: 'Everything that is known about a person.' },
);

/** The parts of {@link PersonExport}, as they are written one after the other. */
export type PersonExport = Static<typeof PersonExport>;
