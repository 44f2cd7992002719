import {
  activityKinds,
  channels,
  type ActivityKind,
  type ActivityStatistics,
  type MessageStatistics,
} from '@roster/contract';
import { effectiveSettings } from '#features/accounts/store/account-settings.ts';
import type { AccountRow } from '#features/accounts/store/account-store.ts';
import { findCountRebuild } from '#features/accounts/store/count-rebuild-store.ts';
import { channelNumber, channelOf, kindNumber, kindOf } from '#platform/database/values/activity-numbers.ts';
import { oldestMonth } from '#platform/time/month.ts';
import type { Context } from '#platform/context.ts';
import type { Channel } from '@roster/contract';
import { sumByDay, type ActivityFilter, type MessageSum } from './activity-statistics-store.ts';
import { periodOf, type GivenPeriod, type Period } from './period.ts';

type Numbers = Record<ActivityKind, number>;

/** The query fields that select activities. */
export interface GivenFilter extends GivenPeriod {
  readonly channel?: Channel | undefined;
  readonly message_id?: number | undefined;
}

/** Returns the filter of a query. Leaves out months that the account does not keep. */
export function filterOf(
  account: AccountRow,
  query: GivenFilter,
  now: number,
): { readonly filter: ActivityFilter; readonly period: Period } {
  const period = periodOf(query, account.time_zone, now);
  const { activity_retention_months: months } = effectiveSettings(account.settings);
  const filter = {
    accountId: account.account_id,
    from: period.from,
    to: period.to,
    oldestMonth: oldestMonth(now, months),
    channel: query.channel === undefined ? undefined : channelNumber(query.channel),
    messageId: query.message_id,
  };
  return { filter, period };
}

/** Returns the activities of an account by day and channel. */
export async function activityStatistics(
  { db, now }: Pick<Context, 'db' | 'now'>,
  account: AccountRow,
  query: GivenFilter,
): Promise<ActivityStatistics> {
  const { filter, period } = filterOf(account, query, now().getTime());
  const rows = await sumByDay(db, filter);
  const totals = new Map<Channel, Numbers>();
  const days = new Map<string, ActivityStatistics['days'][number]>();
  for (const { day, channel: number, activity, count } of rows) {
    const channel = channelOf(number);
    const kind = kindOf(activity);
    const total = totals.get(channel) ?? noNumbers();
    total[kind] += count;
    totals.set(channel, total);
    const key = `${day} ${channel}`;
    const ofDay = days.get(key) ?? { day, channel, ...noNumbers() };
    ofDay[kind] += count;
    days.set(key, ofDay);
  }
  return {
    time_zone: period.timeZone,
    from: period.from,
    to: period.to,
    rebuilding: (await findCountRebuild(db, account.account_id)) !== undefined,
    totals: channels.flatMap((channel) => {
      const numbers = totals.get(channel);
      return numbers === undefined ? [] : [{ channel, ...numbers }];
    }),
    days: [...days.values()],
  };
}

/** Returns the activities of a message as the operator API shows them. */
export function messageView(row: MessageSum): MessageStatistics {
  const numbers = noNumbers();
  for (const kind of activityKinds) numbers[kind] = row.counts[kindNumber(kind)] ?? 0;
  return {
    message_id: row.message_id,
    name: row.name,
    channels: row.channels.map(channelOf),
    first_day: row.first_day,
    last_day: row.last_day,
    ...numbers,
  };
}

function noNumbers(): Numbers {
  return Object.fromEntries(activityKinds.map((kind) => [kind, 0])) as Numbers;
}
