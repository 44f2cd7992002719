import type { ContactGrowth } from '@roster/contract';
import { findCountRebuild } from '#features/accounts/store/count-rebuild-store.ts';
import { countColumns, countedTypes, levelColumns } from '#features/contacts/counts/count-columns.ts';
import type { Context } from '#platform/context.ts';
import { endOfDay, startOfDay } from '#platform/time/days.ts';
import { loadGrowth, type GrowthCounts } from './growth-store.ts';
import { daysOf, type Period } from './period.ts';

type Levels = Record<(typeof levelColumns)[number], number>;
const none = Object.fromEntries(countColumns.map((name) => [name, 0])) as GrowthCounts;

/** Returns the contacts of an account now, and what happened to them on each day of a period. */
export async function contactGrowth(
  { db }: Pick<Context, 'db'>,
  accountId: number,
  { timeZone, ...period }: Period,
): Promise<ContactGrowth> {
  const days = daysOf(period);
  const starts = [...days.map((day) => startOfDay(day, timeZone)), endOfDay(period.to, timeZone)];
  const { totals, days: rows } = await loadGrowth(db, accountId, starts);
  const rebuild = await findCountRebuild(db, accountId);
  const byDay = new Map(rows.map((row) => [row.day, row]));
  // The numbers at the end of a day are the present ones without the changes of later days.
  const levels = { ...totals } as Levels;
  const shown: ContactGrowth['days'] = [];
  for (let index = days.length; index >= 0; index--) {
    const counts = byDay.get(index + 1) ?? none;
    if (index < days.length) shown.push(dayView(days[index]!, counts, levels));
    for (const name of levelColumns) levels[name] -= counts[name];
  }
  return {
    time_zone: timeZone,
    ...period,
    rebuilding: rebuild !== undefined,
    ...levelsView(totals),
    days: shown.reverse(),
  };
}

function levelsView(levels: Readonly<Levels>): Pick<ContactGrowth, 'contacts' | 'types' | 'reach'> {
  const { anonymous, identified, unconfirmed, confirmed, blacklisted } = levels;
  return {
    contacts: countedTypes.reduce((sum, type) => sum + levels[type], 0),
    types: { anonymous, identified, unconfirmed, confirmed, blacklisted },
    reach: { email: levels.email_reach, sms: levels.sms_reach, whatsapp: levels.whatsapp_reach },
  };
}

function dayView(day: string, counts: GrowthCounts, levels: Readonly<Levels>): ContactGrowth['days'][number] {
  return {
    day,
    created: counts.created,
    deleted: counts.deleted,
    opted_out: { email: counts.email_opted_out, sms: counts.sms_opted_out, whatsapp: counts.whatsapp_opted_out },
    opted_in: { email: counts.email_opted_in, sms: counts.sms_opted_in, whatsapp: counts.whatsapp_opted_in },
    ...levelsView(levels),
  };
}
