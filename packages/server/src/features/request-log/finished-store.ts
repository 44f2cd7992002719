import { sql, type Selectable } from 'kysely';
import type { Context } from '#platform/context.ts';
import { findInAccounts } from '#platform/database/layout/all-accounts.ts';
import type { Tables } from '#platform/database/schema/tables.ts';

/** Names a request. */
export interface RequestKey {
  readonly accountId: number;
  readonly requestId: string;
}

/** A request that is applied, or has failed as a whole. */
export type FinishedRequest = RequestKey &
  Pick<Selectable<Tables['request_results']>, 'status' | 'counts'> & { readonly finishedAt: Date };

/**
 * Finds those of some requests that are finished. Leaves out those on a node of a cluster that does
 * not respond.
 */
export async function findFinished(
  context: Pick<Context, 'servers' | 'log'>,
  keys: readonly RequestKey[],
): Promise<FinishedRequest[]> {
  // Lateral, so that each request is looked up in the primary key. For a join, the planner could
  // choose to read all results. The bounds leave out the partitions of other days while the statement
  // is planned, which takes longer than to run it.
  return findInAccounts(context, ['request_results'], keys, ({ request_results: results }, own) => {
    const ids = own.map(({ requestId }) => requestId);
    const sorted = ids.toSorted();
    return sql<FinishedRequest>`
    select wanted.account_id as "accountId", wanted.request_id as "requestId", found.*
    from unnest(${own.map(({ accountId }) => accountId)}::int[], ${ids}::uuid[])
      as wanted (account_id, request_id)
    cross join lateral (
      select status, counts, finished_at as "finishedAt" from ${results}
      where account_id = wanted.account_id and request_id = wanted.request_id
        and request_id between ${sorted[0]!}::uuid and ${sorted.at(-1)!}::uuid
      limit 1
    ) as found`;
  });
}
