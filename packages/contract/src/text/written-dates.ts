import { Temporal } from 'temporal-polyfill';

/**
 * How other programs write days:
 * - `ymd`: year first, such as `2024-01-31`, `2024/1/31`, or `2024-01-31 09:00:00 +0000 UTC`
 * - `mdy`: month first, such as `1/31/2024 2:05 PM`
 * - `dmy`: day first, such as `31.01.2024 14:05`
 * - `unix`: seconds or milliseconds since 1970
 */
export const writtenDateFormats = ['ymd', 'mdy', 'dmy', 'unix'] as const;

/** How a program writes days. */
export type WrittenDateFormat = (typeof writtenDateFormats)[number];

/** A day and a time as they are written. */
interface Written {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
  /** Minutes before UTC; undefined when the text has no offset. */
  readonly offset: number | undefined;
}

// An optional zone name after the offset, as Go writes it: `2024-01-31 09:00:00.5 +0530 IST`.
const time = String.raw`(?:[T ,]+(\d{1,2}):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?\s*([AaPp])?\.?[Mm]?\.?)?`;
const zone = String.raw`\s*(?:([Zz]|UTC|GMT)|([+-])(\d\d):?(\d\d)(?:\s+[A-Za-z0-9+-]{1,6})?)?`;
const yearFirst = new RegExp(String.raw`^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})${time}${zone}$`);
const yearLast = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d\d)${time}${zone}$`);

/** Longer texts are not dates. */
const maxLength = 64;

/**
 * Reads a moment that another program has written. Returns it in UTC as `YYYY-MM-DDTHH:MM:SS.sssZ`,
 * or undefined when the text is not a date in this format.
 *
 * A text without a time means the start of the day. A text without an offset is in `timeZone`.
 */
export function readWrittenMoment(text: string, format: WrittenDateFormat, timeZone = 'UTC'): string | undefined {
  const trimmed = text.trim();
  if (format === 'unix') return fromUnix(trimmed);
  const written = read(trimmed, format);
  if (written === undefined) return undefined;
  const { offset, ...fields } = written;
  try {
    const local = Temporal.PlainDateTime.from(fields, { overflow: 'reject' });
    const epoch =
      offset === undefined && timeZone !== 'UTC'
        ? local.toZonedDateTime(timeZone).epochMilliseconds
        : local.toZonedDateTime('UTC').epochMilliseconds - (offset ?? 0) * 60_000;
    return asMoment(epoch);
  } catch {
    return undefined;
  }
}

/**
 * Reads a day that another program has written. Returns it as `YYYY-MM-DD`, or undefined. A time is
 * ignored: the day is the written one.
 */
export function readWrittenDate(text: string, format: WrittenDateFormat): string | undefined {
  const trimmed = text.trim();
  if (format === 'unix') return fromUnix(trimmed)?.slice(0, 10);
  const written = read(trimmed, format);
  if (written === undefined) return undefined;
  try {
    const day = Temporal.PlainDate.from(written, { overflow: 'reject' });
    return day.year >= 1 && day.year <= 9999 ? day.toString() : undefined;
  } catch {
    return undefined;
  }
}

function read(text: string, format: 'ymd' | 'mdy' | 'dmy'): Written | undefined {
  if (text.length > maxLength) return undefined;
  const match = (format === 'ymd' ? yearFirst : yearLast).exec(text);
  if (match === null) return undefined;
  const [, first, , middle, third] = match;
  const [year, month, day] =
    format === 'ymd' ? [first, middle, third] : format === 'mdy' ? [third, first, middle] : [third, middle, first];
  const hour = Number(match[5] ?? 0);
  const half = match[9]?.toLowerCase();
  if (half !== undefined && (hour < 1 || hour > 12)) return undefined;
  const sign = match[11] === '-' ? -1 : 1;
  const [offsetHours, offsetMinutes] = [Number(match[12] ?? 0), Number(match[13] ?? 0)];
  if (offsetHours > 23 || offsetMinutes > 59) return undefined;
  const second = Number(match[7] ?? 0);
  // A leap second becomes the second before it.
  if (second > 60) return undefined;
  return {
    year: fullYear(year!),
    month: Number(month),
    day: Number(day),
    hour: half === undefined ? hour : (hour % 12) + (half === 'p' ? 12 : 0),
    minute: Number(match[6] ?? 0),
    second: Math.min(second, 59),
    millisecond: Number((match[8] ?? '').slice(0, 3).padEnd(3, '0')),
    offset:
      match[11] === undefined ? (match[10] === undefined ? undefined : 0) : sign * (offsetHours * 60 + offsetMinutes),
  };
}

/** Two digits mean a year from 1930 to 2029, as in spreadsheets: `31.01.65` is a day of 1965. */
function fullYear(text: string): number {
  const year = Number(text);
  return text.length === 4 ? year : year + (year < 30 ? 2000 : 1900);
}

function fromUnix(text: string): string | undefined {
  if (!/^\d{1,14}(?:\.\d{1,6})?$/.test(text)) return undefined;
  const number = Number(text);
  // Seconds have at most 11 digits until the year 5138, and milliseconds have more after 1973.
  return asMoment(Math.round(number < 1e11 ? number * 1000 : number));
}

function asMoment(epochMilliseconds: number): string | undefined {
  const at = new Date(epochMilliseconds);
  const year = at.getUTCFullYear();
  return year >= 1 && year <= 9999 ? at.toISOString() : undefined;
}
