import { sql } from 'kysely';
import type { Context } from '#platform/context.ts';
import { findAccounts } from '#platform/database/layout/all-accounts.ts';

/**
 * Moves the new entries of the GIN indexes on contacts from their pending lists into the trees.
 *
 * Writes add entries to a list, because one move of many entries is cheaper. Every search reads the
 * whole list: 20 ms for 4 MB. By itself, PostgreSQL moves the entries when the list is full, or
 * when a tenth of the table is new.
 */
export async function mergePendingEntries(context: Pick<Context, 'servers' | 'log'>): Promise<void> {
  // Not through pg_class: a node of a cluster hides its shards there.
  await findAccounts(
    context,
    ['contacts'],
    (_tables, { contacts }) => sql`
    select gin_clean_pending_list(i.indexrelid)
    from pg_index i join pg_opclass o on o.oid = i.indclass[0] join pg_am m on m.oid = o.opcmethod
    where i.indrelid = ${contacts}::regclass and i.indisvalid and i.indisready and m.amname = 'gin'`,
  );
}
