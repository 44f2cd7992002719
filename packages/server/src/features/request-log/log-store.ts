import type { RequestOutcome } from '@roster/contract';
import { sql, type Selectable, type SqlBool } from 'kysely';
import type { Database } from '#platform/database/connection/database.ts';
import type { RequestStatus, Tables } from '#platform/database/schema/tables.ts';

const columns = [
  'requests.request_id',
  'requests.seq',
  'requests.operation',
  'request_results.status',
  'requests.total',
  'request_results.counts',
  'requests.accepted_at',
  'request_results.finished_at',
] as const;

/** A request without its payload, and how it ended; null while it waits. */
export type RequestLogRow = Pick<
  Selectable<Tables['requests']>,
  'request_id' | 'seq' | 'operation' | 'total' | 'accepted_at'
> & {
  [K in 'status' | 'counts' | 'finished_at']: Selectable<Tables['request_results']>[K] | null;
};

/** A row of `request_failures`. */
export type RequestFailureRow = Pick<
  Selectable<Tables['request_failures']>,
  'item_index' | 'ordinal' | 'code' | 'field' | 'message' | 'warning'
>;

/** Which requests to list; conditions that are absent hold for every request. */
export interface RequestFilter {
  readonly status?: RequestStatus | undefined;
  readonly outcome?: RequestOutcome | undefined;
  /** Only requests that were accepted before the one with this place in the order of acceptance. */
  readonly before?: number | undefined;
}

// Word for word the conditions of partial indexes (migration 0018), which find the few requests among a million others.
const outcomeConditions: Readonly<Record<RequestOutcome, string>> = {
  failed: `(status = 'failed' or (counts ->> 'failed')::integer > 0)`,
  warnings: `(counts ->> 'warnings')::integer > 0`,
};

/** Requests of an account, newest first. */
export async function listRequests(
  db: Database,
  accountId: number,
  filter: RequestFilter,
  limit: number,
): Promise<RequestLogRow[]> {
  const { status, outcome, before } = filter;
  // A request that waits has no outcome yet.
  if (status === 'accepted') return outcome === undefined ? listWaitingRequests(db, accountId, before, limit) : [];
  if (outcome !== undefined || status === 'failed') {
    return listFinishedRequests(db, accountId, { status, outcome, before }, limit);
  }
  return withResults(db)
    .where('requests.account_id', '=', accountId)
    .$if(before !== undefined, (query) => query.where('requests.seq', '<', before!))
    .$if(status !== undefined, (query) => query.where('request_results.status', '=', status!))
    .select(columns)
    .orderBy('requests.seq', 'desc')
    .limit(limit)
    .execute();
}

/**
 * Finished requests of an account that are few among many, newest first.
 *
 * The results are read in the order of a partial index, which is that of the ids and so of the time of acceptance. Left to join the log
 * first, the planner reads every request of the account.
 */
async function listFinishedRequests(
  db: Database,
  accountId: number,
  { status, outcome, before }: RequestFilter & { readonly status?: 'done' | 'failed' | undefined },
  limit: number,
): Promise<RequestLogRow[]> {
  return db
    .with('found', (cte) =>
      cte
        .selectFrom('request_results')
        .where('account_id', '=', accountId)
        .$if(outcome !== undefined, (query) => query.where(sql.raw<SqlBool>(outcomeConditions[outcome!])))
        .$if(status !== undefined, (query) => query.where('status', '=', status!))
        .$if(before !== undefined, (query) =>
          // Null, and so the end of the list, when its day was dropped meanwhile: all days before it were dropped too.
          query.where('request_id', '<', (eb) =>
            eb
              .selectFrom('requests')
              .where('account_id', '=', accountId)
              .where('seq', '=', before!)
              .select('request_id'),
          ),
        )
        .select(['account_id', 'request_id', 'status', 'counts', 'finished_at'])
        .orderBy('request_id', 'desc')
        .limit(limit),
    )
    .selectFrom('found as request_results')
    .innerJoin('requests', (join) =>
      join
        .onRef('requests.account_id', '=', 'request_results.account_id')
        .onRef('requests.request_id', '=', 'request_results.request_id'),
    )
    .select(columns)
    .orderBy('requests.request_id', 'desc')
    .execute();
}

function withResults(db: Database) {
  return db
    .selectFrom('requests')
    .leftJoin('request_results', (join) =>
      join
        .onRef('request_results.account_id', '=', 'requests.account_id')
        .onRef('request_results.request_id', '=', 'requests.request_id'),
    );
}

/** The queue has exactly the requests that wait, so that finding them does not read days of finished ones. */
async function listWaitingRequests(
  db: Database,
  accountId: number,
  before: number | undefined,
  limit: number,
): Promise<RequestLogRow[]> {
  return withResults(db)
    .innerJoin('request_queue', (join) =>
      join
        .onRef('request_queue.account_id', '=', 'requests.account_id')
        .onRef('request_queue.request_id', '=', 'requests.request_id'),
    )
    .where('request_queue.account_id', '=', accountId)
    .$if(before !== undefined, (query) => query.where('request_queue.seq', '<', before!))
    .select(columns)
    .orderBy('request_queue.seq', 'desc')
    .limit(limit)
    .execute();
}

/** The request of an id. */
export async function findRequest(
  db: Database,
  accountId: number,
  requestId: string,
): Promise<RequestLogRow | undefined> {
  return withResults(db)
    .where('requests.account_id', '=', accountId)
    .where('requests.request_id', '=', requestId)
    .select(columns)
    .executeTakeFirst();
}

/** Failures of a request in order of the items, after an item index and the place among the failures of that item. */
export async function listFailures(
  db: Database,
  accountId: number,
  requestId: string,
  after: readonly number[] | undefined,
  limit: number,
): Promise<RequestFailureRow[]> {
  const [itemIndex, ordinal] = after ?? [];
  return db
    .selectFrom('request_failures')
    .where('account_id', '=', accountId)
    .where('request_id', '=', requestId)
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(item_index, ordinal) > (${itemIndex}::integer, ${ordinal}::integer)`),
    )
    .select(['item_index', 'ordinal', 'code', 'field', 'message', 'warning'])
    .orderBy('item_index')
    .orderBy('ordinal')
    .limit(limit)
    .execute();
}
