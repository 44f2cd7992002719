import { isEmail } from '@roster/contract/text/text.ts';

/** The sender of mails (`ROSTER_MAIL_FROM`). */
export interface MailSender {
  readonly address: string;
  /** Mail programs show it instead of the address. */
  readonly name?: string;
}

/**
 * Reads `address` or `Name <address>`; the name may be in double quotes. Throws an Error whose
 * message says what is allowed.
 */
export function readMailSender(text: string): MailSender {
  const named = /^(.*)<([^<>]*)>$/.exec(text);
  const address = named === null ? text : named[2]!.trim();
  const name = named?.[1]!.trim().replace(/^"(.*)"$/, '$1') ?? '';
  if (!isEmail(address)) {
    throw new Error('must be an address or a name with an address: roster@example.com or Roster <roster@example.com>');
  }
  // Control characters are not allowed in a header. The other characters could make the name look
  // like another address.
  if (name.length > 100 || /[\p{Cc}\p{Zl}\p{Zp}<>"@]/u.test(name) || !name.isWellFormed()) {
    throw new Error('must have a name of at most 100 characters, without line breaks, quotes, angle brackets or @');
  }
  return { address, ...(name === '' ? {} : { name }) };
}
