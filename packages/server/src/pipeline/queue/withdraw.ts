import type pg from 'pg';
import { inTransaction } from '#platform/database/connection/in-transaction.ts';
import { arrayLiteral } from '#platform/database/values/text-format.ts';
import { allLanes, lanesPerAccount } from '../operations/buckets.ts';
import { readPart } from '../operations/payload-parts.ts';
import type { PayloadCodec, PipelineOperation } from '../operations/payload.ts';
import type { WaitingRequest } from '../operations/waiting-request.ts';
import { Tally } from '../operations/tally.ts';
import { storeResults } from './finish-store.ts';
import { lockSharedRows } from './lane.ts';

/**
 * Removes a request from the queue, so that what waits of it is never applied. Also deletes its
 * idempotency key, so that the caller can send it again. Waits for a worker that is applying the
 * request.
 *
 * Returns false when the request was applied. Of a request in parts, some may have been applied.
 * Then it ends with the items of the other parts as failed.
 */
export async function withdrawRequest(pool: pg.Pool, accountId: number, requestId: string, at: Date): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    // Before the rows of the queue, as the workers of single lanes do, to prevent a deadlock.
    await lockSharedRows(client, { accountId, numbers: [1] });
    const waiting = await removeFromQueue(client, accountId, requestId);
    if (waiting.length === 0) return false;
    const tally = new Tally();
    for (const index of waiting.keys()) tally.refuse(index, 'withdrawn');
    await storeResults(client, accountId, tally.results(waiting), at);
    await client.query('delete from idempotency_keys where account_id = $1 and request_id = $2', [
      accountId,
      requestId,
    ]);
    return true;
  });
}

async function removeFromQueue(client: pg.ClientBase, accountId: number, requestId: string): Promise<WaitingRequest[]> {
  const { rows } = await client.query<{
    lane: number;
    seq: number;
    part: number;
    parts: number;
    total: number;
    attempts: number;
    operation: PipelineOperation;
    payload: Buffer;
    payload_codec: PayloadCodec;
    accepted_at: Date;
  }>(
    `with removed as (
       delete from request_queue
       where account_id = $1 and lane = any ($2::smallint[]) and request_id = $3
       returning lane, seq, part, parts, total, attempts, part_start, part_length
     )
     select q.lane, q.seq, q.part, q.parts, q.total, q.attempts, r.operation, r.payload_codec, r.accepted_at,
       case when q.part_start is null then '' else substring(r.payload from q.part_start + 1 for q.part_length) end as payload
     from removed q join requests r on r.account_id = $1 and r.request_id = $3`,
    [accountId, arrayLiteral(Array.from({ length: lanesPerAccount + 1 }, (_, at) => allLanes + at)), requestId],
  );
  return rows.map(({ payload_codec: codec, accepted_at: acceptedAt, payload, ...row }) => ({
    ...row,
    requestId,
    payload,
    codec,
    acceptedAt,
    itemIndexes: row.parts === 1 ? undefined : readPart(payload).indexes,
  }));
}
