import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { LongRun, LongRunKey } from '#platform/long-runs/long-runs.ts';
import { compileFilter } from '#features/search/filter/compile.ts';
import type { ResolvedFilter } from '#features/search/filter/checked-filter.ts';

/** Contacts of one chunk, in the order of `contact_id`. */
export interface Chunk {
  readonly chunk: number;
  readonly contactIds: readonly number[];
}

/**
 * Stores the contacts that match a filter, in chunks of `size`. Returns their number. One statement
 * reads all of them, so the choice is one moment of the database.
 */
export async function storeMatches(
  trx: Database,
  { accountId, id }: LongRunKey,
  filter: ResolvedFilter,
  size: number,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    with matches as (
      select contact_id, (row_number() over (order by contact_id) - 1) / ${size}::int as chunk
      from contacts where ${compileFilter(filter)}
    ), chunks as (
      insert into bulk_change_chunks (account_id, bulk_change_id, chunk, contact_ids)
      select ${accountId}, ${id}, chunk, array_agg(contact_id order by contact_id) from matches group by chunk
      returning cardinality(contact_ids) as contacts
    )
    select coalesce(sum(contacts), 0)::bigint as total from chunks`.execute(trx);
  return rows[0]!.total;
}

/** Stores given contacts, in chunks of `size`. */
export async function storeContacts(
  trx: Database,
  { accountId, id }: LongRunKey,
  contactIds: readonly number[],
  size: number,
): Promise<void> {
  await sql`
    insert into bulk_change_chunks (account_id, bulk_change_id, chunk, contact_ids)
    select ${accountId}, ${id}, chunk, array_agg(contact_id order by contact_id)
    from (
      select contact_id, (row_number() over (order by contact_id) - 1) / ${size}::int as chunk
      from unnest(${contactIds}::bigint[]) as given (contact_id)
    ) as chunks group by chunk`.execute(trx);
}

/** Loads a chunk; undefined after the last one. */
export async function loadChunk(
  db: Database,
  { accountId, id }: LongRunKey,
  chunk: number,
): Promise<Chunk | undefined> {
  const row = await db
    .selectFrom('bulk_change_chunks')
    .where('account_id', '=', accountId)
    .where('bulk_change_id', '=', id)
    .where('chunk', '=', chunk)
    .select('contact_ids')
    .executeTakeFirst();
  return row === undefined ? undefined : { chunk, contactIds: row.contact_ids.map(Number) };
}

/**
 * Stores that the requests of a chunk are accepted. It must run in the transaction that accepts
 * them, so that each chunk is accepted once. Returns false when a newer run exists, or the bulk
 * change has ended.
 */
export async function storeAcceptedChunk(
  trx: Database,
  { accountId, id, run }: LongRun,
  chunk: number,
  requestIds: readonly string[],
): Promise<boolean> {
  const { rows } = await sql`
    with moved as (
      update bulk_changes set next_chunk = ${chunk + 1}
      where account_id = ${accountId} and bulk_change_id = ${id} and status = 'running' and run = ${run}
        and next_chunk = ${chunk}
      returning 1
    )
    update bulk_change_chunks set request_ids = ${requestIds}::uuid[]
    where account_id = ${accountId} and bulk_change_id = ${id} and chunk = ${chunk} and exists (select 1 from moved)
    returning 1`.execute(trx);
  return rows.length > 0;
}

/**
 * Adds the counts and failures of chunks whose requests were all applied to the bulk change, and
 * deletes these chunks. Each chunk counts once. Returns how many accepted chunks still wait.
 */
export async function countApplied(db: Database, { accountId, id }: LongRunKey): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    with accepted as materialized (
      select chunk, contact_ids, request_ids from bulk_change_chunks
      where account_id = ${accountId} and bulk_change_id = ${id} and request_ids is not null for update
    ), results as materialized (
      select a.chunk, q.place, cardinality(a.request_ids) = 1 as is_only, a.contact_ids, r.request_id, r.status, r.counts
      from accepted a cross join unnest(a.request_ids) with ordinality as q (request_id, place)
        join request_results r on r.account_id = ${accountId} and r.request_id = q.request_id
    ), finished as materialized (
      select a.chunk from accepted a join results r on r.chunk = a.chunk
      group by a.chunk, a.request_ids having count(*) = cardinality(a.request_ids)
    ), failed as (
      insert into bulk_change_failures (account_id, bulk_change_id, contact_id, ordinal, code, field, message, warning)
      select ${accountId}, ${id}, c.contact_id, f.ordinal, f.code, f.field, f.message, f.warning
      from results r join finished using (chunk)
        join request_failures f on f.account_id = ${accountId} and f.request_id = r.request_id
        cross join lateral (
          -- A request that failed as a whole has one failure for all its contacts.
          select unnest(case
            when not r.is_only then r.contact_ids[r.place:r.place]
            when r.status = 'failed' then r.contact_ids
            else r.contact_ids[f.item_index + 1:f.item_index + 1] end) as contact_id
        ) c
      on conflict do nothing
    ), counted as (
      update bulk_changes b set changed = b.changed + c.changed, unchanged = b.unchanged + c.unchanged,
        failed = b.failed + c.failed, warnings = b.warnings + c.warnings
      from (
        select sum((counts->>'created')::bigint + (counts->>'updated')::bigint + (counts->>'deleted')::bigint) as changed,
          sum((counts->>'unchanged')::bigint) as unchanged, sum((counts->>'failed')::bigint) as failed,
          sum((counts->>'warnings')::bigint) as warnings, count(*) as requests
        from results join finished using (chunk)
      ) c
      where b.account_id = ${accountId} and b.bulk_change_id = ${id} and c.requests > 0
    ), deleted as (
      delete from bulk_change_chunks d using finished
      where d.account_id = ${accountId} and d.bulk_change_id = ${id} and d.chunk = finished.chunk
    )
    select (select count(*) from accepted) - (select count(*) from finished) as waiting`.execute(db);
  return rows[0]!.waiting;
}

/** Lists the ids of accepted requests that are not counted yet. */
export async function listWaiting(db: Database, { accountId, id }: LongRunKey): Promise<string[]> {
  const { rows } = await sql<{ request_id: string }>`
    select unnest(request_ids) as request_id from bulk_change_chunks
    where account_id = ${accountId} and bulk_change_id = ${id} and request_ids is not null`.execute(db);
  return rows.map((row) => row.request_id);
}

/** Deletes the chunks of an ended bulk change. */
export async function deleteChunks(db: Database, { accountId, id }: LongRunKey): Promise<void> {
  await db
    .deleteFrom('bulk_change_chunks')
    .where('account_id', '=', accountId)
    .where('bulk_change_id', '=', id)
    .execute();
}
