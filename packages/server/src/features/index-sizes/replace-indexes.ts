import { sql } from 'kysely';
import { withIndexBuilderLock } from '#features/attribute-indexes/index-builder-lock.ts';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { dropIndex } from './size-store.ts';

/** An index that takes the place of another one in a database that already had contacts. */
interface Replacement {
  readonly old: string;
  readonly name: string;
  /** The part of the CREATE statement after the name, as in the migration. */
  readonly on: string;
}

const replacements: readonly Replacement[] = [
  {
    // 0048_created_at_blocks.sql
    old: 'contacts_created_at',
    name: 'contacts_created_at_block',
    on: 'on contacts (account_id, created_at, (contact_id >> 5) desc)',
  },
];

/**
 * Replaces indexes of contacts that an earlier version made. A migration would block all writes
 * while it builds an index on millions of contacts.
 *
 * Looks at the PostgreSQL catalogue in each step, so the work continues after a stop or a kill. The
 * old index is dropped last, so that searches always have one. Only one worker does this at a time.
 * Aborting `signal` cancels the running statement.
 */
export async function replaceIndexes(context: Context, signal: AbortSignal): Promise<void> {
  if ((await findPending(context.db)).length === 0) return;
  await withIndexBuilderLock(context, signal, async (db) => {
    for (const replacement of await findPending(db)) {
      if (signal.aborted) return;
      try {
        await replace(context, db, replacement);
      } catch (error) {
        // After a stop, the next worker continues.
        if (!signal.aborted) throw error;
      }
    }
  });
}

async function replace({ log }: Context, db: Database, { old, name, on }: Replacement): Promise<void> {
  const started = performance.now();
  if ((await loadIndexes(db)).get(name) !== true) {
    // An interrupted build leaves an invalid index.
    await dropIndex(db, name);
    await sql`create index concurrently ${sql.id(name)} ${sql.raw(on)}`.execute(db);
    // The planner needs the statistics of an indexed expression.
    await sql`analyze contacts`.execute(db);
  }
  await dropIndex(db, old);
  log.info(
    { index: name, replaced: old, ms: Math.round(performance.now() - started) },
    'replaced an index of contacts',
  );
}

/** Returns the replacements that are not finished. */
async function findPending(db: Database): Promise<Replacement[]> {
  const indexes = await loadIndexes(db);
  return replacements.filter(({ old, name }) => indexes.has(old) || indexes.get(name) !== true);
}

/**
 * Returns the indexes of contacts, and whether searches can use them. A drop that was interrupted
 * leaves an index that no search uses, but each write still fills.
 */
async function loadIndexes(db: Database): Promise<ReadonlyMap<string, boolean>> {
  const { rows } = await sql<{ name: string; usable: boolean }>`
    select c.relname as name, i.indisvalid and i.indisready as usable
    from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = 'contacts'::regclass`.execute(db);
  return new Map(rows.map(({ name, usable }) => [name, usable]));
}
