import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { bigintArray, smallintArray, textArray, timestampArray } from '#platform/database/values/binary-array.ts';
import { endOfField, fieldAt, TupleWriter } from '#platform/database/values/tuple-writer.ts';
import { startOfMonth, type Month } from './month.ts';
import { packedColumns } from './packed.ts';
import type { RecordedActivities } from './recorded.ts';

/** Activities of one month as they are sent to PostgreSQL, in a certain order. */
export interface ActivitiesToStore {
  readonly month: Month;
  /** Index of the request of each in its batch. */
  readonly requests: readonly number[];
  /** Their tuples in the binary form of COPY, one after the other. */
  readonly tuples: Buffer;
  /** Where each tuple begins, and behind them where the last one ends. */
  readonly begins: readonly number[];
  /** Which of them are looked for: those that have a record id; and what of them, in arrays. */
  readonly looked: readonly number[];
  readonly lookup: readonly Buffer[];
}

const columns = ['account_id', 'contact_key', packedColumns].join(', ');
const columnCount = columns.split(', ').length;
// Length and value of the account, and the length of the key; what a key takes beyond its characters is rare.
const beforeKey = 2 + 8 + 4;

/** Brings recorded activities of a month, by index and in the order in which they are to be stored, into the form in which they are sent. */
export function activitiesToStore(
  accountId: number,
  month: Month,
  recorded: RecordedActivities,
  order: readonly number[],
): ActivitiesToStore {
  const { keys, moments, channels, recordIds } = recorded;
  const requests: number[] = [];
  const begins: number[] = [];
  const looked: number[] = [];
  const found = { keys: [] as string[], channels: [] as number[], moments: [] as number[], ids: [] as number[] };
  const writer = new TupleWriter(capacity(recorded, order));
  for (const index of order) {
    const key = keys[index]!;
    requests.push(recorded.requests[index]!);
    begins.push(writer.length);
    writer.begin(columnCount);
    writer.integer(accountId);
    writer.text(key);
    writer.fields(recorded.bytes[index]!, recorded.begins[index]!, recorded.ends[index]!);
    const id = recordIds[index]!;
    if (Number.isNaN(id)) continue;
    looked.push(begins.length - 1);
    found.keys.push(key);
    found.channels.push(channels[index]!);
    found.moments.push(moments[index]!);
    found.ids.push(id);
  }
  begins.push(writer.length);
  const lookup = [
    textArray(found.keys),
    smallintArray(found.channels),
    timestampArray(found.moments),
    bigintArray(found.ids),
  ];
  return { month, requests, tuples: writer.bytes, begins, looked, lookup };
}

/** The contact keys of the activities, one for each. */
export function keysOf({ tuples, begins }: ActivitiesToStore): string[] {
  return begins.slice(0, -1).map((begin) => fieldAt(tuples, endOfField(tuples, begin + 2))!.toString());
}

function capacity({ keys, begins, ends }: RecordedActivities, order: readonly number[]): number {
  let bytes = 0;
  for (const index of order) bytes += beforeKey + keys[index]!.length * 3 + ends[index]! - begins[index]!;
  return bytes;
}

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
 * The places of those activities that are stored already: with the same contact key, channel, moment and record id. Activities without a
 * record id are never. One look-up each in the index that serves the queries: the account has one writer, so nothing has to be unique for the
 * database to make sure.
 */
export async function findStored(
  client: pg.ClientBase,
  accountId: number,
  { month, looked, lookup }: ActivitiesToStore,
): Promise<Set<number>> {
  if (looked.length === 0) return new Set();
  const { rows } = await client.query<[place: number]>({
    text: findRepeated,
    values: [accountId, ...lookup, startOfMonth(month), startOfMonth(month + 1), looked.length],
    rowMode: 'array',
  });
  return new Set(rows.map(([place]) => looked[place]!));
}

// The signature, no flags, no extension of the header.
const copyHeader = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
const copyEnd = Buffer.from([0xff, 0xff]);

/** Stores the activities of these tuples ({@link ActivitiesToStore.tuples}). The partitions of their months must be there. */
export async function copyActivities(client: pg.ClientBase, tuples: readonly Buffer[]): Promise<void> {
  const stream = client.query(copyFrom(`copy activities (${columns}) from stdin (format binary)`));
  stream.write(copyHeader);
  for (const some of tuples) stream.write(some);
  stream.end(copyEnd);
  await finished(stream);
}
