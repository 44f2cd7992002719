import type { OutcomeFilter, RequestStatus } from '@roster/contract';
import { sql, type RawBuilder, type Selectable, type SqlBool } from 'kysely';
import { firstIdAt } from '#platform/ids.ts';
import { hour } from '#platform/time/intervals.ts';
import type { Database } from '#platform/database/connection/database.ts';
import type { Tables } from '#platform/database/schema/tables.ts';

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

/**
 * A request without its payload. The fields of the result are null until the request is applied.
 */
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

/** Selects requests. An absent field selects all. */
export interface RequestFilter {
  readonly status?: RequestStatus | undefined;
  readonly outcome?: OutcomeFilter | undefined;
  readonly operation?: string | undefined;
  /** Selects requests that were accepted at this time or later. */
  readonly from?: Date | undefined;
  /** Selects requests that were accepted before this time. */
  readonly until?: Date | undefined;
  /** Selects requests that were accepted before this position (`seq`). */
  readonly before?: number | undefined;
}

// These must be exactly the conditions of the partial indexes of migration 0018. Otherwise
// PostgreSQL does not use the indexes.
const hasFailures = `(status = 'failed' or (counts ->> 'failed')::integer > 0)`;
const hasWarnings = `(counts ->> 'warnings')::integer > 0`;

const failedAll = `(status = 'failed' or (counts ->> 'failed')::integer >= (counts ->> 'total')::integer)`;

const outcomeConditions: Readonly<Record<OutcomeFilter, string>> = {
  failed: hasFailures,
  warnings: hasWarnings,
  all_failed: `${hasFailures} and ${failedAll}`,
  some_failed: `${hasFailures} and not ${failedAll}`,
  succeeded: `not ${hasFailures}`,
};

/** Returns requests of an account, newest first. */
export async function listRequests(
  db: Database,
  accountId: number,
  filter: RequestFilter,
  limit: number,
): Promise<RequestLogRow[]> {
  const { status, outcome, before } = filter;
  // A request that is not applied yet has no outcome.
  if (status === 'accepted') return outcome === undefined ? listWaitingRequests(db, accountId, filter, limit) : [];
  if ((outcome !== undefined && outcome !== 'succeeded') || status === 'failed') {
    return listFinishedRequests(db, accountId, { ...filter, status }, limit);
  }
  return (
    withResults(db)
      .where('requests.account_id', '=', accountId)
      .where(givenFacts(filter))
      // Most requests succeed, so they are found by reading the newest.
      .$if(outcome !== undefined, (query) => query.where(sql.raw<SqlBool>(outcomeConditions[outcome!])))
      .$if(before !== undefined, (query) => query.where('requests.seq', '<', before!))
      .$if(status !== undefined, (query) => query.where('request_results.status', '=', status!))
      .select(columns)
      .orderBy('requests.seq', 'desc')
      .limit(limit)
      .execute()
  );
}

/**
 * Returns finished requests with a rare status or outcome, newest first.
 *
 * The results are read first, from a partial index in the order of the ids, which is the order of
 * acceptance. In a plain join, the planner would read all requests of the account.
 */
