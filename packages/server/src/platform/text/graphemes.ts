// Characters that belong to the character before them: marks, variation selectors, skin tones, and
// the tags that spell the flags of regions.
const joined = String.raw`\p{M}\u{1F3FB}-\u{1F3FF}\u{E0020}-\u{E007F}`;
/** The joiner (U+200D) makes one character of the two around it. */
const grapheme = new RegExp(String.raw`.(?:[${joined}]|\u200D+[^\u200D${joined}]?)*`, 'gsu');

/**
 * Splits a text into the characters that a reader sees. A letter with its marks is one character,
 * and so is a family emoji.
 *
 * The rule is simpler than the segments of Unicode (UAX 29), so that PostgreSQL can apply it, too
 * ({@link graphemePattern}). The flag of a country counts as two characters. A Hangul syllable that
 * is stored in parts, or an Indic ligature, counts as its letters.
 */
export function graphemesOf(text: string): readonly string[] {
  return text.match(grapheme) ?? [];
}

let pattern: string | undefined;

/**
 * Returns a regular expression of PostgreSQL that matches one character of {@link graphemesOf}.
 * PostgreSQL does not know the classes of Unicode, so the expression lists the characters.
 */
export function graphemePattern(): string {
  if (pattern !== undefined) return pattern;
  const list = rangesOf(new RegExp(`^[${joined}]$`, 'u'))
    .map(([first, last]) => `${escaped(first)}-${escaped(last)}`)
    .join('');
  pattern = String.raw`.(?:[${list}]|\u200D+[^\u200D${list}]?)*`;
  return pattern;
}

function rangesOf(kind: RegExp): (readonly [first: number, last: number])[] {
  const ranges: [number, number][] = [];
  // Below U+0300, and between these two ranges, no character belongs to the one before it.
  for (const [from, to] of [
    [0x300, 0x1ffff],
    [0xe0000, 0xe01ff],
  ] as const) {
    for (let code = from; code <= to; code++) {
      if (!kind.test(String.fromCodePoint(code))) continue;
      const range = ranges.at(-1);
      if (range?.[1] === code - 1) range[1] = code;
      else ranges.push([code, code]);
    }
  }
  return ranges;
}

function escaped(code: number): string {
  return `\\U${code.toString(16).padStart(8, '0')}`;
}
