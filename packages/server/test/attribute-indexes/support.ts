import { sql } from 'kysely';
import pg from 'pg';
import { maintainIndexes } from '#features/attribute-indexes/maintain-indexes.ts';
import { sweepContacts } from '#features/contacts/sweeps/sweep.ts';
import type { Context } from '#platform/context.ts';
import type { TestAccount } from '../support/service.ts';

/**
 * The names of the indexes and statistics on attribute values in the database. Unusable ones end
 * with `(invalid)`.
 */
export async function catalogue({ db }: Pick<Context, 'db'>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select indexrelid::regclass::text || case when indisvalid then '' else ' (invalid)' end as name
    from pg_index where indexrelid::regclass::text ~ '^contacts_(number|text)_'
    union all select stxname || ' (statistics)' from pg_statistic_ext where stxname ~ '^contacts_(number|text)_'
    order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** Fills slots, and builds and drops indexes like the worker does, until nothing is left to do. */
export async function buildIndexes(context: Context): Promise<void> {
  await fillSlots(context);
  await maintainIndexes(context, new AbortController().signal);
}

/** Gives slots to attributes and fills them. Their indexes are built later. */
export async function fillSlots(context: Context): Promise<void> {
  const { signal } = new AbortController();
  await maintainIndexes(context, signal);
  await sweepContacts(context, signal);
}

/** Removes all indexes and slots, as if no attribute had ever been indexed. */
export async function removeIndexes(context: Context): Promise<void> {
  await context.db.updateTable('attributes').set({ indexed: false, indexed_as: null, index_failed_at: null }).execute();
  await context.db.deleteFrom('attribute_slots').execute();
  await buildIndexes(context);
}

/** The slots of an account that are in use: `slot: attribute data_type state`. */
export async function slotsOf({ db }: Pick<Context, 'db'>, account: TestAccount): Promise<string[]> {
  const rows = await db
    .selectFrom('attribute_slots')
    .where('account_id', '=', account.accountId)
    .selectAll()
    .orderBy('slot')
    .execute();
  return rows.map((row) => `${row.slot}: ${row.attribute_id} ${row.data_type} ${row.state}`);
}

/** Asks for an index on each attribute, and builds the indexes. */
export async function createIndexes(context: Context, account: TestAccount, ...ids: number[]): Promise<void> {
  for (const id of ids) await requestIndex(account, id, true);
  await buildIndexes(context);
}

/** Asks for an index on an attribute, or for its removal. Returns the new status. */
export async function requestIndex(account: TestAccount, id: number, indexed: boolean): Promise<string> {
  const answer = await account.operator('PATCH', `/attributes/${id}`, { indexed });
  if (answer.status !== 200) throw new Error(`the index was refused: ${JSON.stringify(answer.body)}`);
  return answer.body.index_status;
}

/** The status of the index of an attribute. */
export async function statusOf(account: TestAccount, id: number): Promise<string> {
  return (await account.operator('GET', `/attributes/${id}`)).body.index_status;
}

/**
 * Opens a transaction that has written contacts. Building an index waits until it ends. Disposing
 * it ends it.
 */
export async function openWriter({ config }: Pick<Context, 'config'>): Promise<AsyncDisposable> {
  const client = new pg.Client({ connectionString: config.databaseUrl! });
  await client.connect();
  await client.query('begin; delete from contacts where false');
  return {
    [Symbol.asyncDispose]: async () => client.end(),
  };
}
