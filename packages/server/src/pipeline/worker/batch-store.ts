import type pg from 'pg';
import { arrayLiteral } from '#platform/database/values/text-format.ts';
import type { Operation } from '../operations/payload.ts';
import type { WaitingRequest } from '../operations/request-result.ts';

// None of the statements of the pipeline is prepared by name: PostgreSQL would keep the plan that was best when the tables were empty, and
// read them from end to end while they grow to millions. Planning anew, with the real sizes, costs a fraction of a millisecond.

// A batch is one transaction. Beyond this many items PostgreSQL gains nothing, while the worker spends more and more of its time collecting
// what lives for a whole batch; more requests than items only matter for single contacts.
const itemsPerBatch = 2000;
const requestsPerBatch = 2000;
const bytesPerBatch = 16 * 1024 * 1024;

/** Requests with one noted attempt that are applied together: few enough that the next note of an attempt at them accuses few. */
const suspectsPerBatch = 50;

/**
 * The oldest waiting requests of an account, without those of `except`: as many as fit a batch, at least one. A request that changes the
 * registry gets a batch of its own, and so does one with two or more noted attempts; requests with one noted attempt share a batch only
 * with each other.
 */
export async function nextRequests(
  client: pg.ClientBase | pg.Pool,
  accountId: number,
  except: readonly number[],
): Promise<WaitingRequest[]> {
  const { rows } = await client.query<{
    request_id: string;
    seq: number;
    operation: Operation;
    payload: Buffer;
    payload_codec: 'json' | 'zstd';
    total: number;
    accepted_at: Date;
    attempts: number;
  }>({
    text: `
      with oldest as (
        select account_id, seq, request_id, total, attempts, payload_bytes, row_number() over (order by seq) as place,
          bool_or(exclusive or attempts > 1 or attempts <> first_attempts) over (order by seq) as is_apart,
          sum(total) over (order by seq) - total as items_before, sum(payload_bytes) over (order by seq) - payload_bytes as bytes_before
        from (
          select *, first_value(attempts) over (order by seq) as first_attempts
          from request_queue where account_id = $1 and seq <> all ($2::bigint[]) order by seq limit ${requestsPerBatch}
        ) q
      ), batch as (
        select * from oldest
        where place = 1 or (
          not is_apart and (attempts = 0 or place <= ${suspectsPerBatch})
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

/** Notes one attempt more at waiting requests, or one less. */
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

/** The accounts with waiting requests, each once, at most 1,000. Reads one index entry an account, however many requests wait. */
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
