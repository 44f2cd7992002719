import type { MailDocument } from '../format/mail-document.ts';
import { formatMoment } from '../format/mail-format.ts';

/** The data of the mail with an invitation. */
export interface InvitationMail {
  readonly accountName: string;
  /** Who invites; undefined for the operator token. */
  readonly inviterName: string | undefined;
  readonly url: string;
  readonly expiresAt: Date;
  /** Time zone of the account (IANA). */
  readonly timeZone: string;
}

/** The mail that invites a person to an account. */
export function invitation({ accountName, inviterName, url, expiresAt, timeZone }: InvitationMail): MailDocument {
  const who = inviterName === undefined ? 'You are invited' : `${inviterName} invites you`;
  return {
    subject: `Invitation to ${accountName}`,
    blocks: [
      { kind: 'paragraph', text: `${who} to the account ${accountName} in Roster.` },
      { kind: 'link', label: 'Accept the invitation', url },
      { kind: 'paragraph', text: `The link works once, until ${formatMoment(expiresAt, timeZone)}.` },
    ],
    footer: 'If you do not know this account, do nothing.',
  };
}
