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
