import { keptWarnings, type FailureCode } from '@roster/contract';
import type pg from 'pg';
import type { RequestCounts } from '#platform/database/schema/tables.ts';
import { arrayLiteral } from '#platform/database/values/text-format.ts';
import type { ItemFailures, RequestResult } from '../operations/request-result.ts';

/**
 * Stores the results of parts. Returns the results of the requests whose last part has ended now.
 *
 * The caller has inserted the failures of the parts, and holds the lock for the rows that all lanes
 * change. So exactly one transaction sees that all parts of a request have ended.
 */
export async function finishParts(
  client: pg.ClientBase,
  accountId: number,
  parts: readonly RequestResult[],
): Promise<RequestResult[]> {
  await client.query(
    `insert into request_parts (account_id, request_id, part, status, counts, contact_ids)
     select $1, request_id, part, status, counts::jsonb, contact_ids::bigint[]
     from unnest($2::uuid[], $3::smallint[], $4::text[], $5::text[], $6::text[]) as p (request_id, part, status, counts, contact_ids)`,
    [
      accountId,
      arrayLiteral(parts, ({ request }) => request.requestId),
      arrayLiteral(parts, ({ request }) => request.part),
      arrayLiteral(parts, ({ status }) => status),
      arrayLiteral(parts, ({ counts }) => JSON.stringify(counts)),
      arrayLiteral(parts, ({ contactIds }) => arrayLiteral(contactIds)),
    ],
  );
  const last = new Map(parts.map((part) => [part.request.requestId, part]));
  const ended = await takeEnded(client, accountId, [...last.values()]);
  if (ended.length === 0) return [];
  const merged = Map.groupBy(ended, (row) => row.request_id)
    .entries()
    .map(([requestId, rows]) => mergeParts(last.get(requestId)!, rows))
    .toArray();
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

interface PartRow {
  readonly request_id: string;
  readonly status: RequestResult['status'];
  readonly counts: RequestCounts;
  readonly contact_ids: number[];
}

/** Deletes and returns the parts of the requests of which all parts have ended. */
async function takeEnded(
  client: pg.ClientBase,
  accountId: number,
  parts: readonly RequestResult[],
): Promise<PartRow[]> {
  const { rows } = await client.query<PartRow>(
    `with ended as (
       select p.request_id from request_parts p join unnest($2::uuid[], $3::int[]) as r (request_id, parts) using (request_id)
       where p.account_id = $1 group by p.request_id, r.parts having count(*) = r.parts
     )
     delete from request_parts p using ended e where p.account_id = $1 and p.request_id = e.request_id
     returning p.request_id, p.status, p.counts, p.contact_ids`,
    [
      accountId,
      arrayLiteral(parts, ({ request }) => request.requestId),
      arrayLiteral(parts, ({ request }) => request.parts),
    ],
  );
  return rows;
}

/** A request has failed as a whole if all its parts have. */
function mergeParts({ request }: RequestResult, rows: readonly PartRow[]): RequestResult {
  const counts: RequestCounts = { total: 0, created: 0, updated: 0, unchanged: 0, deleted: 0, failed: 0, warnings: 0 };
  for (const row of rows) {
    for (const name of Object.keys(counts) as (keyof RequestCounts)[]) counts[name] += row.counts[name];
  }
  return {
    request: { ...request, part: 0, parts: 1, itemIndexes: undefined, total: counts.total },
    status: rows.every(({ status }) => status === 'failed') ? 'failed' : 'done',
    counts,
    failures: [],
    attributeIds: null,
    contactIds: rows.flatMap((row) => row.contact_ids),
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
