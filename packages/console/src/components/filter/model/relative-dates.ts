/** The words of the filter language that mean days, in the order of the builder. */
export const relativeWords = [
  'today',
  'yesterday',
  'tomorrow',
  'this_week',
  'last_week',
  'next_week',
  'this_month',
  'last_month',
  'next_month',
  'this_quarter',
  'last_quarter',
  'next_quarter',
  'this_year',
  'last_year',
  'next_year',
] as const;

/** Units of a length of time, in the order of the builder. */
export const lengthUnits = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const;

/** A word that means days, or the present moment. Texts have `_` instead of the blank. */
export type RelativeWord = (typeof relativeWords)[number] | 'now';

/** A unit of a length of time. */
export type LengthUnit = (typeof lengthUnits)[number];

/** A value of a condition that is not a plain date. */
export type Relative =
  | { readonly kind: 'word'; readonly word: RelativeWord }
  /** `30 days` (no sign), or the day or moment before or after now. */
  | { readonly kind: 'length'; readonly sign: '' | '+' | '-'; readonly count: number; readonly unit: LengthUnit }
  | { readonly kind: 'dayOfYear'; readonly month: number; readonly day: number };

/** Reads a relative date, a length of time or a day of the year. Undefined for other values. */
export function readRelative(value: string | number | boolean | undefined): Relative | undefined {
  const text = String(value ?? '')
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, ' ');
  const word = text.replace(' ', '_');
  if (word === 'now' || (relativeWords as readonly string[]).includes(word))
    return { kind: 'word', word: word as RelativeWord };
  const [, sign, count, unit] = /^([+-]?) ?(\d+) ?(minute|hour|day|week|month|year)s?$/.exec(text) ?? [];
  if (unit !== undefined) {
    return { kind: 'length', sign: sign as '' | '+' | '-', count: Number(count), unit: unit as LengthUnit };
  }
  const [, month, day] = /^(\d\d)-(\d\d)$/.exec(text) ?? [];
  return month === undefined ? undefined : { kind: 'dayOfYear', month: Number(month), day: Number(day) };
}

/** Returns the number of days of a month (1 to 12), in a leap year. */
export function daysOfMonth(month: number): number {
  return month === 2 ? 29 : [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** Writes a value as the API takes it. */
export function writeRelative(relative: Relative): string {
  switch (relative.kind) {
    case 'word':
      return relative.word.replace('_', ' ');
    case 'length':
      return `${relative.sign}${relative.count} ${relative.unit}${relative.count === 1 ? '' : 's'}`;
    case 'dayOfYear':
      return [relative.month, relative.day].map((number) => String(number).padStart(2, '0')).join('-');
  }
}
