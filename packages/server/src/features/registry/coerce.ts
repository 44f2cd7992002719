import { decimalText, isExactNumber, isLongerThan, readDate, readMoment, type DataType } from '@roster/contract';
import type { StoredValue } from './registry.ts';

/** Maximum number of characters (code points) of the two text types. */
export const textMaxLength = { text: 1000, long_text: 65_536 } as const;

/**
 * Converts a value from a request to its stored form. Returns undefined if it does not fit the
 * type.
 *
 * Contacts, default values and search filters all use this function, so that a filter finds the
 * values that were stored from the same input. (In a filter, a `datetime` can also be a plain
 * date.)
 *
 * - `text` (up to 1,000 characters) and `long_text` (65,536): stored as given, including spaces. A
 *   number becomes its decimal text, and a boolean becomes `true` or `false`. An integer above 2^53
 *   does not fit, because its last digits are lost ({@link isInexactText}).
 * - `number`: a finite double, or its decimal text (`"30"`, `" 30 "`, `"1e3"`). `-0` becomes 0.
 *   `"1,000"`, `""` and hexadecimal numbers do not fit.
 * - `boolean`: true, false, 1, 0, or in any letter case `true`, `false`, `yes`, `no`, `1`, `0`.
 * - `date`: `YYYY-MM-DD`, `DD-MM-YYYY` or `DD/MM/YYYY` with a year from 0001 to 9999. Stored as
 *   `YYYY-MM-DD`.
 * - `datetime`: RFC 3339 with an offset. Stored in UTC as `YYYY-MM-DDTHH:MM:SS.sssZ`; smaller
 *   fractions than milliseconds are cut off. A leap second (23:59:60 UTC) becomes the start of the
 *   next day. A time without an offset does not fit, because it is ambiguous.
 */
export function coerce(dataType: DataType, value: string | number | boolean): StoredValue | undefined {
  return byType[dataType](value);
}

const byType: Record<DataType, (value: string | number | boolean) => StoredValue | undefined> = {
  text: (value) => toText(value, textMaxLength.text),
  long_text: (value) => toText(value, textMaxLength.long_text),
  number: toNumber,
  boolean: toBoolean,
  date: (value) => (typeof value === 'string' ? readDate(value) : undefined),
  datetime: (value) => (typeof value === 'string' ? readMoment(value) : undefined),
};

function toText(value: string | number | boolean, max: number): string | undefined {
  if (typeof value === 'number') return isExactNumber(value) ? decimalText(value) : undefined;
  const text = String(value);
  return isLongerThan(text, max) ? undefined : text;
}

/** Returns whether a value does not fit because it is a number that would become inexact text. */
export function isInexactText(dataType: DataType, value: string | number | boolean): boolean {
  return typeof value === 'number' && (dataType === 'text' || dataType === 'long_text') && !isExactNumber(value);
}

/**
 * Returns a value as text after the data type of its attribute was widened to text. A stored number
 * has a text in any case: the attribute was a number when it lost its digits.
 */
export function widenedText(value: StoredValue): string {
  return typeof value === 'number' ? (decimalText(value) ?? String(value)) : String(value);
}

// There must be only one way to match each digit. With two ways, as in \d+\.?\d*, the expression
// takes seconds for a long text of digits.
const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

function toNumber(value: string | number | boolean): number | undefined {
  let number = value;
  if (typeof number === 'string') {
    const text = number.trim();
    if (!decimal.test(text)) return undefined;
    number = Number(text);
  }
  // Adding 0 changes -0 to 0, because JSON does not distinguish the two.
  return typeof number === 'number' && Number.isFinite(number) ? number + 0 : undefined;
}

const booleanWords = new Map([
  ['true', true],
  ['false', false],
  ['yes', true],
  ['no', false],
  ['1', true],
  ['0', false],
]);

function toBoolean(value: string | number | boolean): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value === 1 ? true : value === 0 ? false : undefined;
  return booleanWords.get(value.trim().toLowerCase());
}
