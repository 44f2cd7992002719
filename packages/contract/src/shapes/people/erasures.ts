import { Type, type Static } from 'typebox';
import { CreateSignUpBody } from './sign-ups.ts';
import { exampleMoment } from '../common/examples.ts';

/** Query of the deletion of a contact by an operator: it says what is meant, because it cannot be taken back. */
export const EraseContactQuery = Type.Object(
  {
    mode: Type.Enum(['erase'], {
      description:
        '`erase`: the contact and every trace of it that the service can find. Required, because it cannot be taken back.',
    }),
  },
  { additionalProperties: false },
);

/** What becomes of an erasure: its contact is gone at once, and its traces are being erased or have been. */
export const erasureStatuses = ['running', 'done'] as const;

const count = (description: string) => Type.Integer({ minimum: 0, description, examples: [3] });

/** A file of an export that may contain a person and is still there. */
export const erasureExportFile = Type.Object({
  request_id: Type.String({ format: 'uuid', description: 'The export.' }),
  audience_type: Type.Enum(['list', 'segment']),
  audience_id: Type.Integer({ examples: [1] }),
  status: Type.Enum(['running', 'completed'], { description: '`running`: the file is being written.' }),
  expires_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When the file is deleted; null until it is completed.',
  }),
});

/** An erasure as the operator API shows it; it says nothing about the person but the number that the contact had. */
export const Erasure = Type.Object(
  {
    request_id: Type.String({ format: 'uuid', description: 'Identifier of the erasure, and of its request.' }),
    contact_id: Type.Integer({ description: 'Number that the contact had.', examples: [1] }),
    status: Type.Enum([...erasureStatuses], {
      description:
        '`running`: the contact is gone, and is refused when it is sent again; its traces in the request log, its activities, mails and sign-ups are being erased in the background. `done`: nothing is left to do.',
      examples: ['running'],
    }),
    accepted_at: Type.String({ format: 'date-time' }),
    erased_at: Type.String({ format: 'date-time', description: 'When the contact was gone.' }),
    finished_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When everything was; null while it runs.',
      examples: [exampleMoment],
    }),
    erased: Type.Object(
      {
        items: count('Items of requests.'),
        mails: count('Mails to the person.'),
        sign_ups: count('Sign-ups.'),
      },
      { description: 'How much was erased so far besides the contact and its activities.' },
    ),
    export_files: Type.Array(erasureExportFile, {
      description:
        'Files of exports that may contain the person and are still there: of the segments, and of the lists that it was in or may have been in when they were written. They expire by themselves after 7 days.',
    }),
  },
  { $id: 'Erasure', description: 'The erasure of a person and its progress.' },
);

/** Whom an account has forgotten: only their number is known. */
export const Forgotten = Type.Object(
  {
    people: Type.Integer({
      minimum: 0,
      description: 'Number of erased contacts of which hashes are kept, so that they are not imported again.',
      examples: [3],
    }),
  },
  {
    $id: 'Forgotten',
    description: 'A person who was erased, kept as a hash so that they are not stored again by accident.',
  },
);

const { identity, email, mobile } = CreateSignUpBody.properties;

/** Body of the undoing of a forgetting: what the person was known by. */
export const RememberBody = Type.Object(
  {
    identity: Type.Optional(identity),
    email: Type.Optional(email),
    mobile: Type.Optional(mobile.anyOf[0]),
  },
  {
    $id: 'RememberBody',
    description: 'The person who may be stored again.',
    additionalProperties: false,
    'x-needs-one-of': {
      fields: ['identity', 'email', 'mobile'],
      message: 'needs identity, email or mobile of the person',
    },
  },
);

/** Answer to the undoing of a forgetting. */
export const Remembered = Type.Object(
  {
    people: Type.Integer({
      minimum: 1,
      description: 'Number of erased contacts that may come back: several, if they shared an address.',
      examples: [1],
    }),
  },
  { $id: 'Remembered', description: 'The person may be stored again.' },
);

export type EraseContactQuery = Static<typeof EraseContactQuery>;
export type Erasure = Static<typeof Erasure>;
export type Forgotten = Static<typeof Forgotten>;
export type RememberBody = Static<typeof RememberBody>;
export type Remembered = Static<typeof Remembered>;
