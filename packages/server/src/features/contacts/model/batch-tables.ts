import type { Shard } from '#platform/database/layout/account-servers.ts';
import { hiddenFirstParameter, opaqueFirstParameter } from '#platform/database/statements/opaque-account.ts';

/** The tables that every batch reads or writes. */
const tables = [
  'account_numbers',
  'accounts',
  'activity_summary_states',
  'attribute_fills',
  'attribute_slots',
  'attributes',
  'audiences',
  'awaited_opt_outs',
  'contact_counts',
  'contact_totals',
  'contacts',
  'forgotten',
  'former_keys',
  'former_masks',
  'list_days',
  'live_segments',
] as const;

/** The names of the tables in the statements of a batch, by their usual names. */
export type TableNames = Readonly<Record<(typeof tables)[number], string>>;

/**
 * How the statements of a batch name the tables and the account. For a cluster, these are the tables
 * of a shard: a statement on the usual names is planned and executed twice there.
 */
export interface BatchTables {
  readonly names: TableNames;
  /** SQL for the account as the first parameter, for statements that look up single rows. */
  readonly account: string;
  /** The end of the names of statements that keep their plans: a connection serves many shards. */
  readonly suffix: string;
}

/** Returns the tables with their usual names. */
export function usualTables(): BatchTables {
  return { names: usualNames, account: opaqueFirstParameter(), suffix: '' };
}

/** Returns the tables of a shard. Statements with them run on its server. */
export async function tablesOf(shard: Shard): Promise<BatchTables> {
  return { names: await shard.tables(tables), account: hiddenFirstParameter, suffix: ` ${shard.id}` };
}

const usualNames = Object.fromEntries(tables.map((table) => [table, table])) as unknown as TableNames;
