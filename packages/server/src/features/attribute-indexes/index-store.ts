import type { DataType } from '@roster/contract';
import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import { namePrefix, type Definition, type IndexedAttribute } from './definitions.ts';

/** An attribute that has indexes, or should have them. */
export interface IndexRow {
  readonly account_id: number;
  readonly attribute_id: number;
  readonly data_type: DataType;
  /** True when an operator asked for indexes, and the data type can have them. */
  readonly wanted: boolean;
  /** The data type for which all indexes are ready; null when some are missing. */
  readonly indexed_as: DataType | null;
  readonly index_failed_at: Date | null;
}

/** Loads all attributes, of any account, that have indexes or should have them. */
export async function loadIndexRows(db: Database): Promise<IndexRow[]> {
  return db
    .selectFrom('attributes')
    .where((eb) => eb.or([eb.ref('indexed'), eb('indexed_as', 'is not', null)]))
    .select([
      'account_id',
      'attribute_id',
      'data_type',
      (eb) =>
        eb
          .and([eb.ref('indexed'), eb('data_type', '!=', 'long_text')])
          .$castTo<boolean>()
          .as('wanted'),
      'indexed_as',
      'index_failed_at',
    ])
    .orderBy('account_id')
    .orderBy('attribute_id')
    .execute();
}

/** An attribute whose indexes are wanted and not ready. */
export interface UnreadyIndex {
  readonly account_id: number;
  readonly attribute_id: number;
  readonly name: string;
  readonly data_type: DataType;
  readonly index_failed_at: Date | null;
}

/** Loads the attributes of an account whose indexes are wanted and not ready. */
export async function loadUnreadyIndexes(db: Database, accountId: number): Promise<UnreadyIndex[]> {
  return db
    .selectFrom('attributes')
    .where('account_id', '=', accountId)
    .where('indexed', '=', true)
    .where((eb) => eb('indexed_as', 'is distinct from', eb.ref('data_type')))
    .select(['account_id', 'attribute_id', 'name', 'data_type', 'index_failed_at'])
    .orderBy('attribute_id')
    .execute();
}

/** An existing index or statistics object on the values of an attribute. */
export interface Built {
  readonly kind: Definition['kind'];
  readonly name: string;
  /** False for an index whose build was interrupted. */
  readonly valid: boolean;
}

/** Loads the existing indexes and statistics of all attributes from the PostgreSQL catalogue. */
export async function loadBuilt(db: Database): Promise<Built[]> {
  const { rows } = await sql<Built>`
    select 'index' as kind, c.relname as name, i.indisvalid and i.indisready as valid
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = 'contacts'::regclass and starts_with(c.relname, ${namePrefix})
    union all
    select 'statistics', stxname, true from pg_statistic_ext
    where stxrelid = 'contacts'::regclass and starts_with(stxname, ${namePrefix})
    order by name`.execute(db);
  return rows;
}

/**
 * Creates an index or statistics without blocking writers. Not possible inside a transaction.
 *
 * Creating an index waits for all open transactions, even read-only ones.
 */
export async function build(db: Database, { kind, name, on }: Definition): Promise<void> {
  const what = kind === 'index' ? sql`index concurrently` : sql`statistics`;
  await sql`create ${what} ${sql.id(name)} ${on}`.execute(db);
}

/** Drops an index or statistics without blocking others. Not possible inside a transaction. */
export async function drop(db: Database, { kind, name }: Pick<Built, 'kind' | 'name'>): Promise<void> {
  const what = kind === 'index' ? sql`index concurrently` : sql`statistics`;
  await sql`drop ${what} if exists ${sql.id(name)}`.execute(db);
}

/**
 * Gathers the extended statistics. PostgreSQL gathers them only together with the statistics of a
 * column. This statement names the smallest column.
 */
export async function gatherStatistics(db: Database): Promise<void> {
  await sql`analyze contacts (account_id)`.execute(db);
}

/**
 * Marks the indexes of an attribute as ready for searches. Does nothing if the data type has
 * changed, or the indexes are not wanted anymore.
 */
export async function publishIndexes(
  db: Database,
  { accountId, attributeId, dataType }: IndexedAttribute,
): Promise<void> {
  await db
    .updateTable('attributes')
    .where('account_id', '=', accountId)
    .where('attribute_id', '=', attributeId)
    .where('indexed', '=', true)
    .where('data_type', '=', dataType)
    .set({ indexed_as: dataType, index_failed_at: null })
    .execute();
}

/** Marks the indexes of an attribute as not ready, so that searches do not use them. */
export async function withdrawIndexes(db: Database, { account_id, attribute_id }: IndexRow): Promise<void> {
  await db
    .updateTable('attributes')
    .where('account_id', '=', account_id)
    .where('attribute_id', '=', attribute_id)
    .set({ indexed_as: null })
    .execute();
}

/** Stores that building the indexes of an attribute failed. */
export async function storeFailure(
  db: Database,
  { accountId, attributeId }: IndexedAttribute,
  at: Date,
): Promise<void> {
  await db
    .updateTable('attributes')
    .where('account_id', '=', accountId)
    .where('attribute_id', '=', attributeId)
    .set({ index_failed_at: at })
    .execute();
}
