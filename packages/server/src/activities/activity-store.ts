import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { arrayLiteral, copyText } from '../db/text-format.ts';
import type { NewActivity } from './activity.ts';
import { monthOfText, startOfMonth, type Month } from './month.ts';
import { restColumns } from './record.ts';

// The month is a constant of the statement, so that only its partition is planned and read.
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
): Promise<NewActivity[]> {
  const found: NewActivity[] = [];
  const identified = activities.filter((one) => one.recordId !== null);
  for (const [month, some] of Map.groupBy(identified, (one): Month => monthOfText(one.occurredAt))) {
    const { rows } = await client.query<[place: number]>({
      text: findRepeated,
      values: [
        accountId,
        arrayLiteral(some, (one) => one.key),
        arrayLiteral(some, (one) => one.channel),
        arrayLiteral(some, (one) => one.occurredAt),
        arrayLiteral(some, (one) => one.recordId),
        startOfMonth(month),
        startOfMonth(month + 1),
      ],
      rowMode: 'array',
    });
    for (const [place] of rows) found.push(some[place - 1]!);
  }
  return found;
}

/** Stores activities. The partitions of their months must be there. */
export async function copyActivities(
  client: pg.ClientBase,
  accountId: number,
  activities: readonly NewActivity[],
): Promise<void> {
  let lines = '';
  for (const { key, channel, occurredAt, recordId, rest } of activities) {
    lines += `${accountId}\t${copyText(key)}\t${channel}\t${occurredAt}\t${copyText(recordId)}\t${rest}\n`;
  }
  const columns = `account_id, contact_key, channel, occurred_at, record_id, ${restColumns}`;
  const stream = client.query(copyFrom(`copy activities (${columns}) from stdin`));
  stream.end(lines);
  await finished(stream);
}
