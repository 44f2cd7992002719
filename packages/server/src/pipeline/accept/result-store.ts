import { failureKinds, type FailureCode } from '@roster/contract';
import type { Database } from '#platform/database/connection/database.ts';
import { failedCounts } from '../log/request-counts.ts';

/** The result of a request. */
export interface AppliedRequest {
  readonly status: 'done' | 'failed';
  /** For an update of attributes, the changed attributes in the order of its items; else empty. */
  readonly attributeIds: readonly number[];
  /** At most 50, in the order of the items. Leaves out items that only failed with other items. */
  readonly failures: readonly {
    readonly index: number;
    readonly code: FailureCode;
    readonly field: string | null;
    readonly message: string;
  }[];
}

/** Finds the result of a request; undefined while the request waits. */
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
    // Leave these out. Many of them can come before the failure that says what is wrong.
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
 * Removes a waiting request from the queue, so that it is never applied. Also deletes its
 * idempotency key, so that the caller can send it again. Waits for a worker that is applying the
 * request. Returns false when the request was applied.
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
