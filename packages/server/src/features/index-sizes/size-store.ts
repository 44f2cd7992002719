import { sql, type RawBuilder, type Selectable } from 'kysely';
import type { Context } from '#platform/context.ts';
import { findAccounts } from '#platform/database/layout/all-accounts.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';

/** A row of `index_sizes`: the last measurement of an index of contacts. On a cluster: of one shard. */
export type IndexSizeRow = Selectable<Tables['index_sizes']>;

/** An index of contacts in the PostgreSQL catalogue. */
export interface ContactIndex {
  readonly name: string;
  readonly bytes: number;
  /** The CREATE INDEX statement, as PostgreSQL prints it. */
  readonly definition: string;
}

/** Loads the usable indexes of a table of contacts with their sizes, the largest first. */
export async function listContactIndexes(db: Database, table: string): Promise<ContactIndex[]> {
  const { rows } = await sql<ContactIndex>`
    select c.relname as name, pg_relation_size(c.oid) as bytes, pg_get_indexdef(c.oid) as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = ${table}::regclass and i.indisvalid and i.indisready
    order by bytes desc, name`.execute(db);
  return rows;
}

/** A table of contacts and an invalid index of it that an interrupted rebuild has left behind. */
export interface Leftover {
  readonly table: string;
  readonly name: string;
}

/** Finds what interrupted rebuilds have left behind, except in tables of which an index is being built. */
export async function findLeftovers(context: Pick<Context, 'servers' | 'log'>): Promise<Leftover[]> {
  return findAccounts(context, ['contacts'], (_tables, { contacts }) => leftoversOf(contacts));
}

/** Loads the names of the leftovers of a table of contacts. */
export async function listLeftovers(db: Database, table: string): Promise<string[]> {
  const { rows } = await leftoversOf(table).execute(db);
  return rows.map(({ name }) => name).sort();
}

function leftoversOf(table: string): RawBuilder<Leftover> {
  // Not through pg_class: a node of a cluster hides its shards there.
  return sql<Leftover>`
    select ${table}::text as table, i.indexrelid::regclass::text as name from pg_index i
    where i.indrelid = ${table}::regclass and not i.indisvalid and i.indexrelid::regclass::text ~ '_cc(new|old)[0-9]*$'
      and not exists (
        select 1 from pg_stat_progress_create_index where datname = current_database() and relid = ${table}::regclass
      )`;
}

/** Drops an index without blocking others. Not possible inside a transaction. */
export async function dropIndex(db: Database, name: string): Promise<void> {
  await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db);
}

/** Rebuilds an index without blocking others. Not possible inside a transaction. */
export async function rebuildIndex(db: Database, name: string): Promise<void> {
  await sql`reindex index concurrently ${sql.id(name)}`.execute(db);
}

/** Returns the size of an index in bytes. */
export async function indexBytes(db: Database, name: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select pg_relation_size(${name}::regclass) as bytes`.execute(db);
  return rows[0]!.bytes;
}

/** Estimates the number of contacts in a table from PostgreSQL's statistics; 0 if there are none yet. */
export async function countContacts(db: Database, table: string): Promise<number> {
  const { rows } = await sql<{ contacts: number }>`
    select greatest(reltuples / greatest(relpages, 1) * (pg_relation_size(oid) / current_setting('block_size')::int), 0)::float8 as contacts
    from pg_class where oid = ${table}::regclass`.execute(db);
  return Math.round(rows[0]!.contacts);
}

/** Loads the last measurements of all indexes. */
export async function loadSizes(db: Database): Promise<IndexSizeRow[]> {
  return db.selectFrom('index_sizes').selectAll().orderBy('index_name').execute();
}

/**
 * Stores measurements. If they are of all indexes, deletes old measurements of indexes that no longer
 * exist.
 */
export async function storeSizes(
  db: Database,
  measured: readonly Pick<IndexSizeRow, 'index_name' | 'bytes' | 'fresh_bytes'>[],
  at: Date,
  areAll: boolean,
): Promise<void> {
  for (const row of measured) {
    await db
      .insertInto('index_sizes')
      .values({ ...row, measured_at: at })
      .onConflict((conflict) =>
        conflict.column('index_name').doUpdateSet({ bytes: row.bytes, fresh_bytes: row.fresh_bytes, measured_at: at }),
      )
      .execute();
  }
  if (areAll) await db.deleteFrom('index_sizes').where('measured_at', '<', at).execute();
}

/** Stores that an index was rebuilt. */
export async function storeRebuild(
  db: Database,
  name: string,
  { at, bytes, contacts }: { readonly at: Date; readonly bytes: number; readonly contacts: number },
): Promise<void> {
  await db
    .updateTable('index_sizes')
    .where('index_name', '=', name)
    .set({ bytes, fresh_bytes: bytes, rebuilt_at: at, rebuilt_bytes: bytes, rebuilt_contacts: contacts })
    .execute();
}

/** Returns the data directory of PostgreSQL; undefined when the role may not read it. */
export async function dataDirectory(db: Database): Promise<string | undefined> {
  const { rows } = await sql<{ directory: string | null }>`
    select case when pg_has_role('pg_read_all_settings', 'usage') then current_setting('data_directory') end as directory`.execute(
    db,
  );
  return rows[0]!.directory ?? undefined;
}
