// Marks and selectors of forms, skin tones, and the tags that flags of regions are spelled with: all of them belong to what stands before.
const joined = String.raw`\p{M}\u{1F3FB}-\u{1F3FF}\u{E0020}-\u{E007F}`;
/** The joiner (U+200D) makes one of what stands around it. */
const letter = new RegExp(String.raw`.(?:[${joined}]|\u200D+[^\u200D${joined}]?)*`, 'gsu');

/**
 * What a reader sees as the characters of a text: a letter with its marks is one, and so is a family of emoji.
 *
 * Simpler than the segments of Unicode (UAX 29), so that PostgreSQL can do the same ({@link letterPattern}): the flag of a country counts twice,
 * a syllable of Hangul in pieces and a ligature of an Indian script count as their letters.
 */
export function lettersOf(text: string): readonly string[] {
  return text.match(letter) ?? [];
}

let pattern: string | undefined;

/** A regular expression of PostgreSQL for one character of {@link lettersOf}; it knows no classes of Unicode, so that they are listed. */
export function letterPattern(): string {
  if (pattern !== undefined) return pattern;
  const list = rangesOf(new RegExp(`^[${joined}]$`, 'u'))
    .map(([first, last]) => `${escaped(first)}-${escaped(last)}`)
    .join('');
  pattern = String.raw`.(?:[${list}]|\u200D+[^\u200D${list}]?)*`;
  return pattern;
}

function rangesOf(kind: RegExp): (readonly [first: number, last: number])[] {
  const ranges: [number, number][] = [];
  // There is nothing before, and nothing between the planes of letters and that of tags.
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
