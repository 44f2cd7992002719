import type { DataType } from '@roster/contract';
import { sql } from 'kysely';
import type { Context } from '#platform/context.ts';
import { readAllAccounts } from '#platform/database/layout/all-accounts.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { loadSlots } from '#features/registry/slots/slot-store.ts';
import { slotColumns, type SlotColumn } from '#features/registry/slots/slot.ts';
import { definitionsOf, namePattern, type Definition } from './definitions.ts';
import type { IndexedAttribute, Situation } from './next-step.ts';

/** An attribute that has an index, or should have one. */
export interface IndexRow {
  readonly account_id: number;
  readonly attribute_id: number;
  readonly data_type: DataType;
  /** True when an operator asked for an index, and the data type can have one. */
  readonly wanted: boolean;
  /** The data type for which searches use the index; null when it is not ready. */
  readonly indexed_as: DataType | null;
  readonly index_failed_at: Date | null;
}

/**
 * Loads what is wanted and what exists. Attributes that are indexed as they should be are left out,
 * so this takes no longer with many of them.
 */
export async function loadSituation(context: Pick<Context, 'db' | 'servers'>): Promise<Situation> {
  const built = await loadBuilt(context.db);
  const columns = await loadColumns(context);
  const valid = new Set(built.filter((one) => one.valid).map(({ name }) => name));
  const incomplete = columns.filter((slot) => definitionsOf(slot).some(({ name }) => !valid.has(name)));
  const rows = await loadIndexRows(context, incomplete);
  const slots = await loadSlots(
    context,
    rows.map(({ account_id: accountId }) => accountId),
  );
  return { rows, slots, columns, built };
}

/** Loads the columns that searches of any account use, or will use. */
async function loadColumns(context: Pick<Context, 'servers'>): Promise<SlotColumn[]> {
  const all = [...slotColumns.number, ...slotColumns.text];
  const rows = await readAllAccounts(
    context,
    ['attribute_slots'],
    (t) => sql<{ slot: SlotColumn }>`
    select slot from unnest(${all}::text[]) as one (slot)
    where exists (select 1 from ${t.attribute_slots} s where s.slot = one.slot and s.state in ('filling', 'filled'))`,
  );
  const used = new Set(rows.map(({ slot }) => slot));
  return all.filter((slot) => used.has(slot));
}

/**
 * Loads the attributes of any account that searches do not use as they should, and those whose
 * slots have one of the columns.
 */
async function loadIndexRows(context: Pick<Context, 'servers'>, columns: readonly SlotColumn[]): Promise<IndexRow[]> {
  return readAllAccounts(
    context,
    ['attributes', 'attribute_slots'],
    (t) => sql<IndexRow>`
    select account_id, attribute_id, data_type, indexed and data_type <> 'long_text' as wanted, indexed_as, index_failed_at
    from ${t.attributes}
    where indexed_as is distinct from case when indexed and data_type <> 'long_text' then data_type end
    union
    select a.account_id, a.attribute_id, a.data_type, a.indexed and a.data_type <> 'long_text', a.indexed_as, a.index_failed_at
    from ${t.attributes} a join ${t.attribute_slots} s on s.account_id = a.account_id and s.attribute_id = a.attribute_id
    where s.slot = any (${columns}::text[]) and s.state in ('filling', 'filled')
    order by account_id, attribute_id`,
  );
}

/** An attribute whose index is wanted and not ready. */
export interface UnreadyIndex {
  readonly attribute_id: number;
  readonly name: string;
  readonly index_failed_at: Date | null;
  /** The slot that the attribute has got; null when it waits for one. */
  readonly slot: SlotColumn | null;
  /** The part of the contacts in which the slot is filled, from 0 to 1. */
  readonly filled: number;
}

/** Loads the attributes of an account whose indexes are wanted and not ready. */
export async function loadUnreadyIndexes(db: Database, accountId: number): Promise<UnreadyIndex[]> {
  const { rows } = await sql<UnreadyIndex>`
    select a.attribute_id, a.name, a.index_failed_at, s.slot,
      case when s.state = 'filled' then 1
        else coalesce(least(s.position::float8 / nullif(n.last_contact_id, 0), 1), 0) end as filled
    from attributes a
    left join attribute_slots s on s.account_id = a.account_id and s.attribute_id = a.attribute_id
      and s.data_type = a.data_type and s.state in ('filling', 'filled')
    left join contact_numbers n on n.account_id = a.account_id
    where a.account_id = ${accountId} and a.indexed and a.indexed_as is distinct from a.data_type
    order by a.attribute_id`.execute(db);
  return rows;
}

/** An existing index or statistics object on a slot. */
export interface Built {
  readonly kind: Definition['kind'];
  readonly name: string;
  /** False for an index whose build was interrupted. */
  readonly valid: boolean;
}

/** Loads the existing indexes and statistics of all slots from the PostgreSQL catalogue. */
export async function loadBuilt(db: Database): Promise<Built[]> {
  const { rows } = await sql<Built>`
    select 'index' as kind, c.relname as name, i.indisvalid and i.indisready as valid
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = 'contacts'::regclass and c.relname ~ ${namePattern}
    union all
    select 'statistics', stxname, true from pg_statistic_ext
    where stxrelid = 'contacts'::regclass and stxname ~ ${namePattern}
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
 * Gathers the statistics of a slot. PostgreSQL gathers extended statistics together with those of a
 * column.
 */
export async function gatherStatistics(db: Database, slot: SlotColumn): Promise<void> {
  await sql`analyze contacts (account_id, ${sql.id(slot)})`.execute(db);
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

/** Marks the index of an attribute as not ready, so that searches do not use it. */
export async function withdrawIndexes(db: Database, { account_id, attribute_id }: IndexRow): Promise<void> {
  await db
    .updateTable('attributes')
    .where('account_id', '=', account_id)
    .where('attribute_id', '=', attribute_id)
    .set({ indexed_as: null })
    .execute();
}

/** Stores that building the indexes of attributes failed. */
export async function storeFailure(db: Database, attributes: readonly IndexedAttribute[], at: Date): Promise<void> {
  for (const { accountId, attributeId } of attributes) {
    await db
      .updateTable('attributes')
      .where('account_id', '=', accountId)
      .where('attribute_id', '=', attributeId)
      .set({ index_failed_at: at })
      .execute();
  }
}
