import type { AccountSettings } from '@roster/contract';
import { sql, type Insertable, type Selectable } from 'kysely';
import { advisoryLocks } from '#platform/database/statements/advisory-locks.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';

/** A row of `accounts`. */
export type AccountRow = Selectable<Tables['accounts']>;

/** The fields of an account that an operator sets. */
export interface AccountFields {
  readonly name: string;
  readonly primary_key: string;
  readonly time_zone: string;
  readonly settings: AccountSettings;
}

/** Makes an account. */
export async function insertAccount(trx: Database, fields: AccountFields, at: Date): Promise<AccountRow> {
  return trx
    .insertInto('accounts')
    .values({ ...columns(fields), created_at: at, updated_at: at })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Writes the fields of an account. */
export async function updateAccount(
  trx: Database,
  accountId: number,
  fields: AccountFields,
  at: Date,
): Promise<AccountRow> {
  return trx
    .updateTable('accounts')
    .where('account_id', '=', accountId)
    .set({ ...columns(fields), updated_at: at })
    .returningAll()
    .executeTakeFirstOrThrow();
}

function columns(fields: AccountFields): Pick<Insertable<Tables['accounts']>, keyof AccountFields> {
  return { ...fields, settings: JSON.stringify(fields.settings) };
}

/** Follows the new name of the attribute that is the primary key. */
export async function renamePrimaryKey(trx: Database, accountId: number, name: string, at: Date): Promise<void> {
  await trx
    .updateTable('accounts')
    .where('account_id', '=', accountId)
    .set({ primary_key: name, updated_at: at })
    .execute();
}

/** The account of an id. */
export async function findAccount(db: Database, accountId: number): Promise<AccountRow | undefined> {
  return db.selectFrom('accounts').where('account_id', '=', accountId).selectAll().executeTakeFirst();
}

/**
 * The account of an id, locked until the transaction ends: changes of an account, of its audiences and of what they refer to take turns.
 * Rows that merely belong to the account can be inserted meanwhile.
 */
export async function lockAccount(trx: Database, accountId: number): Promise<AccountRow | undefined> {
  return trx.selectFrom('accounts').where('account_id', '=', accountId).selectAll().forNoKeyUpdate().executeTakeFirst();
}

/** Accounts in order of their ids, after `after`. */
export async function listAccounts(db: Database, after: number, limit: number): Promise<AccountRow[]> {
  return db
    .selectFrom('accounts')
    .where('account_id', '>', after)
    .selectAll()
    .orderBy('account_id')
    .limit(limit)
    .execute();
}

/** True when the database has an account. */
export async function hasAccounts(db: Database): Promise<boolean> {
  return (await db.selectFrom('accounts').select('account_id').limit(1).executeTakeFirst()) !== undefined;
}

/** What of an account depends on its primary key: contacts that are stored, and requests that wait to be applied. */
export async function primaryKeyUse(
  db: Database,
  accountId: number,
): Promise<{ contacts: boolean; requests: boolean }> {
  return db
    .selectNoFrom((eb) => [
      eb.exists(eb.selectFrom('contacts').where('account_id', '=', accountId).select('contact_key')).as('contacts'),
      eb.exists(eb.selectFrom('request_queue').where('account_id', '=', accountId).select('seq')).as('requests'),
    ])
    .executeTakeFirstOrThrow() as Promise<{ contacts: boolean; requests: boolean }>;
}

/** Makes the next account number 1; only while there is none. */
export async function restartAccountIds(trx: Database): Promise<void> {
  await sql`select setval(pg_get_serial_sequence('accounts', 'account_id'), 1, false)`.execute(trx);
}

/** Waits for the other starters of the database until the transaction ends. */
export async function lockFirstStart(trx: Database): Promise<void> {
  // A lock of one 64-bit number: another space than the lanes, which have two numbers.
  await sql`select pg_advisory_xact_lock(${advisoryLocks.firstStart}::bigint)`.execute(trx);
}
