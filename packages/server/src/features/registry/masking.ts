import { dataMaskings, type DataMasking } from '@roster/contract';
import { graphemesOf } from '#platform/text/graphemes.ts';

/** Values of up to this length are hidden completely, because four characters reveal too much. */
export const fullyMaskedLength = 8;

/** What callers without the scope `unmasked` can do, as the end of a sentence: people, and programs. */
export const howToUnmask =
  'ask an owner of the account for the right to see unmasked values, or use an API key with the scope unmasked';

/** Replaces a value that is hidden completely. */
export const hidden = '****';

// Most texts are ASCII, and need not be split into graphemes.
// oxlint-disable-next-line no-control-regex
const plain = /^[\0-\x7f]*$/;

/**
 * Masks a value for callers without the scope `unmasked`. A masked value is always text.
 *
 * - `partial`: replaces all characters but the last four by `*`. A value of up to
 *   {@link fullyMaskedLength} characters becomes `****`. {@link graphemesOf} defines a character.
 * - `full`: any value becomes `****`.
 *
 * Null stays null.
 */
export function mask<T>(masking: DataMasking, value: T): T | string {
  if (masking === 'none' || value === null || value === undefined) return value;
  if (masking === 'full') return hidden;
  const text = String(value);
  const letters = plain.test(text) ? text : graphemesOf(text);
  if (letters.length <= fullyMaskedLength) return hidden;
  const shown = letters.slice(-4);
  return '*'.repeat(letters.length - 4) + (typeof shown === 'string' ? shown : shown.join(''));
}

/** True for a text that looks like a result of {@link mask}. Do not store it as a value. */
export function looksMasked(value: unknown): boolean {
  if (value === hidden) return true;
  if (typeof value !== 'string' || !value.startsWith('*****')) return false;
  const letters = graphemesOf(value);
  return letters.length > fullyMaskedLength && letters.slice(0, -4).every((letter) => letter === '*');
}

/** True when a mask hides less than another mask. */
export function hidesLess(mask: DataMasking, other: DataMasking): boolean {
  // `dataMaskings` is in the order of how much the masks hide.
  return dataMaskings.indexOf(mask) < dataMaskings.indexOf(other);
}

/** Returns the mask that hides more. */
export function stricterMask(a: DataMasking, b: DataMasking): DataMasking {
  return hidesLess(a, b) ? b : a;
}
