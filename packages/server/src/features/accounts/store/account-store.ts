import type { AccountSettings } from '@roster/contract';
import { sql, type Insertable, type Selectable } from 'kysely';
import { advisoryLocks } from '#platform/database/statements/advisory-locks.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';
import { lockNumbers } from '#features/registry/account-numbers.ts';

/** A row of `accounts`. */
export type AccountRow = Selectable<Tables['accounts']>;

/** The fields of an account that an operator sets. */
export interface AccountFields {
  readonly name: string;
  readonly primary_key: string;
  readonly time_zone: string;
  readonly settings: AccountSettings;
}

/** Inserts an account. */
export async function insertAccount(trx: Database, fields: AccountFields, at: Date): Promise<AccountRow> {
  return trx
    .insertInto('accounts')
    .values({ ...columns(fields), created_at: at, updated_at: at })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Updates the fields of an account. */
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

/** Sets the primary key of an account after its attribute was renamed. */
export async function renamePrimaryKey(trx: Database, accountId: number, name: string, at: Date): Promise<void> {
  await trx
    .updateTable('accounts')
    .where('account_id', '=', accountId)
    .set({ primary_key: name, updated_at: at })
    .execute();
}

/** Loads an account; undefined when it does not exist, or is being deleted. */
export async function findAccount(db: Database, accountId: number): Promise<AccountRow | undefined> {
  return existing(db).where('account_id', '=', accountId).selectAll().executeTakeFirst();
}

/**
 * Loads an account and locks it until the transaction ends; undefined when it does not exist.
 *
 * Changes of an account, its attributes and its audiences take this lock, so that they run one
 * after another. Other rows of the account can still be inserted.
 */
export async function lockAccount(trx: Database, accountId: number): Promise<AccountRow | undefined> {
  if ((await findAccount(trx, accountId)) === undefined) return undefined;
  await lockNumbers(trx, accountId);
  return findAccount(trx, accountId);
}

/** Selects the accounts that are not being deleted. */
function existing(db: Database) {
  return db.selectFrom('accounts').where('deleted_at', 'is', null);
}

/**
 * Loads accounts with ids greater than `after`, in the order of their ids: all, or only some.
 */
export async function listAccounts(
  db: Database,
  only: 'all' | readonly number[],
  after: number,
  limit: number,
): Promise<AccountRow[]> {
  if (only.length === 0) return [];
  return existing(db)
    .where('account_id', '>', after)
    .$if(only !== 'all', (query) => query.where('account_id', 'in', only as readonly number[]))
    .selectAll()
    .orderBy('account_id')
    .limit(limit)
    .execute();
}

/** True when the database has an account, or had one that was deleted. */
export async function hasAccounts(db: Database): Promise<boolean> {
  const accounts = db.selectFrom('accounts').select('account_id');
  const all = accounts.unionAll(db.selectFrom('account_deletions').select('account_id'));
  return (await all.limit(1).executeTakeFirst()) !== undefined;
}

/** Returns whether the account has contacts, and requests that are not applied yet. */
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

/** Resets the sequence of account ids to 1. Only for a database without accounts. */
export async function restartAccountIds(trx: Database): Promise<void> {
  await sql`select setval(pg_get_serial_sequence('accounts', 'account_id'), 1, false)`.execute(trx);
}

/** Takes the lock for the first start until the transaction ends. Waits for other processes. */
export async function lockFirstStart(trx: Database): Promise<void> {
  // A lock with one 64-bit key never collides with a lane, whose lock has two 32-bit keys.
  await sql`select pg_advisory_xact_lock(${advisoryLocks.firstStart}::bigint)`.execute(trx);
}
