import type { Database } from '../db/database.ts';
import type { DataType } from '../db/tables.ts';

/** An attribute to make for an account. */
export interface NewAttribute {
  readonly name: string;
  readonly dataType: DataType;
  readonly category: string;
  readonly system: boolean;
}

/** What is known of an attribute that shall be the primary key. */
export interface KeyAttribute {
  readonly data_type: DataType;
  readonly system: boolean;
}

/** Makes attributes for an account, with the next ids in order; answers the first of these ids. */
export async function insertAttributes(
  trx: Database,
  accountId: number,
  attributes: readonly NewAttribute[],
  at: Date,
): Promise<number> {
  const { last_attribute_id: last } = await trx
    .updateTable('accounts')
    .where('account_id', '=', accountId)
    .set((eb) => ({ last_attribute_id: eb('last_attribute_id', '+', attributes.length) }))
    .returning('last_attribute_id')
    .executeTakeFirstOrThrow();
  const first = last - attributes.length + 1;
  await trx
    .insertInto('attributes')
    .values(
      attributes.map(({ name, dataType, category, system }, index) => ({
        account_id: accountId,
        attribute_id: first + index,
        name,
        category,
        data_type: dataType,
        system,
        created_at: at,
        updated_at: at,
      })),
    )
    .execute();
  return first;
}

/** The attribute of a name (in upper case), whatever is mapped to it. */
export async function findAttribute(db: Database, accountId: number, name: string): Promise<KeyAttribute | undefined> {
  return db
    .selectFrom('attributes')
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .select(['data_type', 'system'])
    .executeTakeFirst();
}

/** Number of attributes of an account. */
export async function countAttributes(db: Database, accountId: number): Promise<number> {
  const { count } = await db
    .selectFrom('attributes')
    .where('account_id', '=', accountId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
