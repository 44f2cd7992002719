import { sql, type Selectable } from 'kysely';
import type { Author } from '#platform/audit-log/audit-log.ts';
import type { Database } from '#platform/database/connection/database.ts';
import { jobSchema } from '#platform/database/schema/job-schema.ts';
import type { Tables } from '#platform/database/schema/tables.ts';

/** A row of `account_deletions`. */
export type DeletionRow = Selectable<Tables['account_deletions']>;

/** Tables whose rows stay. `accounts` is deleted last, because other tables refer to it. */
const keptTables = ['accounts', 'account_deletions', 'audit_log'];

/** Marks an account as deleted, and stores its deletion. */
export async function startDeletion(
  trx: Database,
  { accountId, name, author, at }: { accountId: number; name: string; author: Author; at: Date },
): Promise<DeletionRow> {
  await trx.updateTable('accounts').where('account_id', '=', accountId).set({ deleted_at: at }).execute();
  return trx
    .insertInto('account_deletions')
    .values({ account_id: accountId, name, author, requested_at: at })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Finds the deletion of an account; undefined when there is none. */
export async function findDeletion(db: Database, accountId: number): Promise<DeletionRow | undefined> {
  return db.selectFrom('account_deletions').where('account_id', '=', accountId).selectAll().executeTakeFirst();
}

/** Lists deletions with account ids greater than `after`, in the order of the ids. */
export async function listDeletions(db: Database, after: number, limit: number): Promise<DeletionRow[]> {
  return db
    .selectFrom('account_deletions')
    .where('account_id', '>', after)
    .selectAll()
    .orderBy('account_id')
    .limit(limit)
    .execute();
}

/** Lists up to 100 deletions that were requested before a time and have not ended, oldest first. */
export async function listUnfinishedDeletions(db: Database, before: Date): Promise<DeletionRow[]> {
  return db
    .selectFrom('account_deletions')
    .where('finished_at', 'is', null)
    .where('requested_at', '<', before)
    .selectAll()
    .orderBy('requested_at')
    .limit(100)
    .execute();
}

/**
 * Returns the tables and partitions whose rows must be deleted with an account: all with a column
 * `account_id`, except the kept ones. The queue comes first, so that the pipeline stops.
 */
export async function tablesOfAccounts(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attname = 'account_id' and not a.attisdropped and c.relkind = 'r' and pg_table_is_visible(c.oid)
      and c.relname <> all (${keptTables}::text[])
    order by c.relname <> 'request_queue', c.relname`.execute(db);
  return rows.map(({ name }) => name);
}

/** Deletes up to `limit` rows of an account from a table. Returns how many. */
export async function deleteRows(trx: Database, table: string, accountId: number, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.id(table)} where account_id = ${accountId} and ctid = any (array(
      select ctid from ${sql.id(table)} where account_id = ${accountId} limit ${limit}))`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/** Stores which table is being deleted, and adds to the number of deleted rows. */
export async function noteStep(trx: Database, accountId: number, step: string, deleted: number): Promise<void> {
  await trx
    .updateTable('account_deletions')
    .where('account_id', '=', accountId)
    .set((eb) => ({ step, deleted_rows: eb('deleted_rows', '+', deleted) }))
    .execute();
}

/**
 * Deletes the jobs of an account that do not run. Returns how many were deleted, and how many run.
 */
export async function deleteJobs(db: Database, accountId: number): Promise<{ deleted: number; running: number }> {
  const jobs = sql`${sql.id(jobSchema)}.${sql.id('_private_jobs')}`;
  const ofAccount = sql`payload->>'account_id' = ${String(accountId)}`;
  const { numAffectedRows } = await sql`delete from ${jobs} where ${ofAccount} and locked_at is null`.execute(db);
  const { rows } = await sql<{ running: number }>`
    select count(*) as running from ${jobs} where ${ofAccount}`.execute(db);
  return { deleted: Number(numAffectedRows ?? 0), running: rows[0]!.running };
}

/** Deletes the row of an account, and ends its deletion. Returns undefined when it has ended. */
export async function endDeletion(trx: Database, accountId: number, at: Date): Promise<DeletionRow | undefined> {
  const row = await trx
    .updateTable('account_deletions')
    .where('account_id', '=', accountId)
    .where('finished_at', 'is', null)
    .set({ finished_at: at, step: null })
    .returningAll()
    .executeTakeFirst();
  await trx.deleteFrom('accounts').where('account_id', '=', accountId).where('deleted_at', 'is not', null).execute();
  return row;
}
