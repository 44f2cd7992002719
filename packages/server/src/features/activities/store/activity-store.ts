import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { arrayLiteral, copyText } from '#platform/database/values/text-format.ts';
import type { NewActivity } from '../batch/activity-changes.ts';
import type { CountedActivity } from '../counts/activity-counts.ts';
import { channelNumber, kindNumber } from '#platform/database/values/activity-numbers.ts';
import { startOfMonth, type Month } from '#platform/time/month.ts';

/** An activity as it is stored and searched for. */
export interface ActivityRow extends CountedActivity {
  readonly key: string;
  /** Index of its request in the batch. */
  readonly request: number;
  /** RFC 3339. */
  readonly occurredAt: string;
  readonly recordId: number | null;
  /** All columns, as COPY reads them. */
  readonly text: string;
}

/** Prepares an activity to be stored. */
export function activityRow(accountId: number, { key, request, occurredAt: at, record }: NewActivity): ActivityRow {
  const { occurred_at: occurredAt, record_id: recordId = null, bounce_type: bounceType } = record;
  const { message_id: messageId, msg_name: messageName } = record;
  const channel = channelNumber(record.channel);
  const kind = kindNumber(record.activity);
  // Joining an array makes one flat string. `+` would make a rope of 28 pieces.
  const text = [
    accountId,
    copyText(key),
    channel,
    occurredAt,
    recordId ?? none,
    kind,
    messageId ?? none,
    copyField(messageName),
    bounceType === undefined ? none : bounceType === 'hard',
    copyField(record.ip),
    copyField(record.device),
    copyField(record.os),
    copyField(record.browser),
    copyField(record.link),
  ].join('\t');
  return { key, request, channel, kind, at, messageId, messageName, occurredAt, recordId, text };
}

const columns =
  'account_id, contact_key, channel, occurred_at, record_id, activity, message_id, msg_name, hard_bounce, ip, device, os, browser, link';
const none = copyText(null);

function copyField(text: string | undefined): string {
  return text === undefined ? none : copyText(text);
}

/** The parameters of a search for stored activities of one month. */
export interface StoredSearch {
  readonly month: Month;
  /** The keys, channels, times and record ids of the activities, as array literals. */
  readonly arrays: readonly string[];
}

/**
 * Prepares a search for activities of one month that are stored already. Activities without a
 * record id are never found. Returns undefined if none has one.
 */
export function prepareSearch(month: Month, rows: readonly ActivityRow[]): StoredSearch | undefined {
  if (rows.every(({ recordId }) => recordId === null)) return undefined;
  const arrays = [
    arrayLiteral(rows, ({ key }) => key),
    arrayLiteral(rows, ({ channel }) => channel),
    arrayLiteral(rows, ({ occurredAt }) => occurredAt),
    arrayLiteral(rows, ({ recordId }) => recordId),
  ];
  return { month, arrays };
}

// The bounds of the month make the planner read one partition only.
// The limit forces one index look-up per activity. Without the limit, and with poor statistics, the
// planner may scan the whole partition.
// The arrays are unnested in the select list: in a from clause, each is copied to a table first.
const findStoredSql = `
  select w.position from (
    select unnest($2::text[]) as contact_key, unnest($3::smallint[]) as channel, unnest($4::timestamptz[]) as occurred_at,
      unnest($5::bigint[]) as record_id, generate_series(0, cardinality($5::bigint[]) - 1) as position
  ) w
  cross join lateral (
    select 1 from activities a
    where a.account_id = $1 and a.contact_key = w.contact_key and a.channel = w.channel and a.occurred_at = w.occurred_at
      and a.record_id = w.record_id and a.occurred_at >= $6::timestamptz and a.occurred_at < $7::timestamptz
    limit 1
  ) stored`;

/**
 * Returns the positions of the activities that are stored already, with the same contact key,
 * channel, time and record id.
 *
 * It uses the index of the queries. No unique index is needed, because an account has one writer at
 * a time.
 */
export async function findStored(
  client: pg.ClientBase,
  accountId: number,
  { month, arrays }: StoredSearch,
): Promise<Set<number>> {
  const { rows } = await client.query<[position: number]>({
    text: findStoredSql,
    values: [accountId, ...arrays, startOfMonth(month), startOfMonth(month + 1)],
    rowMode: 'array',
  });
  return new Set(rows.map(([position]) => position));
}

/** Stores activities. The partitions of their months must exist. */
export async function copyActivities(client: pg.ClientBase, rows: readonly ActivityRow[]): Promise<void> {
  const stream = client.query(copyFrom(`copy activities (${columns}) from stdin`));
  stream.end(`${rows.map(({ text }) => text).join('\n')}\n`);
  await finished(stream);
}
