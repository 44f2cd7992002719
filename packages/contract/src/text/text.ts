import type { Faults } from '../reader/faults.ts';

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
  faults.add('invalid_character', 'must not contain U+0000 or half of a surrogate pair. Remove this character');
  return false;
}

// The production of the WHATWG HTML standard for a valid e-mail address.
const emailAddress =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

/** Most characters of an e-mail address. */
const emailMaxLength = 254;

/** True for a plausible e-mail address: the WHATWG form and at most 254 characters. */
export function isEmail(text: string): boolean {
  return text.length <= emailMaxLength && emailAddress.test(text);
}

/**
 * The digits of a mobile number without a leading `+`, spaces and dashes, or undefined when that is not 6 to 15 digits.
 * A dash at the start is none that separates digits: it is the sign of a negative number, which is no mobile number.
 */
export function mobileDigits(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed.startsWith('-')) return undefined;
  const digits = trimmed.replace(/^\+/, '').replace(/[\s-]/g, '');
  return /^\d{6,15}$/.test(digits) ? digits : undefined;
}

/** The decimal text of a finite number without an exponent: what a person means who sends 1e21 where a text is due. */
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

/** The number that a text is the decimal form of, if it is that of an integer; everything else as it came. */
export function fromIntegerText(input: unknown): unknown {
  return typeof input === 'string' && /^\s*[+-]?\d{1,20}\s*$/.test(input) ? Number(input) : input;
}

/** A key of a body as it may stand in a path: at most 64 characters, and nothing that does not print. */
export function shownKey(key: string): string {
  return JSON.stringify(key.slice(0, 64).toWellFormed()).slice(1, -1);
}
