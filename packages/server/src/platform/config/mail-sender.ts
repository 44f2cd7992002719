import { isEmail } from '@roster/contract';

/** Who mails come from, as `ROSTER_MAIL_FROM` names it. */
export interface MailSender {
  readonly address: string;
  /** Shown by mail programs instead of the address. */
  readonly name?: string;
}

/** Reads `address` or `Name <address>`; the name may stand in double quotes. Throws an Error whose message says what is allowed. */
export function readMailSender(text: string): MailSender {
  const named = /^(.*)<([^<>]*)>$/.exec(text);
  const address = named === null ? text : named[2]!.trim();
  const name = named?.[1]!.trim().replace(/^"(.*)"$/, '$1') ?? '';
  if (!isEmail(address)) {
    throw new Error('must be an address such as roster@example.com, or a name with one: Roster <roster@example.com>');
  }
  // Control characters have no place in a header, and the others would make the name look like another address.
  if (name.length > 100 || /[\p{Cc}\p{Zl}\p{Zp}<>"@]/u.test(name) || !name.isWellFormed()) {
    throw new Error('may have as name at most 100 characters, without line breaks, quotes, angle brackets and @');
  }
  return { address, ...(name === '' ? {} : { name }) };
}
