import { zonedTime } from './days.ts';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * Makes a function that shows moments (milliseconds since 1970) as the clocks of a time zone do, such as `23 Jul 2018 @3:33pm`.
 *
 * An answer can have 50,000 moments. So the offset of the zone is looked up once for all moments between two changes of its clocks.
 */
export function momentsIn(timeZone: string): (moment: number) => string {
  let known = { from: 0, before: 0, offset: 0 };
  return (moment) => {
    if (moment < known.from || moment >= known.before) known = offsetAround(moment, timeZone);
    const local = new Date(moment + known.offset);
    const clock = `${local.getUTCHours() % 12 || 12}:${String(local.getUTCMinutes()).padStart(2, '0')}`;
    const half = local.getUTCHours() < 12 ? 'am' : 'pm';
    return `${local.getUTCDate()} ${months[local.getUTCMonth()]} ${local.getUTCFullYear()} @${clock}${half}`;
  };
}

/** The offset from UTC at a moment, and the period in which it holds, in milliseconds. */
function offsetAround(moment: number, timeZone: string): { from: number; before: number; offset: number } {
  const local = zonedTime(moment, timeZone);
  return {
    // The search looks before its start, and the clocks may change at the very moment.
    from: local.add({ milliseconds: 1 }).getTimeZoneTransition('previous')?.epochMilliseconds ?? -Infinity,
    before: local.getTimeZoneTransition('next')?.epochMilliseconds ?? Infinity,
    offset: local.offsetNanoseconds / 1e6,
  };
}
