import { failureKinds } from '@roster/contract';
import type pg from 'pg';
import { arrayLiteral } from '#platform/database/values/text-format.ts';
import type { ItemFailure } from '../operations/item-result.ts';
import type { RequestResult } from '../operations/request-result.ts';
import { deleteRows } from './batch-store.ts';
import type { Lanes } from './lane.ts';
import { finishParts } from './part-store.ts';
import { touchedContacts } from './touched-contacts.ts';

/**
 * Requests of a batch have left the queue: they were withdrawn, or another worker holds the lane.
 * The batch must not be committed.
 */
export class RequestsGone extends Error {
  override readonly name = 'RequestsGone';
  /** True when all missing requests were withdrawn by their callers. This is normal. */
  readonly withdrawn: boolean;
  constructor(withdrawn: boolean) {
    super('requests of the batch have left the queue');
    this.withdrawn = withdrawn;
  }
}

/**
 * Ends the requests and parts of a batch. Call it in the transaction that applied them, so that each
 * is applied exactly once. Returns the requests that have ended: all except those with other parts
 * that still wait. Throws {@link RequestsGone}.
 */
export async function finishRequests(
  client: pg.ClientBase,
  lanes: Lanes,
  results: readonly RequestResult[],
  at: Date,
): Promise<RequestResult[]> {
  const { accountId } = lanes;
  const deleted = await deleteRows(
    client,
    lanes,
    results.map(({ request }) => request),
  );
  if (deleted !== results.length) {
    const withdrawn = await withdrawnRequests(client, accountId, results);
    const gone = results.filter(({ request }) => withdrawn.has(request.requestId));
    throw new RequestsGone(deleted + gone.length === results.length);
  }
  return storeResults(client, accountId, results, at);
}

/**
 * Stores the results of requests and parts that have left the queue. Returns the requests that have
 * ended. For parts, the caller holds the lock for the rows that all lanes change.
 */
export async function storeResults(
  client: pg.ClientBase,
  accountId: number,
  results: readonly RequestResult[],
  at: Date,
): Promise<RequestResult[]> {
  const failures = results.flatMap((result) =>
    result.failures.flatMap((item) =>
      item.failures.map((failure, ordinal) => ({
        requestId: result.request.requestId,
        index: item.index,
        ordinal,
        ...failure,
      })),
    ),
  );
  for (let from = 0; from < failures.length; from += failuresPerStatement) {
    await insertFailures(client, accountId, failures.slice(from, from + failuresPerStatement));
  }
  const ended = results.filter(({ request }) => request.parts === 1);
  const parts = results.filter(({ request }) => request.parts > 1);
  if (parts.length > 0) ended.push(...(await finishParts(client, accountId, parts)));
  await insertResults(client, accountId, ended, at);
  return ended;
}

async function insertResults(
  client: pg.ClientBase,
  accountId: number,
  results: readonly RequestResult[],
  at: Date,
): Promise<void> {
  if (results.length === 0) return;
  const touched = results.map(({ contactIds }) => touchedContacts(contactIds));
  await client.query({
    name: 'results of requests',
    text: `
      insert into request_results (account_id, request_id, status, counts, finished_at, attribute_ids,
       first_contact_id, last_contact_id, contact_ids)
     select $1, request_id, status, counts::jsonb, $2, attribute_ids::int[], first_contact_id, last_contact_id, contact_ids::bigint[]
     from unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::bigint[], $9::text[])
       as r (request_id, status, counts, attribute_ids, first_contact_id, last_contact_id, contact_ids)`,
    values: [
      accountId,
      at,
      arrayLiteral(results, ({ request }) => request.requestId),
      arrayLiteral(results, ({ status }) => status),
      arrayLiteral(results, ({ counts }) => JSON.stringify(counts)),
      arrayLiteral(results, ({ attributeIds }) => (attributeIds === null ? null : arrayLiteral(attributeIds))),
      arrayLiteral(touched, ({ first }) => first),
      arrayLiteral(touched, ({ last }) => last),
      arrayLiteral(touched, ({ runs }) => (runs === null ? null : arrayLiteral(runs))),
    ],
  });
}

/** Returns the ids of the requests that were withdrawn. */
async function withdrawnRequests(
  client: pg.ClientBase,
  accountId: number,
  results: readonly RequestResult[],
): Promise<Set<string>> {
  const { rows } = await client.query<{ request_id: string }>(
    `select distinct request_id from request_failures
     where account_id = $1 and request_id = any ($2::uuid[]) and code = 'withdrawn'`,
    [accountId, arrayLiteral(results, ({ request }) => request.requestId)],
  );
  return new Set(rows.map(({ request_id }) => request_id));
}

// A batch of 2,000 requests with one contact each can have 100 failures for each request.
const failuresPerStatement = 20_000;

type FailureRow = ItemFailure & { readonly requestId: string; readonly index: number; readonly ordinal: number };

async function insertFailures(client: pg.ClientBase, accountId: number, rows: readonly FailureRow[]): Promise<void> {
  await client.query({
    text: `
      insert into request_failures (account_id, request_id, item_index, ordinal, code, field, message, warning)
      select $1, * from unnest($2::uuid[], $3::int[], $4::int[], $5::text[], $6::text[], $7::text[], $8::boolean[])`,
    values: [
      accountId,
      arrayLiteral(rows, ({ requestId }) => requestId),
      arrayLiteral(rows, ({ index }) => index),
      arrayLiteral(rows, ({ ordinal }) => ordinal),
      arrayLiteral(rows, ({ code }) => code),
      arrayLiteral(rows, ({ field }) => field ?? null),
      arrayLiteral(rows, ({ code, message }) => message ?? failureKinds[code].message),
      arrayLiteral(rows, ({ code }) => failureKinds[code].warning),
    ],
  });
}
