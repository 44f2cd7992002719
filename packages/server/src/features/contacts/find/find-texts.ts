import { anonymousPrefix } from '@roster/contract';
import { given } from '#platform/given.ts';
import { kindOfKey } from '../model/identifiers.ts';

/** A range of texts in byte order: from `from`, and before `before`. */
export interface TextRange {
  readonly from: string;
  readonly before: string;
}

/** What a text of quick find can mean. Absent: the text cannot be one. */
export interface FindTexts {
  readonly contactId?: number;
  /** The beginning of a contact key, in comparable form. */
  readonly identity?: string;
  /** The beginning of an e-mail address, in lower case. */
  readonly email: string;
  /** The first digits of a mobile number. */
  readonly mobile?: string;
}

/** Returns what a text can mean in an account. The text is not blank. */
export function findTexts(text: string, primaryKey: string): FindTexts {
  const find = text.trim();
  const email = find.toLowerCase();
  const mobile = firstDigits(find);
  const identity = { email, mobile, identity: find, contact_id: undefined }[kindOfKey(primaryKey)];
  const contactId = /^\d{1,15}$/.test(find) ? Number(find) : undefined;
  return given({ email, contactId, identity, mobile });
}

/**
 * Returns the digits of the beginning of a mobile number with its country code, in any usual
 * writing: `+49 (0)171/23`, `0049-171`, `49.171`. Undefined when the text is not a number.
 */
function firstDigits(text: string): string | undefined {
  const digits = text
    .replaceAll('(0)', '')
    .replace(/^(\+|00)/, '')
    .replaceAll(/[\s\-./()]/g, '');
  return /^\d{1,15}$/.test(digits) ? digits : undefined;
}

/** Returns the range of the texts that begin with a text. */
export function beginningWith(text: string): TextRange {
  return { from: text, before: `${text}\u{10FFFF}` };
}

/**
 * Returns the ranges of the contact keys that begin with a text. The keys of anonymous contacts are
 * not identities. They are left out, because an account can have a million of them.
 */
export function keysBeginningWith(text: string): TextRange[] {
  if (text.startsWith(anonymousPrefix)) return [];
  const { from, before } = beginningWith(text);
  if (!anonymousPrefix.startsWith(text)) return [{ from, before }];
  // '0' comes after '/', the last character of the prefix.
  return [
    { from, before: anonymousPrefix },
    { from: anonymousPrefix.replace(/\/$/, '0'), before },
  ];
}
