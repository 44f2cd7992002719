import { Type, type Static } from 'typebox';
import { CreateSignUpBody } from './sign-ups.ts';
import { exampleMoment } from '../common/envelope.ts';

/** Query of erasing a contact. `mode` is required, because an erasure cannot be undone. */
export const EraseContactQuery = Type.Object(
  {
    mode: Type.Enum(['erase'], {
      description:
        '`erase`: erases the contact and every trace of it that the service can find. Required, because an erasure cannot be undone.',
    }),
  },
  { additionalProperties: false },
);

/** States of an erasure. The contact is already gone in both. Only its traces can be left. */
const erasureStatuses = ['running', 'done'] as const;

const count = (description: string) => Type.Integer({ minimum: 0, description, examples: [3] });

/** A file of an export that may contain a person and has not expired. */
export const erasureExportFile = Type.Object({
  request_id: Type.String({ format: 'uuid', description: 'The export.' }),
  audience_type: Type.Union([Type.Enum(['list', 'segment']), Type.Null()], {
    description: 'Null for an export of a filter.',
    examples: ['list'],
  }),
  audience_id: Type.Union([Type.Integer(), Type.Null()], { examples: [1] }),
  status: Type.Enum(['running', 'completed'], { description: '`running`: the file is being written.' }),
  expires_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When the file is deleted. Null until the export is completed.',
  }),
});

/**
 * An erasure as the operator API shows it. It contains nothing about the person except the number
 * of the contact.
 */
export const Erasure = Type.Object(
  {
    request_id: Type.String({ format: 'uuid', description: 'Identifier of the erasure and of its request.' }),
    contact_id: Type.Integer({ description: 'Number that the contact had.', examples: [1] }),
    status: Type.Enum([...erasureStatuses], {
      description:
        '`running`: the contact is gone, and sending it again fails. Its traces in the request log, its activities, mails and sign-ups are being erased in the background. `done`: the erasure is complete.',
      examples: ['running'],
    }),
    accepted_at: Type.String({ format: 'date-time' }),
    erased_at: Type.String({ format: 'date-time', description: 'When the contact was erased.' }),
    finished_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When everything was erased. Null while the erasure runs.',
      examples: [exampleMoment],
    }),
    erased: Type.Object(
      {
        items: count('Items of requests.'),
        mails: count('Mails to the person.'),
        sign_ups: count('Sign-ups.'),
      },
      { description: 'Traces that were erased so far, not counting the contact and its activities.' },
    ),
    export_files: Type.Array(erasureExportFile, {
      description:
        'Files of exports that may contain the person and have not expired: all files of segments and filters, and files of lists that the person may have been in. They expire after 7 days. Files of schedules stay longer, and Roster cannot delete files in S3.',
    }),
  },
  { $id: 'Erasure', description: 'The erasure of a person and its progress.' },
);

/** The number of forgotten people of an account. Only their hashes are kept. */
export const Forgotten = Type.Object(
  {
    people: Type.Integer({
      minimum: 0,
      description: 'Number of erased people whose hashes are kept, so that they are not stored again.',
      examples: [3],
    }),
  },
  {
    $id: 'Forgotten',
    description: 'The number of erased people whose hashes are kept.',
  },
);

const { identity, email, mobile } = CreateSignUpBody.properties;

/** Body of allowing a forgotten person again: an identifier of the person. */
export const RememberBody = Type.Object(
  {
    identity: Type.Optional(identity),
    email: Type.Optional(email),
    mobile: Type.Optional(mobile.anyOf[0]),
  },
  {
    $id: 'RememberBody',
    description: 'The person who can be stored again.',
    additionalProperties: false,
    'x-needs-one-of': {
      fields: ['identity', 'email', 'mobile'],
      message: 'needs the identity, email or mobile of the person',
    },
  },
);

/** Answer of allowing a forgotten person again. */
export const Remembered = Type.Object(
  {
    people: Type.Integer({
      minimum: 1,
      description:
        'Number of erased people who can be stored again. It can be more than one if they shared an address.',
      examples: [1],
    }),
  },
  { $id: 'Remembered', description: 'The person can be stored again.' },
);

export type EraseContactQuery = Static<typeof EraseContactQuery>;
export type Erasure = Static<typeof Erasure>;
export type Forgotten = Static<typeof Forgotten>;
export type RememberBody = Static<typeof RememberBody>;
export type Remembered = Static<typeof Remembered>;
