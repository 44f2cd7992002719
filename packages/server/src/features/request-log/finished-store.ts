import { sql, type Selectable } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import { ofAllAccounts } from '#platform/database/statements/all-accounts.ts';
import type { Tables } from '#platform/database/schema/tables.ts';

/** Names a request. */
export interface RequestKey {
  readonly accountId: number;
  readonly requestId: string;
}

/** A request that is applied, or has failed as a whole. */
export type FinishedRequest = RequestKey &
  Pick<Selectable<Tables['request_results']>, 'status' | 'counts'> & { readonly finishedAt: Date };

/** Finds those of some requests that are finished. */
export async function findFinished(db: Database, keys: readonly RequestKey[]): Promise<FinishedRequest[]> {
  // Lateral, so that each request is looked up in the primary key. For a join, the planner could
  // choose to read all results.
  const { rows } = await sql<FinishedRequest>`${ofAllAccounts}
    select wanted.account_id as "accountId", wanted.request_id as "requestId", found.*
    from unnest(${keys.map(({ accountId }) => accountId)}::int[], ${keys.map(({ requestId }) => requestId)}::uuid[])
      as wanted (account_id, request_id)
    cross join lateral (
      select status, counts, finished_at as "finishedAt" from request_results
      where account_id = wanted.account_id and request_id = wanted.request_id
      limit 1
    ) as found`.execute(db);
  return rows;
}
