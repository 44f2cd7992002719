import { CompiledQuery, sql } from 'kysely';
import type pg from 'pg';
import type { Database } from '#platform/database/connection/database.ts';
import type { Idempotency } from './acceptor.ts';
import { daysBefore } from '#platform/time/day-length.ts';
import type { PipelineOperation } from '../operations/payload.ts';

/** Channel that tells workers about accepted requests. */
export const requestsChannel = 'roster_requests';

/** The row of a request for the log and the queue. */
export interface NewRequest {
  readonly accountId: number;
  readonly requestId: string;
  readonly operation: PipelineOperation;
  readonly payload: Buffer;
  readonly codec: 'json' | 'zstd';
  readonly bytes: number;
  readonly total: number;
  /** The request needs a batch of its own. */
  readonly isWhole: boolean;
  readonly acceptedAt: Date;
}

/** Stores requests in the order given, in one statement, and wakes a worker. */
export async function insertRequests(db: Database, requests: readonly NewRequest[]): Promise<void> {
  await db.executeQuery(CompiledQuery.raw(insertion(requests.length), parametersOf(requests)));
}

/**
 * Stores requests like {@link insertRequests}, each group in a transaction of its own. PostgreSQL
 * keeps the plans for small groups, because planning takes longer than inserting. An insertion
 * has only one plan, so it cannot get out of date.
 */
export async function insertGroup(pool: pg.Pool, requests: readonly NewRequest[]): Promise<void> {
  const { length } = requests;
  const statement = { text: insertion(length), values: parametersOf(requests) };
  await pool.query(length <= largestKept ? { name: `accept ${length}`, ...statement } : statement);
}

/** Largest group whose plan is kept. Each connection keeps a plan for each size. */
const largestKept = 16;

const rowTypes = ['int', 'uuid', 'text', 'bytea', 'text', 'int', 'int', 'boolean', 'timestamptz'];

/** Returns the statement that stores so many requests. */
function insertion(requests: number): string {
  const rows = Array.from({ length: requests }, (_, row) => {
    const parameters = rowTypes.map((type, column) => `$${row * rowTypes.length + column + 1}::${type}`);
    return `(nextval('request_seq'), ${parameters.join(', ')})`;
  });
  return `
    with input (seq, account_id, request_id, operation, payload, payload_codec, payload_bytes, total, exclusive, accepted_at) as materialized (
      values ${rows.join(', ')}
    ), logged as (
      insert into requests (account_id, request_id, seq, operation, payload, payload_codec, total, accepted_at)
      select account_id, request_id, seq, operation, payload, payload_codec, total, accepted_at from input
    ), queued as (
      insert into request_queue (account_id, seq, request_id, total, payload_bytes, exclusive, accepted_at)
      select account_id, seq, request_id, total, payload_bytes, exclusive, accepted_at from input
    )
    select pg_notify('${requestsChannel}', '')`;
}

function parametersOf(requests: readonly NewRequest[]): unknown[] {
  // In the order of `rowTypes`.
  return requests.flatMap((r) => [
    r.accountId,
    r.requestId,
    r.operation,
    r.payload,
    r.codec,
    r.bytes,
    r.total,
    r.isWhole,
    r.acceptedAt,
  ]);
}

/** The first request with an idempotency key. */
export interface FirstUse {
  readonly requestId: string;
  /** True when the first request had the same body. */
  readonly sameBody: boolean;
}

/** The request that comes with an idempotency key. */
export interface KeyUse extends Pick<NewRequest, 'accountId' | 'requestId' | 'acceptedAt'> {
  /** Each operation has idempotency keys of its own. */
  readonly operation: string;
}

/**
 * Claims an idempotency key for a request within the transaction. Returns the first request when
 * the key was used in the last 24 hours; otherwise returns undefined. Waits for any transaction
 * that is claiming the same key.
 */
export async function claimIdempotencyKey(
  trx: Database,
  request: KeyUse,
  idempotency: Idempotency,
): Promise<FirstUse | undefined> {
  const claimed = await sql`
    insert into idempotency_keys as k (account_id, operation, idempotency_key, body_hash, request_id, accepted_at)
    values (${request.accountId}, ${request.operation}, ${idempotency.key}, ${idempotency.bodyHash}, ${request.requestId}, ${request.acceptedAt})
    on conflict (account_id, operation, idempotency_key) do update
      set body_hash = excluded.body_hash, request_id = excluded.request_id, accepted_at = excluded.accepted_at
      where k.accepted_at <= excluded.accepted_at - interval '24 hours'
    returning 1`.execute(trx);
  if (claimed.rows.length > 0) return undefined;
  return findIdempotencyKey(trx, request, idempotency);
}

/** Finds the first request with an idempotency key in the last 24 hours. */
export async function findIdempotencyKey(
  db: Database,
  request: Omit<KeyUse, 'requestId'>,
  idempotency: Idempotency,
): Promise<FirstUse | undefined> {
  const row = await db
    .selectFrom('idempotency_keys')
    .where('account_id', '=', request.accountId)
    .where('operation', '=', request.operation)
    .where('idempotency_key', '=', idempotency.key)
    .where('accepted_at', '>', daysBefore(request.acceptedAt, 1))
    .select(['request_id', 'body_hash'])
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { requestId: row.request_id, sameBody: row.body_hash.equals(idempotency.bodyHash) };
}
