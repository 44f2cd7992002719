import { currentLanguage } from '#texts/load-texts.ts';

/** Returns the locale for numbers and dates: that of the browser for the language of the texts. */
export function currentLocale(): string {
  const language = currentLanguage();
  return navigator.languages.find((locale) => locale.slice(0, 2) === language) ?? language;
}

/**
 * Returns a function that makes a formatter for the current locale only once for the same options:
 * that takes longer than to format a value. A table or chart formats thousands of values.
 */
function once<Options, Formatter>(
  make: (locale: string, options: Options) => Formatter,
): (options: Options) => Formatter {
  const made = new Map<string, Formatter>();
  return (options) => {
    const locale = currentLocale();
    const key = `${locale} ${JSON.stringify(options)}`;
    const found = made.get(key) ?? make(locale, options);
    made.set(key, found);
    return found;
  };
}

const numberFormat = once((locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options));
/** Returns the formatter of dates for the current locale. */
export const dateFormat = once(
  (locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
);

/** Formats a number: `1,234,567`. */
export function formatNumber(value: number | bigint, options: Intl.NumberFormatOptions = {}): string {
  return numberFormat(options).format(value);
}

/** Formats a share of 0 to 1: `12.3 %`. */
export function formatPercent(share: number, digits = 1): string {
  return formatNumber(share, { style: 'percent', maximumFractionDigits: digits });
}

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Formats a number of bytes: `12.3 MB`. A kilobyte has 1,000 bytes. */
export function formatBytes(bytes: number): string {
  const power = Math.min(byteUnits.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  return formatNumber(bytes / 1000 ** power, {
    style: 'unit',
    unit: byteUnits[power]!,
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power === 0 ? 0 : 1,
  });
}

/** Formats a moment in a time zone (default: that of the browser). */
export function formatDateTime(value: string | number | Date, timeZone?: string): string {
  return dateFormat({ dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(value));
}

/** Returns the time zone of the browser, in which pages outside of accounts show moments. */
export function browserTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Formats a day, such as `2026-03-01`, without a time zone. */
export function formatDate(day: string): string {
  return dateFormat({ dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day));
}

/** Returns the name of a month (1 to 12). */
export function monthName(month: number): string {
  return dateFormat({ month: 'long', timeZone: 'UTC' }).format(Date.UTC(2000, month - 1, 1));
}

/** Formats a day without a year, such as `31 December`. */
export function formatDayOfYear(month: number, day: number): string {
  return dateFormat({ month: 'long', day: 'numeric', timeZone: 'UTC' }).format(Date.UTC(2000, month - 1, day));
}

const spans = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** Formats how long ago a moment is, or how far ahead: `3 minutes ago`. */
export function formatAgo(value: string | number | Date): string {
  const seconds = (new Date(value).getTime() - Date.now()) / 1000;
  const format = new Intl.RelativeTimeFormat(currentLocale(), { numeric: 'auto' });
  for (const [unit, length] of spans) {
    if (Math.abs(seconds) >= length) return format.format(Math.trunc(seconds / length), unit);
  }
  return format.format(Math.trunc(seconds), 'second');
}

/** Formats a duration in seconds: `2 min 5 s`. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = (
    [
      [Math.floor(whole / 3600), 'hour'],
      [Math.floor((whole % 3600) / 60), 'minute'],
      [whole % 60, 'second'],
    ] as const
  ).filter(([amount]) => amount > 0);
  const shown = parts.length === 0 ? ([[0, 'second']] as const) : parts.slice(0, 2);
  return shown.map(([amount, unit]) => formatNumber(amount, { style: 'unit', unit, unitDisplay: 'narrow' })).join(' ');
}

/** Cuts a text after some UTF-16 code units, but never inside of a character such as an emoji. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const characters = [...new Intl.Segmenter().segment(text.slice(0, length))];
  // The last character may have been cut.
  return `${text.slice(0, characters.at(-1)!.index)}…`;
}
