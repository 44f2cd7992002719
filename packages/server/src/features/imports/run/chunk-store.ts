import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { LongRun, LongRunKey } from '#platform/long-runs/long-runs.ts';

/** The kind of the contacts in a request of an import. */
export type ChunkKind = 'identified' | 'anonymous';

/** A chunk whose requests are accepted. */
export interface AcceptedChunk {
  /** Number of the chunk, from 0. */
  readonly chunk: number;
  readonly requests: readonly { readonly kind: ChunkKind; readonly requestId: string }[];
  /** Rows and bytes of the file up to the end of the chunk. */
  readonly rows: number;
  readonly bytes: number;
  /**
   * How many rows of the chunk failed before they became items, and how many values were left out.
   */
  readonly failed: number;
  readonly warnings: number;
}

/**
 * Stores that a chunk is accepted. It must run in the transaction that accepts the requests of the
 * chunk, so that each chunk is accepted once.
 *
 * Returns false when a newer run exists, the import has ended, or the primary key has changed.
 */
export async function storeAcceptedChunk(trx: Database, run: LongRun, chunk: AcceptedChunk): Promise<boolean> {
  const { accountId, id: importId } = run;
  const { primary_key } = await trx
    .selectFrom('accounts')
    .where('account_id', '=', accountId)
    .select('primary_key')
    .executeTakeFirstOrThrow();
  const { rows } = await sql`
    update imports set chunks = ${chunk.chunk + 1}, rows_read = ${chunk.rows}, bytes_read = ${chunk.bytes},
      failed = failed + ${chunk.failed}, warnings = warnings + ${chunk.warnings}
    where account_id = ${accountId} and import_id = ${importId} and status = 'running' and run = ${run.run} and chunks = ${chunk.chunk}
      and primary_key = ${primary_key}
    returning 1`.execute(trx);
  if (rows.length === 0) return false;
  if (chunk.requests.length > 0) {
    await trx
      .insertInto('import_requests')
      .values(
        chunk.requests.map(({ kind, requestId }) => ({
          account_id: accountId,
          import_id: importId,
          chunk: chunk.chunk,
          kind,
          request_id: requestId,
        })),
      )
      .execute();
  }
  return true;
}

/**
 * Adds the counts of newly applied requests to the counts of the import, each request once. Returns
 * the number of requests that still wait.
 */
export async function countApplied(db: Database, { accountId, id: importId }: LongRunKey): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    with waiting as (
      select chunk, kind, request_id from import_requests
      where account_id = ${accountId} and import_id = ${importId} and status = 'accepted' for update
    ), applied as (
      update import_requests i set status = r.status, has_failures = (r.counts->>'failed')::bigint > 0 or (r.counts->>'warnings')::bigint > 0
      from waiting w join request_results r on r.account_id = ${accountId} and r.request_id = w.request_id
      where i.account_id = ${accountId} and i.import_id = ${importId} and i.chunk = w.chunk and i.kind = w.kind
      returning r.counts
    ), counted as (
      update imports i set
        created = i.created + c.created, updated = i.updated + c.updated, unchanged = i.unchanged + c.unchanged,
        failed = i.failed + c.failed, warnings = i.warnings + c.warnings
      from (
        select sum((counts->>'created')::bigint) as created, sum((counts->>'updated')::bigint) as updated,
          sum((counts->>'unchanged')::bigint) as unchanged, sum((counts->>'failed')::bigint) as failed,
          sum((counts->>'warnings')::bigint) as warnings, count(*) as requests
        from applied
      ) c
      where i.account_id = ${accountId} and i.import_id = ${importId} and c.requests > 0
    )
    select (select count(*) from waiting) - (select count(*) from applied) as waiting`.execute(db);
  return rows[0]!.waiting;
}

/**
 * Lists the ids of the requests of an import that still wait. Some of them may be applied already,
 * but not counted yet.
 */
export async function listWaiting(db: Database, key: LongRunKey): Promise<string[]> {
  const rows = await requestsOf(db, key).where('status', '=', 'accepted').select('request_id').execute();
  return rows.map((row) => row.request_id);
}

function requestsOf(db: Database, { accountId, id }: LongRunKey) {
  return db.selectFrom('import_requests').where('account_id', '=', accountId).where('import_id', '=', id);
}

/** A recorded failure of an item in a request of a chunk. */
export interface ChunkFailure {
  readonly kind: ChunkKind;
  readonly index: number;
  readonly code: string;
  readonly field: string | null;
  readonly message: string;
  readonly warning: boolean;
  /** True when the whole request failed. Then the failure applies to each of its items. */
  readonly whole: boolean;
}

/** Returns the numbers of the chunks whose requests have failures. */
export async function chunksWithFailures(db: Database, key: LongRunKey): Promise<Set<number>> {
  const rows = await requestsOf(db, key).where('has_failures', '=', true).select('chunk').distinct().execute();
  return new Set(rows.map((row) => row.chunk));
}

/** Loads the recorded failures of a chunk, in the order of the items. */
export async function loadChunkFailures(
  db: Database,
  { accountId, id: importId }: LongRunKey,
  chunk: number,
): Promise<ChunkFailure[]> {
  const { rows } = await sql<ChunkFailure>`
    select i.kind, f.item_index as index, f.code, f.field, f.message, f.warning, i.status = 'failed' as whole
    from import_requests i join request_failures f on f.account_id = i.account_id and f.request_id = i.request_id
    where i.account_id = ${accountId} and i.import_id = ${importId} and i.chunk = ${chunk}
    order by f.item_index, f.ordinal`.execute(db);
  return rows;
}

/** Deletes the requests of an import. Their results are in its counts and its file of failures. */
export async function deleteChunks(db: Database, { accountId, id: importId }: LongRunKey): Promise<void> {
  await db
    .deleteFrom('import_requests')
    .where('account_id', '=', accountId)
    .where('import_id', '=', importId)
    .execute();
}
