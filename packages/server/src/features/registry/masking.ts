import type { Attribute } from './registry.ts';
import { lettersOf } from '#platform/text/graphemes.ts';

/** A value of this many characters or fewer is hidden as a whole: its last four would give it away. */
export const fullyMaskedLength = 8;

/** What stands for a value that is hidden as a whole. */
export const hidden = '****';

// Each unit of such a text is a character: nearly all are, and need not be taken apart.
// oxlint-disable-next-line no-control-regex
const plain = /^[\0-\x7f]*$/;

/**
 * A value as callers without the scope `unmasked` see it; a masked one is always text.
 *
 * `partial`: every character but the last four is a `*`; a value of at most {@link fullyMaskedLength} characters is `****`. Characters are
 * those of {@link lettersOf}. `full`: `****`, whatever the value. Null stays null.
 */
export function mask<T>(masking: Attribute['dataMasking'], value: T): T | string {
  if (masking === 'none' || value === null || value === undefined) return value;
  if (masking === 'full') return hidden;
  const text = String(value);
  const letters = plain.test(text) ? text : lettersOf(text);
  if (letters.length <= fullyMaskedLength) return hidden;
  const shown = letters.slice(-4);
  return '*'.repeat(letters.length - 4) + (typeof shown === 'string' ? shown : shown.join(''));
}

/** True for a text that {@link mask} may have made: somebody who writes it back would replace the value with its mask. */
export function looksMasked(value: unknown): boolean {
  if (value === hidden) return true;
  if (typeof value !== 'string' || !value.startsWith('*****')) return false;
  const letters = lettersOf(value);
  return letters.length > fullyMaskedLength && letters.slice(0, -4).every((letter) => letter === '*');
}
