/**
 * Formats a time, such as `31 January 2026, 14:30 (Asia/Kolkata, GMT+5:30)`.
 *
 * Uses UTC for a time zone that this version of Node does not know, but an earlier version
 * accepted.
 */
export function formatMoment(moment: Date, timeZone: string): string {
  const zone = isKnownZone(timeZone) ? timeZone : 'UTC';
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone }).format(moment);
  const day = format({ day: 'numeric', month: 'long', year: 'numeric' });
  const time = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return `${day}, ${time} (${zoneOf(moment, zone)})`;
}

function isKnownZone(timeZone: string): boolean {
  try {
    Intl.DateTimeFormat('en-GB', { timeZone });
    return true;
  } catch {
    return false;
  }
}

function zoneOf(moment: Date, timeZone: string): string {
  if (timeZone === 'UTC') return 'UTC';
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'shortOffset' }).formatToParts(moment);
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value;
  return offset === undefined ? timeZone : `${timeZone}, ${offset}`;
}

// Creating a format takes much longer than using it.
const countFormat = new Intl.NumberFormat('en');
const amountFormat = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** Formats a count, such as `1,250,000`. */
export function formatCount(count: number): string {
  return countFormat.format(count);
}

/** Formats a size, such as `812 bytes` or `1.4 MB`. A MB is a million bytes. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let amount = bytes;
  let unit = 0;
  // From 999.95 on, rounding would show 1000.
  while (amount >= 999.95 && unit < units.length - 1) {
    amount /= 1000;
    unit++;
  }
  if (unit === 0) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  return `${amountFormat.format(amount)} ${units[unit]}`;
}
