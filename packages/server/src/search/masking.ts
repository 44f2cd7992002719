import { characters } from '@roster/contract';
import type { Attribute } from '../attributes/registry.ts';

/** A value of this many characters or fewer is hidden as a whole: its last four would give it away. */
export const fullyMaskedLength = 8;

/** What stands for a value that is hidden as a whole. */
export const hidden = '****';

/**
 * A value as callers without the scope `unmasked` see it (decisions §4); a masked one is always text.
 *
 * `partial`: every character but the last four is a `*`; a value of at most {@link fullyMaskedLength} characters is `****`.
 * `full`: `****`, whatever the value. Null stays null.
 */
export function mask<T>(masking: Attribute['dataMasking'], value: T): T | string {
  if (masking === 'none' || value === null || value === undefined) return value;
  const text = String(value);
  if (masking === 'full' || characters(text) <= fullyMaskedLength) return hidden;
  const letters = Array.from(text);
  return '*'.repeat(letters.length - 4) + letters.slice(-4).join('');
}

/** True for a text that {@link mask} may have made: somebody who writes it back would replace the value with its mask. */
export function looksMasked(value: unknown): boolean {
  return typeof value === 'string' && /^(?:\*{4}|\*{5,}.{4})$/su.test(value);
}
