import type { MailDocument } from '../format/mail-document.ts';
import { formatMoment } from '../format/mail-format.ts';

/** The data of the mail with the link of a sign-up. */
export interface SignUpLinkMail {
  readonly accountName: string;
  /** URL of the page that confirms with one click. */
  readonly url: string;
  readonly expiresAt: Date;
  /** Time zone of the account (IANA). */
  readonly timeZone: string;
}

/**
 * The mail that asks a person to confirm a sign-up. It is the same for known and unknown addresses.
 */
export function signUpLink({ accountName, url, expiresAt, timeZone }: SignUpLinkMail): MailDocument {
  return {
    subject: `Please confirm your address for ${accountName}`,
    blocks: [
      { kind: 'paragraph', text: `You, or someone else, signed up at ${accountName} with this address.` },
      { kind: 'link', label: 'Confirm the address', url },
      { kind: 'paragraph', text: `The link works once, until ${formatMoment(expiresAt, timeZone)}.` },
    ],
    footer: 'If it was not you, do nothing. Without your click, you get no more mails.',
  };
}
