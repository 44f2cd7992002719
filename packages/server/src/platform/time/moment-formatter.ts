import { zonedTime } from './days.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * Makes a function that formats moments (milliseconds since 1970) in a time zone, such as
 * `23 Jul 2018 @3:33pm`.
 *
 * A response can contain 50,000 moments. So the function looks up the offset of the zone only once
 * for all moments between two changes of its clocks.
 */
export function momentFormatter(timeZone: string): (moment: number) => string {
  let known = { from: 0, before: 0, offset: 0 };
  return (moment) => {
    if (moment < known.from || moment >= known.before) known = offsetAround(moment, timeZone);
    const local = new Date(moment + known.offset);
    const clock = `${local.getUTCHours() % 12 || 12}:${String(local.getUTCMinutes()).padStart(2, '0')}`;
    const half = local.getUTCHours() < 12 ? 'am' : 'pm';
    return `${local.getUTCDate()} ${months[local.getUTCMonth()]} ${local.getUTCFullYear()} @${clock}${half}`;
  };
}

/** Returns the offset from UTC at a moment, and the period in which it holds, in milliseconds. */
function offsetAround(moment: number, timeZone: string): { from: number; before: number; offset: number } {
  const local = zonedTime(moment, timeZone);
  return {
    // The search excludes its start, but the clocks may change at exactly this moment.
    from: local.add({ milliseconds: 1 }).getTimeZoneTransition('previous')?.epochMilliseconds ?? -Infinity,
    before: local.getTimeZoneTransition('next')?.epochMilliseconds ?? Infinity,
    offset: local.offsetNanoseconds / 1e6,
  };
}
