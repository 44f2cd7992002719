import { keptWarnings, type FailureCode } from '@roster/contract';
import type pg from 'pg';
import type { RequestCounts } from '#platform/database/schema/tables.ts';
import { arrayLiteral } from '#platform/database/values/text-format.ts';
import { numbersIn, runsOf } from './touched-contacts.ts';
import { noCounts } from '../operations/request-counts.ts';
import type { ItemFailures, RequestResult } from '../operations/request-result.ts';

/** The results of some parts of a request. */
interface Parts extends Pick<RequestResult, 'request' | 'status' | 'counts' | 'contactIds'> {
  /** Number of the parts. */
  readonly count: number;
}

/**
 * Stores the results of parts. Returns the results of the requests whose last part has ended now.
 *
 * The caller has inserted the failures of the parts, and holds the lock for the rows that all lanes
 * change. So exactly one transaction sees that all parts of a request have ended.
 */
export async function finishParts(
  client: pg.ClientBase,
  accountId: number,
  results: readonly RequestResult[],
): Promise<RequestResult[]> {
  const parts = joinParts(results.map((result) => ({ ...result, count: 1 })));
  const ended = parts.filter(isComplete);
  const others = parts.filter((some) => !isComplete(some));
  if (others.length > 0) {
    await insertParts(client, accountId, others);
    ended.push(...joinParts(await takeEnded(client, accountId, others)));
  }
  if (ended.length === 0) return [];
  const merged = ended.map(resultOf);
  const failed = merged.filter(({ counts }) => counts.failed + counts.warnings > 0);
  if (failed.length === 0) return merged;
  await deleteSurplusWarnings(
    client,
    accountId,
    failed.filter(({ counts }) => counts.warnings > keptWarnings.perRequest),
  );
  const failures = await loadFailures(client, accountId, failed);
  return merged.map((result) => ({ ...result, failures: failures.get(result.request.requestId) ?? [] }));
}

function isComplete({ request, count }: Parts): boolean {
  return count === request.parts;
}

/** Joins the parts of each request. Together, they have failed if all of them have. */
function joinParts(parts: readonly Parts[]): Parts[] {
  return Map.groupBy(parts, ({ request }) => request.requestId)
    .values()
    .map((own): Parts => {
      const counts: RequestCounts = { ...noCounts, total: 0 };
      for (const part of own) {
        for (const name of Object.keys(counts) as (keyof RequestCounts)[]) counts[name] += part.counts[name];
      }
      return {
        request: own[0]!.request,
        status: own.every(({ status }) => status === 'failed') ? 'failed' : 'done',
        counts,
        contactIds: own.flatMap(({ contactIds }) => contactIds),
        count: own.reduce((sum, { count }) => sum + count, 0),
      };
    })
    .toArray();
}

async function insertParts(client: pg.ClientBase, accountId: number, parts: readonly Parts[]): Promise<void> {
  await client.query(
    `insert into request_parts (account_id, request_id, part, parts, status, counts, contact_ids)
     select $1, request_id, part, parts, status, counts::jsonb, contact_ids::bigint[]
     from unnest($2::uuid[], $3::smallint[], $4::smallint[], $5::text[], $6::text[], $7::text[])
       as p (request_id, part, parts, status, counts, contact_ids)`,
    [
      accountId,
      arrayLiteral(parts, ({ request }) => request.requestId),
      arrayLiteral(parts, ({ request }) => request.part),
      arrayLiteral(parts, ({ count }) => count),
      arrayLiteral(parts, ({ status }) => status),
      arrayLiteral(parts, ({ counts }) => JSON.stringify(counts)),
      arrayLiteral(parts, ({ contactIds }) => arrayLiteral(runsOf(contactIds))),
    ],
  );
}

/** Deletes and returns the parts of the requests of which all parts have ended. */
async function takeEnded(client: pg.ClientBase, accountId: number, parts: readonly Parts[]): Promise<Parts[]> {
  const { rows } = await client.query<{
    request_id: string;
    parts: number;
    status: RequestResult['status'];
    counts: RequestCounts;
    contact_ids: number[];
  }>(
    `with ended as (
       select p.request_id from request_parts p join unnest($2::uuid[], $3::int[]) as r (request_id, parts) using (request_id)
       where p.account_id = $1 group by p.request_id, r.parts having sum(p.parts) = r.parts
     )
     delete from request_parts p using ended e where p.account_id = $1 and p.request_id = e.request_id
     returning p.request_id, p.parts, p.status, p.counts, p.contact_ids`,
    [
      accountId,
      arrayLiteral(parts, ({ request }) => request.requestId),
      arrayLiteral(parts, ({ request }) => request.parts),
    ],
  );
  const requests = new Map(parts.map(({ request }) => [request.requestId, request]));
  return rows.map(({ request_id: requestId, parts: count, contact_ids: runs, ...row }) => ({
    ...row,
    request: requests.get(requestId)!,
    contactIds: numbersIn(runs),
    count,
  }));
}

/** Returns the result of a request whose parts have ended. Its failures are in the database. */
function resultOf({ request, status, counts, contactIds }: Parts): RequestResult {
  return {
    request: { ...request, part: 0, parts: 1, itemIndexes: undefined, total: counts.total },
    status,
    counts,
    failures: [],
    attributeIds: null,
    contactIds,
  };
}

/** Keeps as many warnings of a request as if it had one part. */
async function deleteSurplusWarnings(
  client: pg.ClientBase,
  accountId: number,
  results: readonly RequestResult[],
): Promise<void> {
  if (results.length === 0) return;
  await client.query(
    `with numbered as (
       select request_id, item_index, ordinal,
         row_number() over (partition by request_id order by item_index, ordinal) as number
       from request_failures where account_id = $1 and request_id = any ($2::uuid[]) and warning
     )
     delete from request_failures f using numbered n
     where f.account_id = $1 and f.request_id = n.request_id and f.item_index = n.item_index
       and f.ordinal = n.ordinal and n.number > $3`,
    [accountId, arrayLiteral(results, ({ request }) => request.requestId), keptWarnings.perRequest],
  );
}

/** Loads the failures of requests, by their ids, in the order of the items. */
async function loadFailures(
  client: pg.ClientBase,
  accountId: number,
  results: readonly RequestResult[],
): Promise<Map<string, ItemFailures[]>> {
  const { rows } = await client.query<{
    request_id: string;
    item_index: number;
    code: FailureCode;
    field: string | null;
    message: string;
    warning: boolean;
  }>(
    `select request_id, item_index, code, field, message, warning from request_failures
     where account_id = $1 and request_id = any ($2::uuid[]) order by request_id, item_index, ordinal`,
    [accountId, arrayLiteral(results, ({ request }) => request.requestId)],
  );
  const failures = new Map<string, ItemFailures[]>();
  for (const [requestId, own] of Map.groupBy(rows, (row) => row.request_id)) {
    const items = Map.groupBy(own, (row) => row.item_index);
    failures.set(
      requestId,
      Array.from(items, ([index, item]) => ({
        index,
        warnings: item[0]!.warning,
        failures: item.map(({ code, field, message }) => ({ code, message, ...(field === null ? {} : { field }) })),
      })),
    );
  }
  return failures;
}
