import { sql, type RawBuilder } from 'kysely';
import { literalSql } from '#platform/database/statements/literal-sql.ts';
import type { ResolvedFilter } from '#features/search/filter/checked-filter.ts';
import { compileFilter } from '#features/search/filter/compile.ts';
import type { Field } from '#features/search/filter/fields.ts';
import { csvCells, type CellOptions, type CsvCells } from './csv-cells.ts';
import { guardMarkCell } from '#platform/csv/formula-guard.ts';

/** What is exported. */
export interface CopySource extends CellOptions {
  /** Whose contacts: it names the account. */
  readonly filter: ResolvedFilter;
  readonly fields: readonly Field[];
  /** Leaves out contacts that opted out on this identifier. */
  readonly blocklist: 'email' | 'mobile' | null;
}

/**
 * The statement that writes the rows of a file as CSV in UTF-8, with LF at the ends of the rows: one row a contact, in the order of
 * `contact_id`. One statement sees one moment of the database, however long it takes.
 */
export function copyStatement({ filter, fields, blocklist, ...options }: CopySource): string {
  const { cells, joins } = csvCells(fields, options);
  return literalSql(sql`
    copy (
      select ${rowOf(options.formulaGuard ? [...cells, sql.lit(guardMarkCell)] : cells)} from contacts ${joins}
      where ${exportedContacts(filter, blocklist)}
      order by contacts.contact_id
    ) to stdout (format csv, encoding 'UTF8')`);
}

/** With a single empty cell a row would be an empty line, which many readers skip; as an empty text it is written `""`. */
function rowOf(cells: CsvCells['cells']): RawBuilder<unknown> {
  return cells.length === 1 ? sql`coalesce(${cells[0]}, '')` : sql.join(cells);
}

/** The condition on `contacts` for the rows of a file. */
export function exportedContacts(filter: ResolvedFilter, blocklist: CopySource['blocklist']): RawBuilder<unknown> {
  return sql`${compileFilter(filter)}${reachable[blocklist ?? 'none']}`;
}

// Blacklisted without an opt-out of e-mail: an operator blocked the contact, whatever the channel.
const blocked = sql`contacts.contact_type = 'blacklisted' and not contacts.email_opted_out`;

/** A mobile number is what SMS and WhatsApp are sent to: whoever opted out of one of them opted out on the number. */
const reachable = {
  none: sql``,
  email: sql` and not contacts.email_opted_out and not (${blocked})`,
  mobile: sql` and not contacts.sms_opted_out and not contacts.whatsapp_opted_out and not (${blocked})`,
} as const;
