import { Type, type Static } from 'typebox';
import { pageQueryProperties } from '../common/paging.ts';
import { exampleMoment } from '../common/envelope.ts';
import { momentOrNull } from '../common/fields.ts';

/** States of a mail. `stored` is the end state when no mail server is configured. */
export const mailStatuses = ['stored', 'pending', 'sent', 'failed'] as const;

/** Status of a mail. */
export type MailStatus = (typeof mailStatuses)[number];

/** One reason why an attempt to send a mail can fail. */
export interface MailErrorKind {
  /**
   * True when the mail is given up at once, because it would fail again. Otherwise it is retried
   * for 24 hours.
   */
  readonly final: boolean;
  readonly message: string;
}

/**
 * Every reason why an attempt to send a mail can fail. `docs/errors.md` is generated from this
 * table. Messages never contain addresses.
 */
export const mailErrors = {
  server_unreachable: {
    final: false,
    message: 'The connection to the mail server failed or broke. Check the host and port of SMTP_URL.',
  },
  timeout: { final: false, message: 'The mail server did not respond in time.' },
  tls_failed: {
    final: false,
    message: 'The encrypted connection failed. The mail server does not offer TLS, or its certificate is not valid.',
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

/** Code of the reason why an attempt to send a mail failed. */
export type MailErrorCode = keyof typeof mailErrors;

/** Query of listing mails. */
export const ListMailsQuery = Type.Object(
  {
    ...pageQueryProperties,
    status: Type.Optional(Type.Enum([...mailStatuses], { description: 'Only mails of this status.' })),
  },
  { additionalProperties: false },
);

const mailProperties = {
  mail_id: Type.String({
    format: 'uuid',
    description: 'Identifier of the mail, a time-ordered UUID. It is also the local part of the Message-ID.',
  }),
  template: Type.String({ description: 'Kind of the mail.', examples: ['export_finished'] }),
  to: Type.String({ format: 'email', examples: ['asha@example.com'] }),
  subject: Type.String({ examples: ['The export of the list “Newsletter” is ready'] }),
  status: Type.Enum([...mailStatuses], {
    description:
      '`stored`: no mail server is configured, so the mail is not sent. `pending`: waits for its next attempt. `sent`: the mail server accepted it. `failed`: the mail server refused it permanently, or all attempts in 24 hours failed.',
    examples: ['sent'],
  }),
  attempts: Type.Integer({ minimum: 0, description: 'Number of attempts that have ended.', examples: [1] }),
  last_error: Type.Union(
    [
      Type.Object({
        code: Type.Enum(Object.keys(mailErrors), { description: 'Stable code. docs/errors.md lists all codes.' }),
        message: Type.String(),
        reply: Type.Union([Type.String(), Type.Null()], {
          description:
            'Reply codes of the mail server, such as `550 5.1.1`. The text of the reply is not kept, because it can contain addresses.',
        }),
      }),
      Type.Null(),
    ],
    { description: 'Why the last attempt failed. Null when no attempt failed.' },
  ),
  created_at: Type.String({ format: 'date-time' }),
  sent_at: momentOrNull('When the mail server accepted it.', exampleMoment),
  next_attempt_at: momentOrNull('Time of the next attempt. Null unless `status` is `pending`.'),
};

/** A mail as the operator API lists it. */
export const MailSummary = Type.Object(mailProperties, { $id: 'MailSummary', description: 'A mail without its text.' });

/** A mail with its text and HTML. */
export const MailDetail = Type.Object(
  {
    ...mailProperties,
    text: Type.String({
      description: 'The mail in plain text.',
      examples: ['The export of the list “Newsletter” is ready\n\nRows: 1,250\n'],
    }),
    html: Type.String({
      description: 'The mail in HTML, with the same facts.',
      examples: ['<h1>The export of the list “Newsletter” is ready</h1>'],
    }),
  },
  { $id: 'MailDetail', description: 'A mail with its text.' },
);

export type ListMailsQuery = Static<typeof ListMailsQuery>;
export type MailSummary = Static<typeof MailSummary>;
export type MailDetail = Static<typeof MailDetail>;
