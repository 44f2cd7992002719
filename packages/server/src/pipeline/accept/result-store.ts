import { failureKinds, type FailureCode } from '@roster/contract';
import type { Database } from '#platform/database/connection/database.ts';
import { failedCounts } from '../log/request-counts.ts';

/** How a request ended. */
export interface AppliedRequest {
  readonly status: 'done' | 'failed';
  /** The attributes that an update of attributes has changed, in the order of its items; empty for every other request. */
  readonly attributeIds: readonly number[];
  /** In order of the items, at most 50; without those of items that were refused only because others were. */
  readonly failures: readonly {
    readonly index: number;
    readonly code: FailureCode;
    readonly field: string | null;
    readonly message: string;
  }[];
}

/** How a request ended; undefined while it waits. */
export async function findResult(
  db: Database,
  accountId: number,
  requestId: string,
): Promise<AppliedRequest | undefined> {
  const result = await db
    .selectFrom('request_results')
    .where('account_id', '=', accountId)
    .where('request_id', '=', requestId)
    .select(['status', 'attribute_ids'])
    .executeTakeFirst();
  if (result === undefined) return undefined;
  const failures = await db
    .selectFrom('request_failures')
    .where('account_id', '=', accountId)
    .where('request_id', '=', requestId)
    // There can be more of these than are read, before the first that says what is wrong.
    .where('code', '!=', 'not_applied' satisfies FailureCode)
    .select(['item_index as index', 'code', 'field', 'message'])
    .orderBy('item_index')
    .orderBy('ordinal')
    .limit(50)
    .execute();
  const { status, attribute_ids: attributeIds } = result;
  return { status, attributeIds: attributeIds ?? [], failures: failures as AppliedRequest['failures'] };
}

/**
 * Takes a waiting request out of the queue, so that it is never applied, and forgets its idempotency key, so that it can be sent again.
 * Waits for a worker that is applying it; false when it was applied.
 */
export async function withdrawRequest(db: Database, accountId: number, requestId: string, at: Date): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const waiting = await trx
      .deleteFrom('request_queue')
      .where('account_id', '=', accountId)
      .where('request_id', '=', requestId)
      .returning('total')
      .executeTakeFirst();
    if (waiting === undefined) return false;
    await trx
      .insertInto('request_results')
      .values({
        account_id: accountId,
        request_id: requestId,
        status: 'failed',
        counts: JSON.stringify(failedCounts(waiting.total)),
        finished_at: at,
      })
      .execute();
    await trx
      .insertInto('request_failures')
      .values({
        account_id: accountId,
        request_id: requestId,
        item_index: 0,
        ordinal: 0,
        code: 'withdrawn',
        field: null,
        ...failureKinds.withdrawn,
      })
      .execute();
    await trx
      .deleteFrom('idempotency_keys')
      .where('account_id', '=', accountId)
      .where('request_id', '=', requestId)
      .execute();
    return true;
  });
}
