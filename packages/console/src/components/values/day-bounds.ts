/** Reads a day such as `2026-03-01` from an address; undefined if it is none, or before 1000. */
export function readDay(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^[12]\d{3}-\d\d-\d\d$/.test(value)) return undefined;
  const beginning = new Date(`${value}T00:00:00Z`);
  const exists = !Number.isNaN(beginning.getTime()) && beginning.toISOString().startsWith(value);
  return exists ? value : undefined;
}

/** Returns the beginning of a day in a time zone (default: that of the browser). */
export function dayStart(day: string, timeZone: string | undefined): string {
  return momentAt(`${day} 00:00:00`, timeZone);
}

/** Returns the moment of a time such as `2026-03-01 09:30:00` on the clock of a time zone (default: that of the browser). */
export function momentAt(time: string, timeZone: string | undefined): string {
  const wanted = Date.parse(`${time.replace(' ', 'T')}Z`);
  const near = wanted - offsetAt(wanted, timeZone);
  // The clock may change between the two.
  return new Date(wanted - offsetAt(near, timeZone)).toISOString();
}

/** Returns the end of a day in a time zone: the beginning of the next one. */
export function dayEnd(day: string, timeZone: string | undefined): string {
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000);
  return dayStart(next.toISOString().slice(0, 10), timeZone);
}

/** Returns the time such as `2026-03-01 09:30:00` that the clock of a time zone shows at a moment. */
export function clockAt(moment: number, timeZone: string | undefined): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(moment);
}

/** Returns how far the clock of a time zone is ahead of UTC, in milliseconds. */
function offsetAt(moment: number, timeZone: string | undefined): number {
  return Date.parse(`${clockAt(moment, timeZone).replace(' ', 'T')}Z`) - moment;
}
