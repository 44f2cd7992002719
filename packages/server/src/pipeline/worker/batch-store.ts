import type pg from 'pg';
import { arrayLiteral } from '#platform/database/values/text-format.ts';
import type { PipelineOperation } from '../operations/payload.ts';
import type { WaitingRequest } from '../operations/waiting-request.ts';

// The statements of the pipeline are not prepared by name. PostgreSQL would keep a plan that was
// best for empty tables, and scan tables that grow to millions of rows. A new plan with the real
// sizes costs a fraction of a millisecond.

// A batch is one transaction. With more items, PostgreSQL gains nothing, and the worker spends more
// time on garbage collection of objects that live for a whole batch.
const itemsPerBatch = 2000;
const requestsPerBatch = 2000;
const bytesPerBatch = 16 * 1024 * 1024;

/** Maximum requests with one noted attempt in a batch. A small batch shows the cause sooner. */
const suspectsPerBatch = 50;

/**
 * Reads the oldest waiting requests of an account, except those with the numbers `except`. Returns
 * as many as fit in a batch, and at least one.
 *
 * A request that is applied as a whole gets a batch of its own. So does a request with two or more
 * noted attempts. Requests with one noted attempt share a batch only with each other.
 */
export async function nextRequests(
  client: pg.ClientBase | pg.Pool,
  accountId: number,
  except: readonly number[],
): Promise<WaitingRequest[]> {
  const { rows } = await client.query<{
    request_id: string;
    seq: number;
    operation: PipelineOperation;
    payload: Buffer;
    payload_codec: 'json' | 'zstd';
    total: number;
    accepted_at: Date;
    attempts: number;
  }>({
    text: `
      with oldest as (
        select account_id, seq, request_id, total, attempts, payload_bytes, row_number() over (order by seq) as place,
          bool_or(exclusive or attempts > 1 or attempts <> first_attempts) over (order by seq) as needs_other_batch,
          sum(total) over (order by seq) - total as items_before, sum(payload_bytes) over (order by seq) - payload_bytes as bytes_before
        from (
          select *, first_value(attempts) over (order by seq) as first_attempts
          from request_queue where account_id = $1 and seq <> all ($2::bigint[]) order by seq limit ${requestsPerBatch}
        ) q
      ), batch as (
        select * from oldest
        where place = 1 or (
          not needs_other_batch and (attempts = 0 or place <= ${suspectsPerBatch})
          and items_before + total <= ${itemsPerBatch} and bytes_before + payload_bytes <= ${bytesPerBatch}
        )
      )
      select r.request_id, b.seq, r.operation, r.payload, r.payload_codec, r.total, r.accepted_at, b.attempts
      from batch b cross join lateral (
        select * from requests r where r.account_id = b.account_id and r.request_id = b.request_id
      ) r
      order by b.seq`,
    values: [accountId, arrayLiteral(except)],
  });
  return rows.map((row) => ({
    requestId: row.request_id,
    seq: row.seq,
    operation: row.operation,
    payload: row.payload,
    codec: row.payload_codec,
    total: row.total,
    acceptedAt: row.accepted_at,
    attempts: row.attempts,
  }));
}

/** Adds one to the noted attempts of waiting requests, or subtracts one. */
export async function changeAttempts(
  pool: pg.Pool,
  accountId: number,
  seqs: readonly number[],
  by: 1 | -1,
): Promise<void> {
  if (seqs.length === 0) return;
  await pool.query({
    text: `update request_queue set attempts = greatest(attempts + $3, 0) where account_id = $1 and seq = any ($2::bigint[])`,
    values: [accountId, arrayLiteral(seqs), by],
  });
}

/** Lists up to 1,000 accounts with waiting requests. Reads one index entry for each. */
export async function waitingAccounts(client: pg.ClientBase | pg.Pool): Promise<number[]> {
  const { rows } = await client.query<{ account_id: number }>({
    text: `
      with recursive waiting as (
        (select account_id from request_queue order by account_id limit 1)
        union all
        select (select q.account_id from request_queue q where q.account_id > w.account_id order by q.account_id limit 1)
        from waiting w where w.account_id is not null
      )
      select account_id from waiting where account_id is not null limit 1000`,
  });
  return rows.map((row) => row.account_id);
}
