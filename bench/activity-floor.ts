import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { channelNumber, kindNumber } from '../packages/server/src/platform/database/values/activity-numbers.ts';
import { monthOf, startOfMonth } from '../packages/server/src/platform/time/month.ts';
import { activityAt, recordOf, type ActivitySize } from './activity-data.ts';

/**
 * The floor: COPY on one connection into a table with the columns, partitions and index of the
 * activities.
 */
export interface ActivityFloor {
  /** Writes activities, and returns the seconds. The lines are prepared before the clock starts. */
  copy(from: number, to: number): Promise<number>;
}

const rowsPerCopy = 10_000;
const columns =
  'account_id, contact_key, channel, occurred_at, record_id, activity, message_id, msg_name, hard_bounce, ip, device, os, browser, link';

/** Creates the table of the floor, with a partition for each month of the activities. */
export async function createActivityFloor(database: pg.Client, size: ActivitySize): Promise<ActivityFloor> {
  await database.query('create table floor_activities (like activities) partition by range (occurred_at)');
  await database.query('create index on floor_activities (account_id, contact_key, channel, occurred_at desc)');
  const last = monthOf(activityAt(size.activities - 1, size).at.getTime()) + 1;
  for (let month = monthOf(activityAt(0, size).at.getTime()); month <= last; month++) {
    await database.query(
      `create table floor_activities_${month} partition of floor_activities for values from ('${startOfMonth(month)}') to ('${startOfMonth(month + 1)}')`,
    );
  }
  return {
    async copy(from, to) {
      const copies: string[] = [];
      for (let at = from; at < to; at += rowsPerCopy) {
        let lines = '';
        for (let n = at; n < Math.min(at + rowsPerCopy, to); n++) lines += lineOf(n, size);
        copies.push(lines);
      }
      const started = performance.now();
      for (const lines of copies) {
        const stream = database.query(copyFrom(`copy floor_activities (${columns}) from stdin`));
        stream.end(lines);
        await finished(stream);
      }
      return (performance.now() - started) / 1000;
    },
  };
}

function lineOf(n: number, size: ActivitySize): string {
  const activity = activityAt(n, size);
  const record = recordOf(activity) as Record<string, string | number | undefined>;
  const values = [
    1,
    activity.identity,
    channelNumber(activity.channel),
    activity.at.toISOString(),
    // Any unique number. The service computes its number from the id.
    n * 7919,
    kindNumber(activity.activity),
    record['message_id'],
    record['msg_name'],
    record['bounce_type'] === undefined ? undefined : record['bounce_type'] === 'hard',
    ...['ip', 'device', 'os', 'browser', 'link'].map((name) => record[name]),
  ];
  return `${values.map((value) => value ?? '\\N').join('\t')}\n`;
}