async function listFinishedRequests(
  db: Database,
  accountId: number,
  filter: RequestFilter & { readonly status?: 'done' | 'failed' | undefined },
  limit: number,
): Promise<RequestLogRow[]> {
  const { status, outcome, before } = filter;
  const needsRequest = filter.operation !== undefined || filter.from !== undefined || filter.until !== undefined;
  return db
    .with('found', (cte) =>
      cte
        .selectFrom('request_results')
        .where('account_id', '=', accountId)
        .$if(outcome !== undefined, (query) => query.where(sql.raw<SqlBool>(outcomeConditions[outcome!])))
        .$if(status !== undefined, (query) => query.where('status', '=', status!))
        .$if(before !== undefined, (query) =>
          // Null if the partition of this request was dropped meanwhile. The list then ends here,
          // which is right: all older partitions were dropped too.
          query.where('request_id', '<', (eb) =>
            eb
              .selectFrom('requests')
              .where('account_id', '=', accountId)
              .where('seq', '=', before!)
              .select('request_id'),
          ),
        )
        .$if(needsRequest, (query) =>
          query.where((eb) =>
            eb.exists(
              eb
                .selectFrom('requests')
                .where('requests.account_id', '=', accountId)
                .whereRef('requests.request_id', '=', 'request_results.request_id')
                .where(givenFacts(filter))
                .select('requests.request_id'),
            ),
          ),
        )
        .$if(filter.until !== undefined, (query) => query.where('request_id', '<', firstIdAt(filter.until!)))
        .$if(filter.from !== undefined, (query) =>
          query.where('request_id', '>=', firstIdAt(oldestArrival(filter.from!))),
        )
        .select(['request_id', 'status', 'counts', 'finished_at'])
        .orderBy('request_id', 'desc')
        .limit(limit),
    )
    .selectFrom('found as request_results')
    .innerJoin('requests', (join) =>
      join.on('requests.account_id', '=', accountId).onRef('requests.request_id', '=', 'request_results.request_id'),
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

/**
 * The conditions on the facts of a request itself. Ids begin with the time at which the request
 * arrived, so a range of ids limits the partitions that are read.
 */
function givenFacts({ operation, from, until }: RequestFilter): RawBuilder<SqlBool> {
  const conditions = [
    ...(operation === undefined ? [] : [sql`requests.operation = ${operation}`]),
    ...(from === undefined
      ? []
      : [sql`requests.accepted_at >= ${from} and requests.request_id >= ${firstIdAt(oldestArrival(from))}`]),
    ...(until === undefined
      ? []
      : [sql`requests.accepted_at < ${until} and requests.request_id < ${firstIdAt(until)}`]),
  ];
  return conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/** A request that was accepted at a time arrived up to an hour earlier. */
function oldestArrival(accepted: Date): Date {
  return new Date(accepted.getTime() - hour);
}

/** Returns the requests in the queue. This does not read the many finished requests in the log. */
async function listWaitingRequests(
  db: Database,
  accountId: number,
  filter: RequestFilter,
  limit: number,
): Promise<RequestLogRow[]> {
  const { before } = filter;
  return withResults(db)
    .innerJoin('request_queue', (join) =>
      join
        .onRef('request_queue.account_id', '=', 'requests.account_id')
        .onRef('request_queue.request_id', '=', 'requests.request_id'),
    )
    .where('request_queue.account_id', '=', accountId)
    .where(givenFacts(filter))
    .$if(before !== undefined, (query) => query.where('request_queue.seq', '<', before!))
    .select(columns)
    .orderBy('request_queue.seq', 'desc')
    .limit(limit)
    .execute();
}

/** Returns a request by its id. */
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

/**
 * Returns the failures of a request, ordered by item. `after` is the last position of the previous
 * page: an item index, and the ordinal among the failures of that item.
 */
export async function listFailures(
  db: Database,
  accountId: number,
  requestId: string,
  { after, code }: { readonly after: readonly number[] | undefined; readonly code: string | undefined },
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
    .$if(code !== undefined, (query) => query.where('code', '=', code!))
    .select(['item_index', 'ordinal', 'code', 'field', 'message', 'warning'])
    .orderBy('item_index')
    .orderBy('ordinal')
    .limit(limit)
    .execute();
}

/** Counts the failures and warnings of a request by code, the most frequent first. */
export async function countFailures(
  db: Database,
  accountId: number,
  requestId: string,
): Promise<{ readonly code: string; readonly count: number }[]> {
  return db
    .selectFrom('request_failures')
    .where('account_id', '=', accountId)
    .where('request_id', '=', requestId)
    .groupBy('code')
    .select(['code', (eb) => eb.fn.countAll<number>().as('count')])
    .orderBy('count', 'desc')
    .orderBy('code')
    .execute();
}

/** Returns the payload of a request; undefined when there is no such request. */
export async function findPayload(
  db: Database,
  accountId: number,
  requestId: string,
): Promise<Pick<Selectable<Tables['requests']>, 'payload' | 'payload_codec'> | undefined> {
  return db
    .selectFrom('requests')
    .where('account_id', '=', accountId)
    .where('request_id', '=', requestId)
    .select(['payload', 'payload_codec'])
    .executeTakeFirst();
}
