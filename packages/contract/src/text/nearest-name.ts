import { distance } from 'fastest-levenshtein';
import { otherWords } from './other-words.ts';
import { shownKey } from './text.ts';

/** Longer names are only near to names with the same letters: comparing hostile names letter by letter would cost too much. */
const longestName = 32;

/** Nothing behind this many characters of a text counts: no name of the contract has more than 64. */
const longestText = 80;

/** Share of the characters of the shorter name that may differ: `emial` is `email`, but `date` is not `state`. */
const allowedShare = 0.4;

/** A name with fewer characters than this says nothing as a part of another one. */
const shortestPart = 4;

/**
 * Returns the known name that was probably meant by an unknown one, or undefined when none is near enough.
 *
 * Only letters and digits count, in any letter case: `FIRSTNAME`, `firstName` and `first-name` are all `FIRST_NAME`.
 * A name is also near when one of the two begins or ends with the other: `criteria` is `filtering_criteria`.
 * The first of several equally near names wins. Words that other products use for a known name are near to it, too: `order` is `direction`.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
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
    for (const word of otherWords.get(candidate) ?? []) {
      // A sign such as >= has no letters.
      const difference = word === text ? 0 : differenceOf(given, lettersOf(word), { takesParts: false });
      if (difference < least) [nearest, least] = [candidate, difference];
    }
  }
  return nearest;
}

/**
 * Says that a name is unknown and which one was probably meant: "FIRSTNAME is not a field. Did you mean FIRST_NAME?"
 *
 * @param what What the name should be, with its article: `a field`.
 * @param otherwise A sentence that says what to do when no known name is near: `The fields are …`.
 */
export function unknownName(name: string, what: string, known: Iterable<string>, otherwise = ''): string {
  const nearest = nearestName(name, known);
  const advice = nearest === undefined ? otherwise : `Did you mean ${nearest}?`;
  return `${shownName(name)} is not ${what}. ${advice}`.trimEnd();
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** How far two names are from each other; infinite when they are not near. `takesParts`: a part of a name is near to it. */
function differenceOf(one: string, other: string, { takesParts = true } = {}): number {
  if (one === '' || other === '') return Number.POSITIVE_INFINITY;
  if (one === other) return 0;
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (long.length > longestName) return Number.POSITIVE_INFINITY;
  const allowed = Math.floor(short.length * allowedShare);
  const edits = long.length - short.length > allowed ? Number.POSITIVE_INFINITY : distance(one, other);
  // A name with one other letter is nearer than a part of a name, and a part is nearer than two other letters: `masking` is
  // `data_masking`, not `mapping`.
  if (edits <= Math.min(allowed, 1)) return edits;
  const isPart = short.length >= shortestPart && (long.startsWith(short) || long.endsWith(short));
  if (isPart && takesParts) return 1 + (long.length - short.length) / (longestName + 1);
  return edits <= allowed ? edits : Number.POSITIVE_INFINITY;
}

/** The name as it was given, or a pair of quotation marks that shows that it is blank. */
function shownName(name: string): string {
  const shown = shownKey(name.trim());
  return shown === '' ? '""' : shown;
}
