import { sql } from 'kysely';
import type pg from 'pg';
import { summaryColumns, type SummaryColumns } from '#features/registry/derived/summary-columns.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { arrayLiteral } from '#platform/database/values/text-format.ts';
import type { SummaryChanges } from './summary-changes.ts';

/**
 * Adds the activities that a batch stores to the summaries of their contacts. No other transaction
 * may write the same summaries at the same time, so the caller holds the lane of the contacts and
 * waits until all earlier batches are committed.
 */
export async function addToSummaries(
  client: pg.ClientBase,
  accountId: number,
  { byColumns }: SummaryChanges,
  oldest: number,
): Promise<void> {
  for (const [place, byKey] of byColumns) {
    // The activities of a month are in the order of their keys. So summaries that are next to each
    // other in the index are written together.
    const changes = [...byKey];
    await client.query(statementOf(place).replaceAll('$6', String(Math.trunc(oldest))), [
      accountId,
      arrayLiteral(changes, ([key]) => key),
      arrayLiteral(changes, ([, { first }]) => moment(first)),
      arrayLiteral(changes, ([, { last }]) => moment(last)),
      arrayLiteral(changes, ([, { minutes }]) => (minutes.length === 0 ? null : minutesText(minutes))),
    ]);
  }
}

function moment(at: number): string {
  return new Date(at).toISOString();
}

function minutesText(minutes: readonly number[]): string {
  return minutes.length === 1 ? String(minutes[0]) : minutes.toSorted((a, b) => a - b).join(',');
}

const statements = new Map<number, string>();

/** Returns the statement that adds activities of one kind on one channel. */
function statementOf(place: number): string {
  let found = statements.get(place);
  if (found === undefined) statements.set(place, (found = makeStatement(summaryColumns[place])));
  return found;
}

/**
 * Without columns: only notes when the contact was seen.
 *
 * ON CONFLICT looks up each key in the index, whatever the planner knows about the table. An UPDATE
 * with a join read all summaries of the account for each key while the table was new.
 */
function makeStatement(columns: SummaryColumns | undefined): string {
  const written = [
    ['first_seen', 'u.first', 'least(s.first_seen, excluded.first_seen)'],
    ['last_seen', 'u.last', 'greatest(s.last_seen, excluded.last_seen)'],
    ...(columns === undefined
      ? []
      : [
          [columns.at, 'u.last', `greatest(s.${columns.at}, excluded.${columns.at})`],
          // As text, because `unnest` would flatten an array of arrays.
          [columns.minutes, `string_to_array(u.minutes, ',')::integer[]`, appended(columns.minutes)],
        ]),
  ] as const;
  // The arrays are unnested in the select list: in a from clause, each is copied to a table first.
  return `
    insert into activity_summaries as s (account_id, contact_key, ${written.map(([name]) => name).join(', ')})
    select $1::integer, u.contact_key, ${written.map(([, value]) => value).join(', ')} from (
      select unnest($2::text[]) as contact_key, unnest($3::timestamptz[]) as first, unnest($4::timestamptz[]) as last,
        unnest($5::text[]) as minutes) u
    on conflict (account_id, contact_key) do update set ${written.map(([name, , changed]) => `${name} = ${changed}`).join(', ')}`;
}

/**
 * SQL that adds sorted minutes to sorted minutes, and removes those before the oldest minute ($6,
 * which is replaced by the number: a cluster passes on no parameters of ON CONFLICT).
 * Activities usually arrive in order. Only late ones need a sort.
 */
function appended(column: string): string {
  const [stored, added] = [`s.${column}`, `excluded.${column}`];
  return `case when ${added} is null then ${stored} when ${stored} is null then ${added}
    when ${stored}[cardinality(${stored})] > ${added}[1] then
      (select array_agg(m order by m) from unnest(${stored} || ${added}) as m where m >= $6::integer)
    when ${stored}[1] < $6::integer then ${stored}[width_bucket($6::integer - 1, ${stored}) + 1:] || ${added}
    else ${stored} || ${added} end`;
}

/** Removes the summaries of some keys, and returns them. No other transaction may write them. */
export async function takeSummaries(
  trx: Database,
  accountId: number,
  keys: readonly string[],
): Promise<StoredSummary[]> {
  const ofKeys = sql`s.account_id = ${accountId} and s.contact_key = any (${[...keys]}::text[])`;
  // Two statements, because a cluster refuses `returning to_jsonb(s)`.
  const { rows } = await sql<{ summary: StoredSummary }>`
    select to_jsonb(s) as summary from activity_summaries s where ${ofKeys}`.execute(trx);
  await sql`delete from activity_summaries s where ${ofKeys}`.execute(trx);
  return rows.map(({ summary }) => summary);
}

/** A row of `activity_summaries` as JSON. */
export interface StoredSummary extends Readonly<Record<string, unknown>> {
  readonly contact_key: string;
}

/** Adds summaries to those of other keys, which must differ. */
export async function mergeSummaries(trx: Database, summaries: readonly StoredSummary[]): Promise<void> {
  const merged = [
    'first_seen = least(s.first_seen, excluded.first_seen)',
    ...['last_seen', ...summaryColumns.map(({ at }) => at)].map((at) => `${at} = greatest(s.${at}, excluded.${at})`),
    ...summaryColumns.map(
      ({ minutes: m }) => `${m} = case when s.${m} is null then excluded.${m} when excluded.${m} is null then s.${m}
        else (select array_agg(m order by m) from unnest(s.${m} || excluded.${m}) as m) end`,
    ),
  ];
  await sql`
    insert into activity_summaries as s
    select * from jsonb_populate_recordset(null::activity_summaries, ${JSON.stringify(summaries)}::jsonb)
    on conflict (account_id, contact_key) do update set ${sql.raw(merged.join(', '))}`.execute(trx);
}
