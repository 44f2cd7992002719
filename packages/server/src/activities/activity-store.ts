import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { arrayLiteral } from '../db/text-format.ts';
import type { NewActivity } from './activity.ts';
import { copyField, copyOptions } from './copy-line.ts';
import { monthOfText, startOfMonth } from './month.ts';
import { restColumns } from './packed.ts';

// The month is a constant of the statement, so that only its partition is planned and read. The limit keeps each look-up by itself: joined
// freely, the planner may read all activities of a table that it knows little of, and look for each of them in the list.
const findRepeated = `
  select w.place from unnest($2::text[], $3::smallint[], $4::timestamptz[], $5::bigint[])
    with ordinality as w (contact_key, channel, occurred_at, record_id, place)
  cross join lateral (
    select from activities a
    where a.account_id = $1 and a.contact_key = w.contact_key and a.channel = w.channel and a.occurred_at = w.occurred_at
      and a.record_id = w.record_id and a.occurred_at >= $6::timestamptz and a.occurred_at < $7::timestamptz
    limit 1
  ) stored`;

/**
 * Which of some activities are stored already: those with the same contact key, channel, moment and record id. Activities without a record
 * id are never. One look-up each in the index that serves the queries: the account has one writer, so nothing has to be unique for the
 * database to make sure.
 */
export async function findStored(
  client: pg.ClientBase,
  accountId: number,
  activities: readonly NewActivity[],
): Promise<Set<NewActivity>> {
  const found = new Set<NewActivity>();
  const identified = activities.filter(({ records, at }) => records.record_id[at] !== null);
  for (const [month, some] of Map.groupBy(identified, monthTextOf)) {
    const first = monthOfText(month);
    const { rows } = await client.query<[place: number]>({
      text: findRepeated,
      values: [
        accountId,
        arrayLiteral(some, ({ key }) => key),
        arrayLiteral(some, ({ records, at }) => records.channel[at]!),
        arrayLiteral(some, ({ records, at }) => records.occurred_at[at]!),
        arrayLiteral(some, ({ records, at }) => records.record_id[at]!),
        startOfMonth(first),
        startOfMonth(first + 1),
      ],
      rowMode: 'array',
    });
    for (const [place] of rows) found.add(some[place - 1]!);
  }
  return found;
}

/** The beginning of the moment of an activity that is its month, such as `2026-01`. */
export function monthTextOf({ records, at }: NewActivity): string {
  return records.occurred_at[at]!.slice(0, 7);
}

// So many lines are put together before they are sent: PostgreSQL stores them while the next are written, and they are garbage while young.
const linesAtOnce = 1000;

/** Stores activities. The partitions of their months must be there. */
export async function copyActivities(
  client: pg.ClientBase,
  accountId: number,
  activities: readonly NewActivity[],
): Promise<void> {
  const columns = `account_id, contact_key, channel, occurred_at, record_id, ${restColumns}`;
  const stream = client.query(copyFrom(`copy activities (${columns}) from stdin (${copyOptions})`));
  await pipeline(Readable.from(linesOf(accountId, activities)), stream);
}

function* linesOf(accountId: number, activities: readonly NewActivity[]): Generator<string> {
  for (let from = 0; from < activities.length; from += linesAtOnce) {
    let lines = '';
    for (const { key, records, at } of activities.slice(from, from + linesAtOnce)) {
      const id = records.record_id[at] ?? '';
      lines += `${accountId}|${copyField(key)}|${records.channel[at]}|${records.occurred_at[at]}|${id}|${records.rest[at]}\n`;
    }
    yield lines;
  }
}
