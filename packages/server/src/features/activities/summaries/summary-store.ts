import { sql } from 'kysely';
import type pg from 'pg';
import { summaryColumns, type SummaryColumns } from '#features/registry/derived/summary-columns.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { opaqueFirstParameter } from '#platform/database/statements/opaque-account.ts';
import { arrayLiteral } from '#platform/database/values/text-format.ts';
import { onlySeen, type SummaryChange, type SummaryChanges } from './summary-changes.ts';

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
  for (const [place, changes] of byColumns) {
    // Only the minutes have an oldest one.
    const more = place === onlySeen ? [] : [oldest];
    await addChanges(client, accountId, statementsOf(place), [...changes], more);
  }
}

async function addChanges(
  client: pg.ClientBase,
  accountId: number,
  { update, insert }: Statements,
  changes: readonly (readonly [key: string, change: SummaryChange])[],
  more: readonly number[],
): Promise<void> {
  const { rows: found } = await client.query<[position: number]>({
    text: update(),
    values: [...parametersOf(accountId, changes), ...more],
    rowMode: 'array',
  });
  if (found.length === changes.length) return;
  const positions = new Set(found.map(([position]) => position));
  const missing = changes.filter((_, position) => !positions.has(position));
  await client.query(insert, parametersOf(accountId, missing));
}

function parametersOf(accountId: number, changes: readonly (readonly [key: string, change: SummaryChange])[]) {
  return [
    accountId,
    arrayLiteral(changes, ([key]) => key),
    arrayLiteral(changes, ([, { first }]) => moment(first)),
    arrayLiteral(changes, ([, { last }]) => moment(last)),
    arrayLiteral(changes, ([, { minutes }]) => (minutes.length === 0 ? null : minutesText(minutes))),
  ];
}

function moment(at: number): string {
  return new Date(at).toISOString();
}

function minutesText(minutes: readonly number[]): string {
  return minutes.length === 1 ? String(minutes[0]) : minutes.toSorted((a, b) => a - b).join(',');
}

/** The statements that add activities of one kind on one channel. */
interface Statements {
  /** Updates existing summaries, and returns the positions of their changes. */
  readonly update: () => string;
  /** Inserts summaries that do not exist. */
  readonly insert: string;
}

const statements = new Map<number, Statements>();

function statementsOf(place: number): Statements {
  let found = statements.get(place);
  if (found === undefined) statements.set(place, (found = makeStatements(summaryColumns[place])));
  return found;
}

/** Without columns: only notes when the contact was seen. */
function makeStatements(columns: SummaryColumns | undefined): Statements {
  // The arrays are unnested in the select list: in a from clause, each is copied to a table first.
  // A text with the minutes, because `unnest` would flatten an array of arrays.
  const changes = `(select unnest($2::text[]) as contact_key, unnest($3::timestamptz[]) as first, unnest($4::timestamptz[]) as last,
      unnest($5::text[]) as minutes, generate_series(0, cardinality($2::text[]) - 1) as position) u`;
  const minutes = `string_to_array(u.minutes, ',')::integer[]`;
  const isSeen = columns === undefined || columns.kind !== 'sent';
  const written = [
    ...(isSeen
      ? [
          ['first_seen', 'least(s.first_seen, u.first)', 'u.first'],
          ['last_seen', 'greatest(s.last_seen, u.last)', 'u.last'],
        ]
      : []),
    ...(columns === undefined
      ? []
      : [
          [columns.at, `greatest(s.${columns.at}, u.last)`, 'u.last'],
          [columns.minutes, appended(`s.${columns.minutes}`, minutes), minutes],
        ]),
  ] as const;
  return {
    update: () => `
    update activity_summaries s set ${written.map(([name, changed]) => `${name} = ${changed}`).join(', ')}
    from ${changes}
    where s.account_id = ${opaqueFirstParameter()} and s.contact_key = u.contact_key
    returning u.position`,
    insert: `
    insert into activity_summaries (account_id, contact_key, ${written.map(([name]) => name).join(', ')})
    select $1::integer, u.contact_key, ${written.map(([, , inserted]) => inserted).join(', ')} from ${changes}`,
  };
}

/**
 * SQL that adds sorted minutes to sorted minutes, and removes those before the oldest minute ($6).
 * Activities usually arrive in order. Only late ones need a sort.
 */
function appended(stored: string, minutes: string): string {
  return `case when u.minutes is null then ${stored} when ${stored} is null then ${minutes}
    when ${stored}[cardinality(${stored})] > (${minutes})[1] then
      (select array_agg(m order by m) from unnest(${stored} || ${minutes}) as m where m >= $6::integer)
    when ${stored}[1] < $6::integer then ${stored}[width_bucket($6::integer - 1, ${stored}) + 1:] || ${minutes}
    else ${stored} || ${minutes} end`;
}

/** Removes the summaries of some keys, and returns them. */
export async function takeSummaries(
  trx: Database,
  accountId: number,
  keys: readonly string[],
): Promise<StoredSummary[]> {
  const { rows } = await sql<{ summary: StoredSummary }>`
    delete from activity_summaries s where account_id = ${accountId} and contact_key = any (${[...keys]}::text[])
    returning to_jsonb(s) as summary`.execute(trx);
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
