const days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const length = '2026-01-31T09:00:00.000Z'.length;
// Of each of the two months before March: they are counted with the year before, so that the day that comes every four years is the last.
const monthsBeforeMarch = 2;
const daysFromMarch0To1970 = 719_468;

/**
 * The moment that stands between two places as `YYYY-MM-DDTHH:MM:SS.sssZ`, in milliseconds since 1970; NaN for another form, and for a day that the
 * calendar does not have or a time that the clock does not show.
 */
export function readMoment(bytes: Buffer, begin: number, end: number): number {
  if (end - begin !== length || !isPunctuated(bytes, begin)) return NaN;
  const year = two(bytes, begin) * 100 + two(bytes, begin + 2);
  const month = two(bytes, begin + 5);
  const day = two(bytes, begin + 8);
  const hour = two(bytes, begin + 11);
  const minute = two(bytes, begin + 14);
  const second = two(bytes, begin + 17);
  const milliseconds = two(bytes, begin + 20) * 10 + digit(bytes, begin + 22);
  // A comparison with NaN is false, so each of these is also whether there are digits.
  const isDay = year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month);
  if (!isDay || !(hour <= 23 && minute <= 59 && second <= 59)) return NaN;
  return (((dayNumber(year, month, day) * 24 + hour) * 60 + minute) * 60 + second) * 1000 + milliseconds;
}

function isPunctuated(bytes: Buffer, at: number): boolean {
  return (
    bytes[at + 4] === 0x2d &&
    bytes[at + 7] === 0x2d &&
    bytes[at + 10] === 0x54 &&
    bytes[at + 13] === 0x3a &&
    bytes[at + 16] === 0x3a &&
    bytes[at + 19] === 0x2e &&
    bytes[at + 23] === 0x5a
  );
}

function digit(bytes: Buffer, at: number): number {
  const value = bytes[at]! - 0x30;
  return value >= 0 && value <= 9 ? value : NaN;
}

function two(bytes: Buffer, at: number): number {
  return digit(bytes, at) * 10 + digit(bytes, at + 1);
}

function daysOf(year: number, month: number): number {
  const isLeap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return days[month - 1]! + Number(isLeap);
}

/** The days between 1970-01-01 and a day of the calendar. */
function dayNumber(year: number, month: number, day: number): number {
  const years = month > monthsBeforeMarch ? year : year - 1;
  const months = (month + 12 - monthsBeforeMarch - 1) % 12;
  const leaps = Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400);
  return years * 365 + leaps + Math.floor((153 * months + 2) / 5) + day - 1 - daysFromMarch0To1970;
}
