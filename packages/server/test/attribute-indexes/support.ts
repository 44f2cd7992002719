import { sql } from 'kysely';
import pg from 'pg';
import { maintainIndexes } from '#features/attribute-indexes/maintain-indexes.ts';
import type { Context } from '#platform/context.ts';
import type { TestAccount } from '../support/service.ts';

/**
 * The names of the indexes and statistics on attribute values in the database. Unusable ones end
 * with `(invalid)`.
 */
export async function catalogue({ db }: Pick<Context, 'db'>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select indexrelid::regclass::text || case when indisvalid then '' else ' (invalid)' end as name
    from pg_index where indexrelid::regclass::text like 'contacts\\_attribute\\_%'
    union all select stxname || ' (statistics)' from pg_statistic_ext where stxname like 'contacts\\_attribute\\_%'
    order by name`.execute(db);
  return rows.map(({ name }) => name);
}

/** Builds and drops indexes like the worker does, until nothing is left to do. */
export async function buildIndexes(context: Context): Promise<void> {
  await maintainIndexes(context, new AbortController().signal);
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
