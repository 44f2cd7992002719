import { Temporal } from 'temporal-polyfill';
import { dayAt } from '#platform/time/days.ts';
import { hour, minute } from '#platform/time/intervals.ts';

/** The moment at which a filter is evaluated, and the time zone of the account. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly timeZone: string;
}

/** Days from `first` (`YYYY-MM-DD`, inclusive) to `next` (exclusive). */
export interface Days {
  readonly first: string;
  readonly next: string;
}

// The largest numbers lead to years that have four digits.
const largest = { minute: 1_000_000, hour: 100_000, day: 36_500, week: 5200, month: 1200, year: 100 } as const;

type Unit = keyof typeof largest;
type DayUnit = Exclude<Unit, 'minute' | 'hour'>;

const amountForm = /^(\d{1,7}) ?(minute|hour|day|week|month|year)s?$/;
const relativeForm = /^([+-]) ?(\d.*)$/;
const periodForm = /^(this|last|next) (week|month|quarter|year)$/;
const dayWords: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 };

/** Words of a filter that mean a date, for messages and documents. */
export const relativeExamples = 'today, -30 days or this month';

/** True when a stored value of a date or date-time condition is relative, such as `-30 days`. */
export function isRelative(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z+-]/.test(value);
}

/** True when a relative value is a moment and not one or more days: `now`, or `-6 hours`. */
export function isRelativeMoment(value: string): boolean {
  return value === 'now' || /(minute|hour)s?$/.test(value);
}

/**
 * Reads a relative date, in any letter case. Returns its stored form, or undefined for any other
 * text:
 * - `now`, or `-6 hours`: a moment
 * - `today`, `yesterday`, `tomorrow`, `-30 days`, `+2 weeks`, `-3 months`, `-1 year`: a day
 * - `this month`, `last week`, `next year`, `this quarter`: all days of a period
 */
export function readRelativeDate(text: string): string | undefined {
  const word = wordsOf(text);
  if (word === 'now' || word in dayWords || periodForm.test(word)) return word;
  const [, sign, rest] = relativeForm.exec(word) ?? [];
  if (sign === undefined) return undefined;
  const amount = readAmount(rest!);
  return amount === undefined ? undefined : `${sign}${amount}`;
}

/** Reads a length of time, such as `30 days`, or 30 for days. Returns its stored form. */
export function readLength(value: string | number): string | undefined {
  const word = typeof value === 'number' || /^\s*\d+\s*$/.test(value) ? `${Number(value)} days` : wordsOf(value);
  return readAmount(word);
}

/** True when a stored length of time has minutes or hours. */
export function isLengthOfHours(length: string): boolean {
  return isRelativeMoment(length);
}

/** Returns the milliseconds of a stored relative moment. */
export function momentOf(relative: string, { now }: Clock): number {
  if (relative === 'now') return now;
  const { count, unit } = amountOf(relative.slice(1));
  return now + signOf(relative) * count * (unit === 'hour' ? hour : minute);
}

/** Returns the days of a stored relative date that is not a moment. */
export function daysOf(relative: string, { now, timeZone }: Clock): Days {
  const today = Temporal.PlainDate.from(dayAt(now, timeZone));
  const period = periodForm.exec(relative);
  if (period === null) {
    const day = dayWords[relative] === undefined ? shifted(today, relative) : today.add({ days: dayWords[relative] });
    return { first: day.toString(), next: day.add({ days: 1 }).toString() };
  }
  const [, which, unit] = period as unknown as [
    string,
    'this' | 'last' | 'next',
    'week' | 'month' | 'quarter' | 'year',
  ];
  const length = unit === 'quarter' ? { months: 3 } : durationOf(unit, 1);
  const current = startOf(today, unit);
  const first = which === 'this' ? current : which === 'last' ? current.subtract(length) : current.add(length);
  return { first: first.toString(), next: first.add(length).toString() };
}

/** Returns the day that is a stored length of time before today (`-1`) or after it (`1`). */
export function dayFromToday(length: string, sign: 1 | -1, clock: Clock): string {
  return daysOf(`${sign === 1 ? '+' : '-'}${length}`, clock).first;
}

/** Returns the moment that is a stored length of hours or minutes from now. */
export function momentFromNow(length: string, sign: 1 | -1, clock: Clock): number {
  return momentOf(`${sign === 1 ? '+' : '-'}${length}`, clock);
}

/** Reads a day of the year (`MM-DD`, or a date). Returns `MM-DD`, or undefined for other texts. */
export function readDayOfYear(text: string): string | undefined {
  const [, month, day] = /^(?:\d{4}-)?(\d\d)-(\d\d)$/.exec(text.trim()) ?? [];
  if (month === undefined) return undefined;
  // A leap year, which has all days.
  const at = new Date(Date.UTC(2000, Number(month) - 1, Number(day)));
  return at.toISOString().slice(5, 10) === `${month}-${day}` ? `${month}-${day}` : undefined;
}

/**
 * Returns the days of the year (`MM-DD`) of a period. In a year without 29 February, that day has
 * its anniversary on 28 February.
 */
export function daysOfYear({ first, next }: Days): string[] {
  const days = new Set<string>();
  const end = Temporal.PlainDate.from(next);
  for (
    let day = Temporal.PlainDate.from(first), count = 0;
    count < 366 && Temporal.PlainDate.compare(day, end) < 0;
    day = day.add({ days: 1 }), count++
  ) {
    const written = day.toString().slice(5);
    days.add(written);
    if (written === '02-28' && !day.inLeapYear) days.add('02-29');
  }
  return [...days];
}

function wordsOf(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, ' ');
}

function readAmount(word: string): string | undefined {
  const [, digits, unit] = amountForm.exec(word) ?? [];
  if (digits === undefined) return undefined;
  const count = Number(digits);
  if (count < 1 || count > largest[unit as Unit]) return undefined;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

function amountOf(amount: string): { count: number; unit: Unit } {
  const [, digits, unit] = amountForm.exec(amount)!;
  return { count: Number(digits), unit: unit as Unit };
}

function signOf(relative: string): 1 | -1 {
  return relative.startsWith('-') ? -1 : 1;
}

function shifted(today: Temporal.PlainDate, relative: string): Temporal.PlainDate {
  const { count, unit } = amountOf(relative.slice(1));
  return today.add(durationOf(unit as DayUnit, signOf(relative) * count));
}

function durationOf(unit: DayUnit, count: number): Temporal.DurationLike {
  return { [`${unit}s`]: count };
}

/** Weeks begin on Monday. */
function startOf(day: Temporal.PlainDate, unit: 'week' | 'month' | 'quarter' | 'year'): Temporal.PlainDate {
  if (unit === 'week') return day.subtract({ days: day.dayOfWeek - 1 });
  if (unit === 'year') return day.with({ month: 1, day: 1 });
  return day.with({ day: 1, ...(unit === 'quarter' ? { month: day.month - ((day.month - 1) % 3) } : {}) });
}
