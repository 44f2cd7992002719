import type { BlocklistType } from '@roster/contract';
import { sql, type RawBuilder } from 'kysely';
import { literalSql } from '#platform/database/statements/literal-sql.ts';
import type { ResolvedFilter } from '#features/search/filter/checked-filter.ts';
import { derivedJoin } from '#features/search/filter/activities/derived-sql.ts';
import { compileFilter } from '#features/search/filter/compile.ts';
import type { Field } from '#features/search/filter/fields.ts';
import { csvCells, type CellOptions, type CsvCells } from './csv-cells.ts';
import { guardMarkCell } from '#platform/csv/formula-guard.ts';

/** The contacts and fields to export. */
export interface CopySource extends CellOptions {
  /** Selects the contacts, and contains the account. */
  readonly filter: ResolvedFilter;
  readonly fields: readonly Field[];
  /** Contacts that opted out on this identifier are left out. */
  readonly blocklist: BlocklistType | null;
}

/** The parts of a query for the rows of a file. */
export interface RowsQuery {
  /** The cells of a row, separated by commas. */
  readonly cells: RawBuilder<unknown>;
  /** Everything after `from`. */
  readonly rest: RawBuilder<unknown>;
}

/** Which rows are wanted: all, or the first ones up to `limit`. `derived`: see {@link derivedJoin}. */
export type WantedRows = { readonly derived: 'each' | 'all' } | { readonly limit: number };

/** Makes the query for the rows of a file, in the order of `contact_id`. */
export function rowsQuery({ filter, fields, blocklist, ...options }: CopySource, wanted: WantedRows): RowsQuery {
  const { cells, joins } = csvCells(fields, options);
  const row = rowOf(options.formulaGuard ? [...cells, sql.lit(guardMarkCell)] : cells);
  const order = sql`order by contacts.contact_id`;
  const where = sql`where ${exportedContacts(filter, blocklist)} ${order}`;
  if ('limit' in wanted) {
    const first = sql`(select * from contacts ${where} limit ${sql.lit(wanted.limit)}) as contacts`;
    return { cells: row, rest: sql`${first}${derivedJoin(fields, filter, 'each')} ${joins} ${order}` };
  }
  const derived = derivedJoin(fields, filter, wanted.derived);
  return { cells: row, rest: sql`contacts${derived} ${joins} ${where}` };
}

/**
 * Makes the statement that writes the rows of a file: CSV in UTF-8 with LF at the row ends, one row
 * for each contact, in the order of `contact_id`. `derived`: see {@link derivedJoin}.
 */
export function copyStatement(source: CopySource, derived: 'each' | 'all'): string {
  const { cells, rest } = rowsQuery(source, { derived });
  return literalSql(sql`copy (select ${cells} from ${rest}) to stdout (format csv, encoding 'UTF8')`);
}

/** Writes `""` for the only cell of a row when it is null. Many readers skip empty lines. */
function rowOf(cells: CsvCells['cells']): RawBuilder<unknown> {
  return cells.length === 1 ? sql`coalesce(${cells[0]}, '')` : sql.join(cells);
}

/** Makes the condition that selects the exported rows of `contacts`. */
export function exportedContacts(filter: ResolvedFilter, blocklist: CopySource['blocklist']): RawBuilder<unknown> {
  return sql`${compileFilter(filter)}${blocklistConditions[blocklist ?? 'none']}`;
}

// A blacklisted contact that did not opt out of e-mail was blocked by an operator, on all channels.
const blocked = sql`contacts.contact_type = 'blacklisted' and not contacts.email_opted_out`;

/** SMS and WhatsApp share the mobile number, so an opt-out from one of them counts for both. */
const blocklistConditions = {
  none: sql``,
  email: sql` and not contacts.email_opted_out and not (${blocked})`,
  mobile: sql` and not contacts.sms_opted_out and not contacts.whatsapp_opted_out and not (${blocked})`,
} as const;
