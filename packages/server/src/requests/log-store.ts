import { sql, type Selectable } from 'kysely';
import type { Database } from '../db/database.ts';
import type { RequestStatus, Tables } from '../db/tables.ts';

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

/** Requests of an account, newest first, from before the request `before` (its place in the order of acceptance) on. */
export async function listRequests(
  db: Database,
  accountId: number,
  filter: { readonly status?: RequestStatus | undefined; readonly before?: number | undefined },
  limit: number,
): Promise<RequestLogRow[]> {
  const { status, before } = filter;
  if (status === 'accepted') return listWaitingRequests(db, accountId, before, limit);
  return withResults(db)
    .where('requests.account_id', '=', accountId)
    .$if(before !== undefined, (query) => query.where('requests.seq', '<', before!))
    .$if(status !== undefined, (query) => query.where('request_results.status', '=', status as 'done' | 'failed'))
    .select(columns)
    .orderBy('requests.seq', 'desc')
    .limit(limit)
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
