import type { Faults } from '../reader/faults.ts';

/**
 * Counts the characters (Unicode code points) of a text. Every limit of the contract counts
 * characters.
 */
export function characters(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0xdc00 || unit > 0xdfff) count++;
  }
  return count;
}

/**
 * Returns whether a text has more than `max` characters. Counts them only if its length does not
 * decide.
 */
export function isLongerThan(text: string, max: number): boolean {
  return text.length > max && (text.length > max * 2 || characters(text) > max);
}

/**
 * Returns whether PostgreSQL can store a text: no U+0000 and no lone surrogate
 * (docs/decisions/0003-text.md).
 */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Returns whether a text can be stored. Adds a fault if not. */
export function checkStorable(text: string, faults: Faults): boolean {
  if (isStorable(text)) return true;
  faults.add('invalid_character', 'must not contain U+0000 or half of a surrogate pair. Remove this character');
  return false;
}

// The definition of a valid e-mail address in the WHATWG HTML standard.
const emailAddress =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

/** Maximum number of characters of an e-mail address. */
const emailMaxLength = 254;

/**
 * Returns whether a text is a plausible e-mail address: the WHATWG form and up to 254 characters.
 */
export function isEmail(text: string): boolean {
  return text.length <= emailMaxLength && emailAddress.test(text);
}

/**
 * Returns the digits of a mobile number, without a leading `+`, spaces and dashes. Returns
 * undefined unless they are 6 to 15 digits.
 *
 * A text that begins with a dash is a negative number, not a mobile number.
 */
export function mobileDigits(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed.startsWith('-')) return undefined;
  const digits = trimmed.replace(/^\+/, '').replace(/[\s-]/g, '');
  return /^\d{6,15}$/.test(digits) ? digits : undefined;
}

/**
 * Returns the decimal text of a number, without an exponent. Returns undefined for an infinite
 * number.
 */
export function decimalText(value: number): string | undefined {
  if (!Number.isFinite(value)) return undefined;
  const text = String(value);
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (match === null) return text;
  const [, sign, first = '', rest = ''] = match;
  const exponent = Number(match[4]);
  const digits = first + rest;
  return exponent < 0 ? `${sign}0.${'0'.repeat(-exponent - 1)}${digits}` : `${sign}${digits.padEnd(exponent + 1, '0')}`;
}

/**
 * Returns whether a number still has all the digits that were sent. JSON.parse rounds integers above
 * 2^53, and reads 1e999 as infinite.
 */
export function isExactNumber(number: number): boolean {
  return Number.isSafeInteger(number) || (Number.isFinite(number) && !Number.isInteger(number));
}

/** The end of a message about a number that is not exact where text is wanted. */
export const inexactNumber = 'is a number with too many digits to be read exactly. Send it as a string';

/** Converts the decimal text of an integer to a number. Returns any other input unchanged. */
export function fromIntegerText(input: unknown): unknown {
  return typeof input === 'string' && /^\s*[+-]?\d{1,20}\s*$/.test(input) ? Number(input) : input;
}

/**
 * Makes a key of a body safe to show in a path: up to 64 characters, with unprintable characters
 * escaped.
 */
export function shownKey(key: string): string {
  return JSON.stringify(key.slice(0, 64).toWellFormed()).slice(1, -1);
}
