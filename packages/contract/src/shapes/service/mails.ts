import { Type, type Static } from 'typebox';
import { pageQueryProperties } from '../common/paging.ts';
import { exampleMoment } from '../common/examples.ts';

/** What became of a mail: it waits for no server, waits to be sent, was taken by the server, or was given up. */
export const mailStatuses = ['stored', 'pending', 'sent', 'failed'] as const;

/** Status of a mail. */
export type MailStatus = (typeof mailStatuses)[number];

/** Why an attempt to send a mail can fail. */
export interface MailErrorKind {
  /** True when the same mail would fail again: it is given up at once. Otherwise it is tried again for 24 hours. */
  readonly final: boolean;
  readonly message: string;
}

/** Every reason why an attempt to send a mail can fail; `docs/errors.md` is generated from it. Messages never contain addresses. */
export const mailErrors = {
  server_unreachable: {
    final: false,
    message: 'The connection to the mail server failed or broke. Check the host and port of SMTP_URL.',
  },
  timeout: { final: false, message: 'The mail server did not respond in time.' },
  tls_failed: {
    final: false,
    message: 'The encrypted connection failed. The mail server does not offer one, or its certificate is not valid.',
  },
  login_refused: {
    final: false,
    message: 'The mail server refused the login, or requires one. Check the user and password of SMTP_URL.',
  },
  sender_refused: { final: false, message: 'The mail server refused the sender. Check ROSTER_MAIL_FROM.' },
  deferred: { final: false, message: 'The mail server cannot accept the mail now. Another attempt follows.' },
  recipient_refused: { final: true, message: 'The mail server refused the recipient permanently.' },
  message_refused: { final: true, message: 'The mail server refused the message permanently.' },
  server_error: { final: false, message: 'The response of the mail server is not valid SMTP.' },
} as const satisfies Record<string, MailErrorKind>;

/** A reason why an attempt to send a mail failed. */
export type MailErrorCode = keyof typeof mailErrors;

/** Query of the listing of mails. */
export const ListMailsQuery = Type.Object(
  {
    ...pageQueryProperties,
    status: Type.Optional(Type.Enum([...mailStatuses], { description: 'Only mails of this status.' })),
  },
  { additionalProperties: false },
);

const time = (description: string, example: string | null = null) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description, examples: [example] });

const mailProperties = {
  mail_id: Type.String({
    format: 'uuid',
    description: 'Identifier of the mail, a time-ordered UUID, and the local part of its Message-ID.',
  }),
  template: Type.String({ description: 'What the mail is about.', examples: ['export_finished'] }),
  to: Type.String({ format: 'email', examples: ['asha@example.com'] }),
  subject: Type.String({ examples: ['The export of the list “Newsletter” is ready'] }),
  status: Type.Enum([...mailStatuses], {
    description:
      '`stored`: no mail server is configured, so nothing else happens. `pending`: waits for its next attempt. `sent`: the mail server took it. `failed`: given up, because of a refusal that is final or after 24 hours.',
    examples: ['sent'],
  }),
  attempts: Type.Integer({ minimum: 0, description: 'Attempts that have ended.', examples: [1] }),
  last_error: Type.Union(
    [
      Type.Object({
        code: Type.Enum(Object.keys(mailErrors), { description: 'Stable code; docs/errors.md lists them.' }),
        message: Type.String(),
        reply: Type.Union([Type.String(), Type.Null()], {
          description:
            'Reply codes of the mail server, such as `550 5.1.1`; never its text, which can quote addresses.',
        }),
      }),
      Type.Null(),
    ],
    { description: 'Why the last attempt failed; null when none did.' },
  ),
  created_at: Type.String({ format: 'date-time' }),
  sent_at: time('When the mail server took it.', exampleMoment),
  next_attempt_at: time('When it is tried (again); null unless it is pending.'),
};

/** A mail as the operator API lists it. */
export const MailSummary = Type.Object(mailProperties, { $id: 'MailSummary', description: 'A mail without its text.' });

/** A mail with its texts. */
export const MailDetail = Type.Object(
  {
    ...mailProperties,
    text: Type.String({
      description: 'The mail in plain text.',
      examples: ['The export of the list “Newsletter” is ready\n\nRows: 1,250\n'],
    }),
    html: Type.String({
      description: 'The mail in HTML; the same facts.',
      examples: ['<h1>The export of the list “Newsletter” is ready</h1>'],
    }),
  },
  { $id: 'MailDetail', description: 'A mail with its text.' },
);

export type ListMailsQuery = Static<typeof ListMailsQuery>;
export type MailSummary = Static<typeof MailSummary>;
export type MailDetail = Static<typeof MailDetail>;
