import type pg from 'pg';
import { inTransaction } from '#platform/database/connection/in-transaction.ts';
import { arrayLiteral } from '#platform/database/values/text-format.ts';
import { allLanes, lanesPerAccount } from '../operations/buckets.ts';
import type { PipelineOperation } from '../operations/payload.ts';
import { StoredPayload, type PayloadCodec } from '../operations/stored-payload.ts';
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
  const removed = await client.query<Pick<WaitingRequest, 'lane' | 'seq' | 'part' | 'parts' | 'total' | 'attempts'>>(
    `delete from request_queue
     where account_id = $1 and lane = any ($2::smallint[]) and request_id = $3
     returning lane, seq, part, parts, total, attempts`,
    [accountId, arrayLiteral(Array.from({ length: lanesPerAccount + 1 }, (_, at) => allLanes + at)), requestId],
  );
  const logged = await client.query<{
    operation: PipelineOperation;
    payload: Buffer;
    payload_codec: PayloadCodec;
    accepted_at: Date;
  }>('select operation, payload, payload_codec, accepted_at from requests where account_id = $1 and request_id = $2', [
    accountId,
    requestId,
  ]);
  return logged.rows.flatMap(({ operation, accepted_at: acceptedAt, ...stored }) => {
    const payload = new StoredPayload(stored.payload, stored.payload_codec);
    return removed.rows.map((row) => {
      const itemIndexes = row.parts === 1 ? undefined : payload.indexesOf(row.part);
      return { ...row, requestId, operation, payload, acceptedAt, itemIndexes };
    });
  });
}
