import type pg from 'pg';
import type { Write } from '#pipeline/operations/batch-model.ts';
import { usualTables, type BatchTables } from '../model/batch-tables.ts';
import { arrayLiteral } from '#platform/database/values/text-format.ts';
import type { ContactCounts } from './contact-counts.ts';
import { countColumns, eventColumns, levelColumns, totalColumns } from './count-columns.ts';

/** Changes of `contact_counts` and `contact_totals`. */
export interface CountChanges {
  /** The counters of `countColumns`, by the start of the quarter in milliseconds since 1970. */
  readonly quarters: ReadonlyMap<number, readonly number[]>;
  /** The numbers of `totalColumns`. */
  readonly totals: readonly number[];
}

const added = (table: string, names: readonly string[]): string =>
  names.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ');

// One statement, because each round trip costs as much as writing the rows. Rows are sorted, so that
// two transactions cannot wait for each other.
const addQuarters = (table: string): string => `
  insert into ${table} as c (account_id, starts_at, ${countColumns.join(', ')})
  select $1::int, to_timestamp(u.starts_at / 1000.0), ${countColumns.map((name) => `u.${name}`).join(', ')}
  from unnest($2::bigint[], ${countColumns.map((_, at) => `$${at + 3}::bigint[]`).join(', ')})
    as u (starts_at, ${countColumns.join(', ')})
  order by u.starts_at
  on conflict (account_id, starts_at) do update set ${added('c', countColumns)}`;
const addTotals = (table: string, first: number): string => `
  insert into ${table} as t (account_id, ${totalColumns.join(', ')})
  values ($1, ${totalColumns.map((_, at) => `$${first + at}`).join(', ')})
  on conflict (account_id) do update set ${added('t', totalColumns)}`;
const addBoth = ({ names }: BatchTables): string =>
  `with quarters as (${addQuarters(names.contact_counts)}) ${addTotals(names.contact_totals, countColumns.length + 3)}`;

const addFills = ({ names, account }: BatchTables): string => `
  insert into ${names.attribute_fills} as f (account_id, attribute_id, filled)
  select $1::int, u.attribute_id, u.filled from unnest($2::int[], $3::bigint[]) as u (attribute_id, filled)
  cross join lateral (
    select from ${names.attributes} a where a.account_id = ${account} and a.attribute_id = u.attribute_id offset 0
  ) as existing
  order by u.attribute_id
  on conflict (account_id, attribute_id) do update set filled = f.filled + excluded.filled`;

/** Returns the statements that add the counts of a batch. */
export function countWrites(accountId: number, counts: ContactCounts, tables: BatchTables): Write[] {
  const totals = [...totalsOf(counts.quarters.values()), counts.identities];
  return [
    ...(counts.quarters.size === 0
      ? []
      : [(client: pg.ClientBase) => addCounts(client, accountId, { quarters: counts.quarters, totals }, tables)]),
    ...(counts.fills.size === 0
      ? []
      : [(client: pg.ClientBase) => addAttributeFills(client, accountId, counts.fills, { keepsPlan: true, tables })]),
  ];
}

/** Returns the sums of the net changes of rows of `countColumns`, in the order of `levelColumns`. */
function totalsOf(rows: Iterable<readonly number[]>): number[] {
  const totals = levelColumns.map(() => 0);
  for (const row of rows) for (const at of totals.keys()) totals[at]! += row[eventColumns.length + at]!;
  return totals;
}

/** Adds changes to the counts of contacts. */
export async function addCounts(
  client: pg.ClientBase,
  accountId: number,
  { quarters, totals }: CountChanges,
  tables = usualTables(),
): Promise<void> {
  const starts = [...quarters.keys()];
  const counters = countColumns.map((_, at) => arrayLiteral(starts, (start) => quarters.get(start)![at]!));
  await client.query({
    name: `counts of contacts${tables.suffix}`,
    text: addBoth(tables),
    values: [accountId, arrayLiteral(starts), ...counters, ...totals],
  });
}

/**
 * Adds changes to the numbers of contacts with a value, by attribute_id. Leaves out attributes that
 * do not exist: the values of a deleted attribute are still stored for a time.
 *
 * `keepsPlan`: PostgreSQL may keep the plan, because the connection is one of a worker. With their
 * settings, the plan uses the primary key also if it was made for an empty table.
 */
export async function addAttributeFills(
  client: pg.ClientBase,
  accountId: number,
  fills: ReadonlyMap<number, number>,
  { keepsPlan = false, tables = usualTables() } = {},
): Promise<void> {
  const ids = [...fills.keys()].filter((id) => fills.get(id) !== 0);
  if (ids.length === 0) return;
  await client.query({
    ...(keepsPlan ? { name: `filled attributes${tables.suffix}` } : {}),
    text: addFills(tables),
    values: [accountId, arrayLiteral(ids), arrayLiteral(ids, (id) => fills.get(id)!)],
  });
}
