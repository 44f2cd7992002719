import type { Faults } from './faults.ts';

/** Number of characters (Unicode code points) of a text; bytes and UTF-16 units are never what a limit counts. */
export function characters(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0xdc00 || unit > 0xdfff) count++;
  }
  return count;
}

/** True when a text has more than `max` characters; looks at each character only when it could matter. */
export function isLongerThan(text: string, max: number): boolean {
  return text.length > max && (text.length > max * 2 || characters(text) > max);
}

/** True when PostgreSQL can store the text as it is: no U+0000 and no lone surrogate (docs/decisions/0003-text.md). */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Reports a text that cannot be stored; answers whether it can. */
export function checkStorable(text: string, faults: Faults): boolean {
  if (isStorable(text)) return true;
  faults.add('invalid_character', 'must not contain U+0000 or half of a surrogate pair; remove the character');
  return false;
}

// The production of the WHATWG HTML standard for a valid e-mail address.
const emailAddress =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

/** Most characters of an e-mail address (decisions §3). */
export const emailMaxLength = 254;

/** True for a plausible e-mail address: the WHATWG form and at most 254 characters (decisions §3). */
export function isEmail(text: string): boolean {
  return text.length <= emailMaxLength && emailAddress.test(text);
}

/** The digits of a mobile number without a leading `+`, spaces and dashes, or undefined when that is not 6 to 15 digits (decisions §3). */
export function mobileDigits(text: string): string | undefined {
  const digits = text.trim().replace(/^\+/, '').replace(/[\s-]/g, '');
  return /^\d{6,15}$/.test(digits) ? digits : undefined;
}
