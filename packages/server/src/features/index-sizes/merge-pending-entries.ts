import { sql } from 'kysely';
import type { Context } from '#platform/context.ts';

/**
 * Moves the new entries of the GIN indexes on contacts from their pending lists into the trees.
 *
 * Writes add entries to a list, because one move of many entries is cheaper. Every search reads the
 * whole list: 20 ms for 4 MB. By itself, PostgreSQL moves the entries when the list is full, or
 * when a tenth of the table is new.
 */
export async function mergePendingEntries({ db }: Pick<Context, 'db'>): Promise<void> {
  await sql`
    select gin_clean_pending_list(c.oid)
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am m on m.oid = c.relam
    where i.indrelid = 'contacts'::regclass and i.indisvalid and i.indisready and m.amname = 'gin'`.execute(db);
}
