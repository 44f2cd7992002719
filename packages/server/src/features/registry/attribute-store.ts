import type { AttributeCategory, DataMasking, DataType } from '@roster/contract';
import { sql, type Selectable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';
import { takeNumbers } from './account-numbers.ts';
import { forgetMasks } from './former-masks.ts';
import { attributeKey, type Attribute, type StoredValue } from './registry.ts';
import { releaseSlots } from './slots/slot-store.ts';

/** A row of `attributes`. */
export type AttributeRow = Selectable<Tables['attributes']>;

/** An attribute to create. */
export interface NewAttribute {
  readonly name: string;
  readonly dataType: DataType;
  /** Default: `custom`. */
  readonly category?: AttributeCategory | undefined;
  /** In stored form. Default: none. */
  readonly defaultValue?: StoredValue | null | undefined;
  readonly mapping?: string | null | undefined;
  readonly dataMasking?: DataMasking | undefined;
  readonly system?: boolean;
}

/** Inserts attributes with consecutive ids, and returns the first id. */
export async function insertAttributes(
  trx: Database,
  accountId: number,
  attributes: readonly NewAttribute[],
  at: Date,
): Promise<number> {
  const { last_attribute_id: last } = await takeNumbers(trx, accountId, { attributes: attributes.length });
  const first = last - attributes.length + 1;
  await trx
    .insertInto('attributes')
    .values(
      attributes.map((attribute, index) => ({
        account_id: accountId,
        attribute_id: first + index,
        name: attribute.name,
        category: attribute.category ?? 'custom',
        data_type: attribute.dataType,
        default_value: storedDefault(attribute.defaultValue),
        mapping: attribute.mapping ?? null,
        data_masking: attribute.dataMasking ?? 'none',
        system: attribute.system ?? false,
        created_at: at,
        updated_at: at,
      })),
    )
    .execute();
  const names = attributes.map(({ name }) => name);
  await forgetMasks(trx, accountId, names);
  return first;
}

/** Loads all attributes of an account, in the order of their ids. */
export async function loadAttributeRows(db: Database, accountId: number): Promise<AttributeRow[]> {
  return db.selectFrom('attributes').where('account_id', '=', accountId).selectAll().orderBy('attribute_id').execute();
}

/** Loads attributes of an account with ids greater than `after`, in the order of their ids. */
export async function listAttributeRows(
  db: Database,
  accountId: number,
  after: number,
  limit: number,
): Promise<AttributeRow[]> {
  return db
    .selectFrom('attributes')
    .where('account_id', '=', accountId)
    .where('attribute_id', '>', after)
    .selectAll()
    .orderBy('attribute_id')
    .limit(limit)
    .execute();
}

/** Loads an attribute; undefined when it does not exist. */
export async function findAttributeRow(db: Database, accountId: number, id: number): Promise<AttributeRow | undefined> {
  return db
    .selectFrom('attributes')
    .where('account_id', '=', accountId)
    .where('attribute_id', '=', id)
    .selectAll()
    .executeTakeFirst();
}

/**
 * Stores whether an attribute should have an index, and clears the failure of an earlier build.
 * Without index, searches stop using it at once.
 */
export async function markIndexed(
  trx: Database,
  { accountId, id, indexed, at }: { accountId: number; id: number; indexed: boolean; at: Date },
): Promise<AttributeRow> {
  if (!indexed) await releaseSlots(trx, accountId, [id], at);
  return trx
    .updateTable('attributes')
    .where('account_id', '=', accountId)
    .where('attribute_id', '=', id)
    .set({ indexed, index_failed_at: null, ...(indexed ? {} : { indexed_as: null }) })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Counts the attributes of an account that should have an index. */
export async function countIndexed(db: Database, accountId: number): Promise<number> {
  const { indexed } = await db
    .selectFrom('attributes')
    .where('account_id', '=', accountId)
    .where('indexed', '=', true)
    .select((eb) => eb.fn.countAll<number>().as('indexed'))
    .executeTakeFirstOrThrow();
  return indexed;
}

/** The fields of an attribute that an update can change. */
export type AttributeChanges = Pick<
  AttributeRow,
  'attribute_id' | 'name' | 'category' | 'data_type' | 'default_value' | 'mapping' | 'data_masking' | 'widened_from'
>;

/** Updates several attributes in one statement, so that they can swap names and mappings. */
export async function updateAttributes(
  trx: Database,
  accountId: number,
  changes: readonly AttributeChanges[],
  at: Date,
): Promise<void> {
  await sql`
    update attributes a
    set name = c.name, category = c.category, data_type = c.data_type, default_value = c.default_value, mapping = c.mapping,
      data_masking = c.data_masking, widened_from = c.widened_from, updated_at = ${at}
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as c (
      attribute_id int, name text, category text, data_type text, default_value jsonb, mapping text, data_masking text, widened_from text
    )
    where a.account_id = ${accountId} and a.attribute_id = c.attribute_id`.execute(trx);
}

/**
 * Deletes attributes. From now on, their names can be used again and their values are invisible.
 * Sweeps remove the values from the contacts later.
 */
export async function deleteAttributes(
  trx: Database,
  accountId: number,
  ids: readonly number[],
  at: Date,
): Promise<void> {
  await trx.deleteFrom('attributes').where('account_id', '=', accountId).where('attribute_id', 'in', ids).execute();
  await trx
    .deleteFrom('attribute_fills')
    .where('account_id', '=', accountId)
    .where('attribute_id', 'in', ids)
    .execute();
  await removeWidening(trx, accountId, ids);
  await releaseSlots(trx, accountId, ids, at);
  await trx
    .insertInto('sweeps')
    .values(ids.map((id) => ({ account_id: accountId, kind: 'attribute' as const, target_id: id, created_at: at })))
    .execute();
}

/** Adds a sweep that converts the values of an attribute to text. */
export async function startWidening(trx: Database, accountId: number, id: number, at: Date): Promise<void> {
  await removeWidening(trx, accountId, [id]);
  await trx
    .insertInto('sweeps')
    .values({ account_id: accountId, kind: 'widening', target_id: id, created_at: at })
    .execute();
}

/** Removes the sweeps that would convert values of the attributes to text. */
export async function removeWidening(trx: Database, accountId: number, ids: readonly number[]): Promise<void> {
  await trx
    .deleteFrom('sweeps')
    .where('account_id', '=', accountId)
    .where('kind', '=', 'widening')
    .where('target_id', 'in', ids)
    .execute();
}

/**
 * Counts the contacts that have a value, for each key of `contacts.attributes`.
 * Reads all contacts of the account once.
 */
export async function countValues(db: Database, accountId: number, keys: readonly string[]): Promise<number[]> {
  const counts = keys.map((key) => sql`count(*) filter (where attributes ? ${sql.lit(key)})`);
  const { rows } = await sql<{ counts: number[] }>`
    select array[${sql.join(counts)}]::float8[] as counts from contacts where account_id = ${accountId}`.execute(db);
  return rows[0]!.counts;
}

/** Counts the contacts that have an identity. */
export async function countIdentities(db: Database, accountId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from contacts where account_id = ${accountId} and not starts_with(contact_key, 'anonymous/')`.execute(
    db,
  );
  return rows[0]!.count;
}

/** Returns the keys for which at least one contact has a value. */
export async function findKeysWithValues(
  db: Database,
  accountId: number,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  // With one key, the search can stop at the first value.
  if (keys.length === 1) return new Set((await hasValues(db, accountId, keys[0]!)) ? keys : []);
  const counts = await countValues(db, accountId, keys);
  return new Set(keys.filter((_, index) => counts[index]! > 0));
}

async function hasValues(db: Database, accountId: number, key: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select 1 from contacts where account_id = ${accountId} and attributes ? ${sql.lit(key)}) as found`.execute(
    db,
  );
  return rows[0]!.found;
}

/** Converts a row to an attribute of the registry, without its slot. */
export function toAttribute(row: AttributeRow): Attribute {
  return {
    id: row.attribute_id,
    key: attributeKey(row.account_id, row.attribute_id),
    name: row.name,
    dataType: row.data_type,
    defaultValue: row.default_value,
    mapping: row.mapping,
    dataMasking: row.data_masking,
    system: row.system,
    widenedFrom: row.widened_from,
    slot: null,
  };
}

function storedDefault(value: StoredValue | null | undefined): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

/** True while an accepted request that changes the registry waits to be applied. */
export async function hasWaitingChanges(db: Database, accountId: number): Promise<boolean> {
  const row = await db
    .selectFrom('request_queue')
    .where('account_id', '=', accountId)
    .where('exclusive', '=', true)
    .select('seq')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
