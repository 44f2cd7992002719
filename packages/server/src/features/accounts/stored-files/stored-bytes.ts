import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';

/**
 * The files that are in the file store now, with their accounts and sizes. A file that is sent in
 * parts counts with the size that the parts state, and a fetched file with the bytes so far.
 * Exports to a place in S3 do not count.
 */
const storedFiles = sql`(
    select account_id, import_id as id,
      case when file_key is null and status <> 'fetching' then 0 else greatest(file_size, stated_size, received) end
      + case when failures_key is null then 0 else coalesce(failures_size, 0) end as bytes
    from imports where file_key is not null or failures_key is not null or status = 'fetching'
    union all
    select account_id, request_id as id, file_size as bytes
    from exports where file_key is not null and place is null
  ) as stored`;

/**
 * Returns the bytes of all stored files of an account. Leaves out the files of the import or export
 * `except`.
 */
export async function storedBytes(db: Database, accountId: number, except?: string): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(bytes), 0)::float8 as bytes from ${storedFiles}
    where account_id = ${accountId} and id is distinct from ${except ?? null}::uuid`.execute(db);
  return rows[0]!.bytes;
}

/** Returns the bytes of the stored files of all accounts, and of the account that has most. */
export async function mostStoredBytes(db: Database): Promise<{
  readonly total: number;
  readonly most: { readonly accountId: number; readonly bytes: number } | undefined;
}> {
  const { rows } = await sql<{ account_id: number; bytes: number }>`
    select account_id, sum(bytes)::float8 as bytes from ${storedFiles}
    group by account_id order by bytes desc /* all accounts */`.execute(db);
  const [first] = rows;
  return {
    total: rows.reduce((sum, { bytes }) => sum + bytes, 0),
    most: first === undefined ? undefined : { accountId: first.account_id, bytes: first.bytes },
  };
}
