import { distance } from 'fastest-levenshtein';
import { synonyms } from './synonyms.ts';
import { shownKey } from './text.ts';

/**
 * Longer names match only names with the same letters. Computing the distance of long hostile names
 * would cost too much.
 */
const longestName = 32;

/**
 * Characters after this length are ignored. No name of the contract has more than 64 characters.
 */
const longestText = 80;

/**
 * Share of the characters of the shorter name that can differ: `emial` matches `email`, but `date`
 * does not match `state`.
 */
const allowedShare = 0.4;

/**
 * A shorter name is not compared with the beginning and end of a longer name. It would match by
 * chance.
 */
const shortestPart = 4;

/**
 * Returns the known name that the caller probably meant, or undefined when no known name is near
 * enough.
 *
 * - Only letters and digits count, in any letter case: `FIRSTNAME`, `firstName` and `first-name`
 *   match `FIRST_NAME`.
 * - A name matches if it begins or ends with the other one: `criteria` matches
 *   `filtering_criteria`.
 * - A synonym from other products matches: `order` matches `direction`.
 * - The first of several equally near names wins.
 * - `most` is the largest difference. With 1, a name differs in at most one letter, so a part of a
 *   name does not match: `Status` is not `STATE`, and `Count` is not `COUNTRY`.
 */
export function nearestName(
  name: string,
  known: Iterable<string>,
  most = Number.POSITIVE_INFINITY,
): string | undefined {
  const text = name.trim().slice(0, longestText).toLowerCase();
  const given = lettersOf(text);
  const names = [...known];
  let nearest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of names) {
    const difference = differenceOf(given, lettersOf(candidate));
    if (difference < least) [nearest, least] = [candidate, difference];
  }
  if (least === 0) return nearest;
  for (const candidate of names) {
    for (const word of synonyms.get(candidate) ?? []) {
      // A sign such as >= has no letters, so only an equal text matches.
      const difference = word === text ? 0 : differenceOf(given, lettersOf(word), { matchesParts: false });
      if (difference < least) [nearest, least] = [candidate, difference];
    }
  }
  return least <= most ? nearest : undefined;
}

/**
 * Makes the message for an unknown name: "FIRSTNAME is not a field. Did you mean FIRST_NAME?"
 *
 * @param what The noun for the name, with its article: `a field`.
 * @param otherwise The advice when no known name is near: `The fields are …`.
 */
export function unknownName(name: string, what: string, known: Iterable<string>, otherwise = ''): string {
  const nearest = nearestName(name, known);
  const advice = nearest === undefined ? otherwise : `Did you mean ${nearest}?`;
  return `${shownName(name)} is not ${what}. ${advice}`.trimEnd();
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/**
 * Returns the distance of two names, or infinity when they are not near. `matchesParts`: a part of
 * a name is near to it.
 */
function differenceOf(one: string, other: string, { matchesParts = true } = {}): number {
  if (one === '' || other === '') return Number.POSITIVE_INFINITY;
  if (one === other) return 0;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (long.length > longestName) return Number.POSITIVE_INFINITY;
  const allowed = Math.floor(short.length * allowedShare);
  const edits = long.length - short.length > allowed ? Number.POSITIVE_INFINITY : distance(one, other);
  // One different letter is nearer than a part of a name, and a part is nearer than two different
  // letters: `masking` means `data_masking`, not `mapping`.
  if (edits <= Math.min(allowed, 1)) return edits;
  const isPart = short.length >= shortestPart && (long.startsWith(short) || long.endsWith(short));
  if (isPart && matchesParts) return 1 + (long.length - short.length) / (longestName + 1);
  return edits <= allowed ? edits : Number.POSITIVE_INFINITY;
}

/** Returns the name for a message, or a pair of quotation marks for a blank name. */
function shownName(name: string): string {
  const shown = shownKey(name.trim());
  return shown === '' ? '""' : shown;
}
