import type { MailDocument } from '../format/mail-document.ts';
import { formatMoment } from '../format/mail-format.ts';

/** The data of the mail with a link that sets a new password. */
export interface PasswordResetMail {
  readonly name: string;
  readonly url: string;
  readonly expiresAt: Date;
  /** Time zone of the moment (IANA). */
  readonly timeZone: string;
}

/** The mail with a link that sets a new password. */
export function passwordReset({ name, url, expiresAt, timeZone }: PasswordResetMail): MailDocument {
  return {
    subject: 'A new password for Roster',
    blocks: [
      { kind: 'paragraph', text: `Hello ${name}, you, or someone else, asked for a new password for Roster.` },
      { kind: 'link', label: 'Set a new password', url },
      { kind: 'paragraph', text: `The link works once, until ${formatMoment(expiresAt, timeZone)}.` },
    ],
    footer: 'If it was not you, do nothing. Your password stays as it is.',
  };
}
