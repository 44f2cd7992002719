import type { DataType } from '@roster/contract';
import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import { namePrefix, type Definition, type IndexedAttribute } from './definitions.ts';

/** An attribute that has indexes on its values, or is to have some. */
export interface IndexRow {
  readonly account_id: number;
  readonly attribute_id: number;
  readonly data_type: DataType;
  /** An operator asked for indexes, and the values can have some. */
  readonly wanted: boolean;
  /** The data type for which all of them are ready, as searches see it. */
  readonly indexed_as: DataType | null;
  readonly index_failed_at: Date | null;
}

/** Every attribute of the database that has indexes on its values or is to have some. */
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

/** What the database has for the values of attributes: indexes, of which an interrupted build leaves invalid ones, and statistics. */
export interface Built {
  readonly kind: Definition['kind'];
  readonly name: string;
  readonly valid: boolean;
}

/** Reads from the catalogue what there is for the values of attributes. */
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
 * Makes a definition, without blocking writers. Not within a transaction.
 *
 * An index waits for the transactions that are open, those that only read among them, and is usable when the statement ends.
 */
export async function build(db: Database, { kind, name, on }: Definition): Promise<void> {
  const what = kind === 'index' ? sql`index concurrently` : sql`statistics`;
  await sql`create ${what} ${sql.id(name)} ${on}`.execute(db);
}

/** Removes what a definition made, without blocking readers or writers. Not within a transaction. */
export async function drop(db: Database, { kind, name }: Pick<Built, 'kind' | 'name'>): Promise<void> {
  const what = kind === 'index' ? sql`index concurrently` : sql`statistics`;
  await sql`drop ${what} if exists ${sql.id(name)}`.execute(db);
}

/** Has the statistics of the values gathered. The server takes those of expressions in with those of any column; this is the smallest. */
export async function gatherStatistics(db: Database): Promise<void> {
  await sql`analyze contacts (account_id)`.execute(db);
}

/** Tells searches that they can use the indexes of an attribute, unless it is another one meanwhile. */
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

/** Tells searches to do without the indexes of an attribute. */
export async function withdrawIndexes(db: Database, { account_id, attribute_id }: IndexRow): Promise<void> {
  await db
    .updateTable('attributes')
    .where('account_id', '=', account_id)
    .where('attribute_id', '=', attribute_id)
    .set({ indexed_as: null })
    .execute();
}

/** Notes that the indexes of an attribute could not be built. */
export async function noteFailure(db: Database, { accountId, attributeId }: IndexedAttribute, at: Date): Promise<void> {
  await db
    .updateTable('attributes')
    .where('account_id', '=', accountId)
    .where('attribute_id', '=', attributeId)
    .set({ index_failed_at: at })
    .execute();
}
