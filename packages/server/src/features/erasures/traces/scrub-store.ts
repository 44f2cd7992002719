import { sql } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { EncodedPayload } from '#pipeline/operations/payload.ts';

/** Replaces the payload of a request. */
export async function replacePayload(
  trx: Database,
  accountId: number,
  requestId: string,
  { payload, codec }: EncodedPayload,
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('requests')
    .where('account_id', '=', accountId)
    .where('request_id', '=', requestId)
    .set({ payload, payload_codec: codec })
    .executeTakeFirstOrThrow();
  // The upkeep has just moved the request to the partition of its day. The job is retried.
  if (numUpdatedRows === 0n) throw new Error('the request was moved to another partition');
}

/** Deletes the failures and warnings of some items of a request. */
export async function deleteFailures(
  trx: Database,
  accountId: number,
  requestId: string,
  indexes: readonly number[],
): Promise<void> {
  await sql`
    delete from request_failures
    where account_id = ${accountId} and request_id = ${requestId} and item_index = any (${[...indexes]}::int[])`.execute(
    trx,
  );
}

/** Deletes the idempotency key of a request. */
export async function deleteIdempotencyKey(trx: Database, accountId: number, requestId: string): Promise<void> {
  await trx
    .deleteFrom('idempotency_keys')
    .where('account_id', '=', accountId)
    .where('request_id', '=', requestId)
    .execute();
}

/** Returns the items of a request that were refused because they name a forgotten person. */
export async function refusedItems(db: Database, accountId: number, requestId: string): Promise<number[]> {
  const rows = await db
    .selectFrom('request_failures')
    .where('account_id', '=', accountId)
    .where('request_id', '=', requestId)
    .where('code', '=', 'contact_forgotten')
    .select('item_index')
    .distinct()
    .execute();
  return rows.map((row) => row.item_index);
}
