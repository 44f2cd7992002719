import { currentLocale, formatNumber } from './format.ts';

/** The characters with which a locale writes numbers. */
export interface NumberSeparators {
  readonly decimalSeparator: string;
  readonly thousandSeparator: string;
}

/** Returns the separators of a locale (default: that of the console). They are also props of `NumberInput`. */
export function numberSeparators(locale = currentLocale()): NumberSeparators {
  const parts = new Intl.NumberFormat(locale).formatToParts(123_456_789.5);
  const find = (type: string): string | undefined => parts.find((part) => part.type === type)?.value;
  return { decimalSeparator: find('decimal') ?? '.', thousandSeparator: find('group') ?? ',' };
}

/**
 * Reads a number that a person typed or pasted. Returns undefined if it cannot be read.
 *
 * Separators of both languages are understood: `1.234,50` and `1,234.50` are the same number.
 * `1.234` is a different number in each language, so it means what the console means when it writes
 * this: 1.234 in English, and 1234 in German.
 */
export function parseNumber(text: string, locale = currentLocale()): number | undefined {
  const plain = text
    .trim()
    .replace(/^[\u2212\u2013]/, '-')
    // Some locales write thousands with these.
    .replaceAll(/(?<=\d)[\s'\u2019](?=\d{3}(?!\d))/g, '');
  const [, sign = '', digits = '', exponent = ''] = /^([+-]?)([\d.,]+)(e[+-]?\d{1,3})?$/i.exec(plain) ?? [];
  const read = readDigits(digits, numberSeparators(locale).decimalSeparator);
  if (read === undefined) return undefined;
  const value = Number(`${sign}${read}${exponent}`);
  return Number.isFinite(value) ? value : undefined;
}

/** Returns digits with separators as JavaScript writes them. */
function readDigits(digits: string, decimal: string): string | undefined {
  const separators = digits.match(/[.,]/g) ?? [];
  if (separators.length === digits.length) return undefined;
  const last = separators.at(-1);
  if (last === undefined) return digits;
  const at = digits.lastIndexOf(last);
  const [whole, fraction] = [digits.slice(0, at), digits.slice(at + 1)];
  const isOnlyKind = separators.every((one) => one === last);
  if (isOnlyKind) {
    const isGroup = last !== decimal || separators.length > 1;
    if (isGroup && isGrouped(digits, last)) return digits.replaceAll(last, '');
    return separators.length === 1 ? `${whole}.${fraction}` : undefined;
  }
  const other = last === '.' ? ',' : '.';
  return isGrouped(whole, other) ? `${whole.replaceAll(other, '')}.${fraction}` : undefined;
}

/** Tells whether a separator stands before each group of digits. In India, the first groups have two. */
function isGrouped(digits: string, separator: string): boolean {
  const groups = digits.split(separator);
  return (
    groups.length > 1 &&
    /^[1-9]\d{0,2}$/.test(groups[0]!) &&
    /^\d{3}$/.test(groups.at(-1)!) &&
    groups.slice(1, -1).every((group) => /^\d{2,3}$/.test(group))
  );
}

/** Returns a number as the console writes it, with all of its digits. {@link parseNumber} reads it. */
export function numberText(value: number): string {
  const text = formatNumber(value, { maximumFractionDigits: 20 });
  return parseNumber(text) === value ? text : String(value);
}

/**
 * Reads numbers between spaces, semicolons or commas. A comma inside of a number stays. The parts
 * that cannot be read are undefined.
 */
export function parseNumbers(text: string, locale = currentLocale()): (number | undefined)[] {
  const { thousandSeparator } = numberSeparators(locale);
  return text
    .split(/[;\s]+|,(?=[;\s]|$)/)
    .filter((part) => part !== '')
    .flatMap((part) => {
      const isList = thousandSeparator === ',' && !isGrouped(part.replace(/^[+-]/, '').replace(/\.\d*$/, ''), ',');
      return (isList ? part.split(',') : [part]).map((one) => parseNumber(one, locale));
    });
}
