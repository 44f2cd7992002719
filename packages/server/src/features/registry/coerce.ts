import { decimalText, isLongerThan, readDate, readMoment, type DataType } from '@roster/contract';
import type { StoredValue } from './registry.ts';

/** Most characters (code points) of the values of the two text types. */
export const textMaxLength = { text: 1000, long_text: 65_536 } as const;

/**
 * Turns a value as it arrives into the form in which an attribute stores it; undefined when it does not fit the type.
 *
 * Ingest, defaults and search filters use this one function, so that a filter finds what was stored from the same input. (A filter on a
 * datetime also takes a plain date: it means the whole day.)
 *
 * - `text` (at most 1,000 characters), `long_text` (65,536): kept as given, blanks included; a number becomes its decimal text,
 *   a boolean `true` or `false`.
 * - `number`: a finite double, or its decimal text (`"30"`, `" 30 "`, `"1e3"`); `-0` becomes 0. Not `"1,000"`, `""`, hexadecimal.
 * - `boolean`: true, false, 1, 0, and in any case the words `true`, `false`, `yes`, `no`, `1`, `0`.
 * - `date`: a day of the calendar from year 0001 to 9999 as `YYYY-MM-DD`, `DD-MM-YYYY` or `DD/MM/YYYY`; stored as `YYYY-MM-DD`.
 * - `datetime`: RFC 3339 with an offset; stored in UTC as `YYYY-MM-DDTHH:MM:SS.sssZ`, digits below a millisecond cut off. A leap second
 *   (23:59:60 in UTC) becomes the first moment of the next day. A time without an offset does not fit: nobody knows when it is.
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
  const text = typeof value === 'string' ? value : typeof value === 'number' ? decimalText(value) : String(value);
  return text === undefined || isLongerThan(text, max) ? undefined : text;
}

// Each digit can be matched in one way only: two ways (as in \d+\.?\d*) make a long text of digits take seconds.
const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

function toNumber(value: string | number | boolean): number | undefined {
  let number = value;
  if (typeof number === 'string') {
    const text = number.trim();
    if (!decimal.test(text)) return undefined;
    number = Number(text);
  }
  // Adding 0 makes 0 of -0, which JSON cannot tell from it.
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
