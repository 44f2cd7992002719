import type { Faults } from '../reader/faults.ts';

// Control characters, line breaks, controls of the direction of writing (Unicode UAX #9), and
// characters without width. The joiners U+200C and U+200D stay: words in some scripts and some emoji
// need them.
const unseen = /[\p{Cc}\p{Zl}\p{Zp}\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff]/u;
const allUnseen = new RegExp(unseen, 'gu');

/**
 * Returns whether a name has no character that people cannot see. Adds a fault if it has one. Such a
 * character can turn around the text after a name, or make two different names look the same.
 */
export function checkPlainName(name: string, faults: Faults): boolean {
  const [found] = unseen.exec(name) ?? [];
  if (found === undefined) return true;
  const code = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  faults.add('invalid_character', `must not contain the invisible character U+${code}. Remove this character`);
  return false;
}

/** Removes from a name the characters that people cannot see, and the space around it. */
export function plainName(name: string): string {
  return name.replaceAll(allUnseen, '').trim();
}
