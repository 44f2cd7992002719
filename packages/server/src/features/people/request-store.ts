import { sql } from 'kysely';
import type { Context } from '#platform/context.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { PipelineOperation } from '#pipeline/operations/payload.ts';
import type { PayloadCodec } from '#pipeline/operations/stored-payload.ts';
import { operationsOnPeople } from './payload-items.ts';

/** A stored request with its payload. */
export interface StoredRequest {
  readonly requestId: string;
  /** Position in the order of acceptance. */
  readonly seq: number;
  readonly operation: PipelineOperation;
  readonly payload: Buffer;
  readonly codec: PayloadCodec;
  readonly acceptedAt: Date;
  /** Null until the request is applied. */
  readonly status: 'done' | 'failed' | null;
  readonly finishedAt: Date | null;
  /** The range of the contacts that the request touched; null if it touched none. */
  readonly firstContactId: number | null;
  readonly lastContactId: number | null;
}

// Limits of one read. A payload over the limit is read by itself.
const maxRequests = 500;
const maxBytes = 4 * 1024 * 1024;

const columns = sql`r.request_id as "requestId", r.seq, r.operation, r.payload, r.payload_codec as codec, r.accepted_at as "acceptedAt"`;
const resultColumns = sql`s.status, s.finished_at as "finishedAt", s.first_contact_id as "firstContactId", s.last_contact_id as "lastContactId"`;

/**
 * Returns the next requests of an account that can name people, newest first, from before the
 * position `seq`. Returns an empty array at the end.
 */
export async function requestsBefore(
  { db, features }: Pick<Context, 'db' | 'features'>,
  accountId: number,
  seq: number,
): Promise<StoredRequest[]> {
  const { rows } = await sql<StoredRequest>`
    with newest as (
      select *, sum(octet_length(payload)) over (order by seq desc) as bytes, row_number() over (order by seq desc) as place
      from (
        select * from requests
        where account_id = ${accountId} and seq < ${seq} and operation = any (${operationsOnPeople(features)}::text[])
        order by seq desc limit ${maxRequests}
      ) q
    )
    select ${columns}, ${resultColumns}
    from newest r left join request_results s on s.account_id = ${accountId} and s.request_id = r.request_id
    where r.place = 1 or r.bytes <= ${maxBytes}
    order by r.seq desc`.execute(db);
  return rows;
}

/**
 * Returns a finished request, locked until the end of the transaction, so that two erasures do not
 * change its payload at the same time.
 */
export async function lockRequest(
  trx: Database,
  accountId: number,
  requestId: string,
): Promise<StoredRequest | undefined> {
  const { rows } = await sql<StoredRequest>`
    select ${columns}, ${resultColumns}
    from requests r join request_results s on s.account_id = r.account_id and s.request_id = r.request_id
    where r.account_id = ${accountId} and r.request_id = ${requestId}
    for update of r`.execute(trx);
  return rows[0];
}

/** An item that failed. */
export interface ItemFailed {
  readonly request_id: string;
  readonly item_index: number;
}

/** Returns the failed items of some requests. Items that only have warnings were applied. */
export async function failedItems(
  db: Database,
  accountId: number,
  requestIds: readonly string[],
): Promise<ItemFailed[]> {
  if (requestIds.length === 0) return [];
  return db
    .selectFrom('request_failures')
    .where('account_id', '=', accountId)
    .where((eb) => eb('request_id', '=', eb.fn.any(sql<string[]>`${[...requestIds]}::uuid[]`)))
    .where('warning', '=', false)
    .select(['request_id', 'item_index'])
    .execute();
}

/** A failure or warning of an item. */
export interface ItemFailureRow {
  readonly item_index: number;
  readonly code: string;
  readonly field: string | null;
  readonly message: string;
  readonly warning: boolean;
}

/** Returns the failures and warnings of some items of a request, in order. */
export async function failuresOfItems(
  db: Database,
  accountId: number,
  requestId: string,
  indexes: readonly number[],
): Promise<ItemFailureRow[]> {
  return db
    .selectFrom('request_failures')
    .where('account_id', '=', accountId)
    .where('request_id', '=', requestId)
    .where((eb) => eb('item_index', '=', eb.fn.any(sql<number[]>`${[...indexes]}::int[]`)))
    .select(['item_index', 'code', 'field', 'message', 'warning'])
    .orderBy('item_index')
    .orderBy('ordinal')
    .execute();
}
