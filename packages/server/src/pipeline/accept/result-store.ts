import type { FailureCode } from '@roster/contract';
import type { Database } from '#platform/database/connection/database.ts';

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
