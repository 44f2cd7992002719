import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { bigintArray, smallintArray, textArray, timestampArray } from '../db/binary-array.ts';
import { TupleWriter } from '../db/tuple-writer.ts';
import type { NewActivity } from './activity.ts';
import { startOfMonth, type Month } from './month.ts';
import { channelNumberAt, momentAt, recordIdAt } from './packed-tuple.ts';
import { packedColumns } from './packed.ts';

// The month is a constant of the statement, so that only its partition is planned and read. The limit keeps each look-up by itself: joined
// freely, the planner may read all activities of a table that it knows little of, and look for each of them in the list. In the list of a select the arrays
// are read side by side; in a from clause each would be copied into a table of its own first.
const findRepeated = `
  select w.place from (
    select unnest($2::text[]) as contact_key, unnest($3::smallint[]) as channel, unnest($4::timestamptz[]) as occurred_at,
      unnest($5::bigint[]) as record_id, generate_series(0, $8::int - 1) as place
  ) w
  cross join lateral (
    select from activities a
    where a.account_id = $1 and a.contact_key = w.contact_key and a.channel = w.channel and a.occurred_at = w.occurred_at
      and a.record_id = w.record_id and a.occurred_at >= $6::timestamptz and a.occurred_at < $7::timestamptz
    limit 1
  ) stored`;

/**
 * Which of some activities of a month are stored already: those with the same contact key, channel, moment and record id. Activities without a
 * record id are never. One look-up each in the index that serves the queries: the account has one writer, so nothing has to be unique for the
 * database to make sure.
 */
export async function findStored(
  client: pg.ClientBase,
  accountId: number,
  month: Month,
  activities: readonly NewActivity[],
): Promise<NewActivity[]> {
  const some = activities.filter(({ bytes, begin }) => recordIdAt(bytes, begin) !== undefined);
  if (some.length === 0) return [];
  const { rows } = await client.query<[place: number]>({
    text: findRepeated,
    values: [
      accountId,
      textArray(some.map(({ key }) => key)),
      smallintArray(some.map(({ bytes, begin }) => channelNumberAt(bytes, begin))),
      timestampArray(some.map(({ bytes, begin }) => momentAt(bytes, begin))),
      bigintArray(some.map(({ bytes, begin }) => recordIdAt(bytes, begin)!)),
      startOfMonth(month),
      startOfMonth(month + 1),
      some.length,
    ],
    rowMode: 'array',
  });
  return rows.map(([place]) => some[place]!);
}

// So many are put together before they are sent, so that PostgreSQL stores them while the next are.
const tuplesAtOnce = 1000;
const bytesAtOnce = 256 * 1024;
// The signature, no flags, no extension of the header.
const copyHeader = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const copyEnd = Buffer.from([0xff, 0xff]);
const columns = ['account_id', 'contact_key', packedColumns].join(', ');
const columnCount = columns.split(', ').length;

/** Stores activities. The partitions of their months must be there. */
export async function copyActivities(
  client: pg.ClientBase,
  accountId: number,
  activities: readonly NewActivity[],
): Promise<void> {
  const stream = client.query(copyFrom(`copy activities (${columns}) from stdin (format binary)`));
  await pipeline(Readable.from(chunksOf(accountId, activities)), stream);
}

function* chunksOf(accountId: number, activities: readonly NewActivity[]): Generator<Buffer> {
  yield copyHeader;
  for (let from = 0; from < activities.length; from += tuplesAtOnce) {
    const tuples = new TupleWriter(bytesAtOnce);
    for (const { key, bytes, begin, end } of activities.slice(from, from + tuplesAtOnce)) {
      tuples.begin(columnCount);
      tuples.integer(accountId);
      tuples.text(key);
      tuples.fields(bytes, begin, end);
    }
    yield tuples.bytes;
  }
  yield copyEnd;
}
