import { sql } from 'kysely';
import type pg from 'pg';
import type { Context } from '#platform/context.ts';
import { inTransaction } from '#platform/database/connection/in-transaction.ts';
import { findAccounts } from '#platform/database/layout/all-accounts.ts';
import { opaqueFirstParameter } from '#platform/database/statements/opaque-account.ts';
import { arrayLiteral } from '#platform/database/values/text-format.ts';
import { allLanes, lanesPerAccount } from '../operations/buckets.ts';
import type { PipelineOperation } from '../operations/payload.ts';
import { StoredPayload, type PayloadCodec } from '../operations/stored-payload.ts';
import type { WaitingRequest } from '../operations/waiting-request.ts';
import { areAllLanes, lockSharedRows, type Lanes } from './lane.ts';

// Statements with a name keep their plan. Others are planned each time, because the plan that is best
// for empty tables would scan tables that grow to millions of rows.

// A batch is one transaction. With more items, PostgreSQL gains nothing, and the worker spends more
// time on garbage collection of objects that live for a whole batch.
const itemsPerBatch = 2000;
const requestsPerBatch = 2000;
const bytesPerBatch = 16 * 1024 * 1024;

// The largest number of a 64-bit column.
const maxPosition = '9223372036854775807';

/** Maximum requests with one noted attempt in a batch. A small batch shows the cause sooner. */
const suspectsPerBatch = 50;

// Rows of the queue that are read at first. If all of them fit in the batch, more are read.
const firstRead = 100;

/**
 * Waiting requests of an account are not in the log. Their account is being deleted, and they were
 * accepted meanwhile; or somebody has removed them from the log.
 */
export class RequestsMissing extends Error {
  override readonly name = 'RequestsMissing';
  constructor() {
    super('waiting requests are not in the log');
  }
}

/**
 * Reads the oldest requests or parts that the holder of lanes can apply now, except those under way.
 * Returns as many as fit in a batch, and at least one. Takes from each lane in turn, so that a lane
 * in which many requests wait does not delay the others.
 *
 * A request that needs all lanes is applied after everything that was accepted before it, and
 * before everything that was accepted after it. So some lanes get only parts from before the first
 * such request. Whoever has all lanes gets only such requests from before the first part. A part
 * that needs all lanes ({@link moveToAllLanes}) comes after the other parts of its request.
 *
 * Leaves out requests that are not in the log. Throws {@link RequestsMissing} if these are all.
 */
export async function nextRequests(
  client: pg.ClientBase | pg.Pool,
  lanes: Lanes,
  except: readonly QueueRow[],
): Promise<WaitingRequest[]> {
  const waiting = await readQueue(client, lanes, except, firstRead);
  let batch = fitInBatch(waiting);
  if (batch.length === firstRead) batch = fitInBatch(await readQueue(client, lanes, except, requestsPerBatch));
  if (batch.length === 0) return [];
  const requests = await readPayloads(client, lanes.accountId, batch);
  if (requests.length === 0) throw new RequestsMissing();
  return requests;
}

/** A row of the queue, without the payload. */
interface QueuedRequest extends QueueRow {
  readonly request_id: string;
  readonly parts: number;
  readonly total: number;
  /** Size of the payload of the whole request. */
  readonly payload_bytes: number;
  readonly exclusive: boolean;
  readonly attempts: number;
}

/**
 * Reads the first rows of each lane. The first row of each lane comes first, then the second row of
 * each, and so on.
 */
async function readQueue(
  client: pg.ClientBase | pg.Pool,
  lanes: Lanes,
  except: readonly QueueRow[],
  limit: number,
): Promise<QueuedRequest[]> {
  const { accountId, numbers } = lanes;
  const hasOne = numbers.length === 1;
  const inOneLane = `
    select lane, seq, part, parts, request_id, total, payload_bytes, exclusive, attempts
    from request_queue
    where account_id = $1 and lane = ${hasOne ? '$2' : 'one'}
      and ${areAllLanes(lanes) ? `seq < ${firstPart}` : `seq <= ${firstOfAllLanes}`}
      and not (seq = any ($3::bigint[]) and (seq, part) in (select * from unnest($3::bigint[], $4::smallint[])))
    order by seq, part limit ${limit}`;
  // PostgreSQL needs three times as long to plan the second form.
  const text = hasOne
    ? inOneLane
    : `select waiting.* from unnest($2::smallint[]) as one cross join lateral (
        select *, row_number() over (order by seq, part) as place from (${inOneLane}) as ordered
      ) as waiting order by place, seq, part limit ${limit}`;
  const { rows } = await client.query<QueuedRequest>({
    name: `${limit} rows of ${areAllLanes(lanes) ? 'all lanes' : hasOne ? 'one lane' : 'lanes'}`,
    text,
    values: [
      accountId,
      hasOne ? numbers[0] : numbers,
      arrayLiteral(except, ({ seq }) => seq),
      arrayLiteral(except, ({ part }) => part),
    ],
  });
  return rows;
}

/**
 * Returns the rows that can be one batch, in the order of acceptance. They are the first rows of each
 * lane. A request that is applied as a whole gets a batch of its own. So does a request with two or
 * more noted attempts. Requests with one noted attempt share a batch only with each other.
 */
function fitInBatch(rows: readonly QueuedRequest[]): readonly QueuedRequest[] {
  const [first] = rows;
  if (first === undefined || isAlone(first)) return rows.slice(0, 1);
  const batch: QueuedRequest[] = [];
  /** Lanes whose next row needs another batch. */
  const ended = new Set<number>();
  /** Requests whose payload is counted. Their other parts need no more memory. */
  const counted = new Set<string>();
  let items = 0;
  let bytes = 0;
  for (const row of rows) {
    if (isAlone(row) || row.attempts !== first.attempts) ended.add(row.lane);
    if (ended.has(row.lane)) continue;
    items += row.total;
    if (!counted.has(row.request_id)) bytes += row.payload_bytes;
    counted.add(row.request_id);
    const isFull =
      items > itemsPerBatch || bytes > bytesPerBatch || (first.attempts > 0 && batch.length === suspectsPerBatch);
    if (isFull && batch.length > 0) break;
    batch.push(row);
  }
  return batch.sort((a, b) => a.seq - b.seq || a.part - b.part);
}

function isAlone({ exclusive, attempts }: QueuedRequest): boolean {
  return exclusive || attempts > 1;
}

async function readPayloads(
  client: pg.ClientBase | pg.Pool,
  accountId: number,
  batch: readonly QueuedRequest[],
): Promise<WaitingRequest[]> {
  const ids = [...new Set(batch.map((row) => row.request_id))].sort();
  const { rows } = await client.query<{
    request_id: string;
    operation: PipelineOperation;
    payload: Buffer;
    payload_codec: PayloadCodec;
    accepted_at: Date;
  }>({
    // Each request is looked up by its id: a join would compare every id with every request. The
    // bounds leave out the partitions of other days while the statement is planned.
    text: `
      select r.* from unnest($2::uuid[]) as wanted (request_id) cross join lateral (
        select request_id, operation, payload_codec, accepted_at, payload from requests
        where account_id = ${opaqueFirstParameter()} and request_id = wanted.request_id and request_id between $3 and $4
        offset 0
      ) as r`,
    values: [accountId, ids, ids[0], ids.at(-1)],
  });
  const requests = new Map(
    rows.map(({ request_id: requestId, operation, payload, payload_codec: codec, accepted_at: acceptedAt }) => [
      requestId,
      { requestId, operation, payload: new StoredPayload(payload, codec), acceptedAt },
    ]),
  );
  return batch.flatMap(({ request_id: requestId, lane, seq, part, parts, total, attempts }) => {
    const request = requests.get(requestId);
    if (request === undefined) return [];
    const itemIndexes = parts === 1 ? undefined : request.payload.indexesOf(part);
    return { ...request, lane, seq, part, parts, total, attempts, itemIndexes };
  });
}

/** SQL for the position of the first request that needs all lanes. */
const firstOfAllLanes = `coalesce((select min(seq) from request_queue where account_id = $1 and lane = ${allLanes}), ${maxPosition})`;

/** SQL for the position of the first part that one lane can apply. Reads one row of each lane. */
const firstPart = `coalesce((
  select min(first.seq) from generate_series(1, ${lanesPerAccount}) as one cross join lateral (
    select seq from request_queue where account_id = $1 and lane = one order by seq limit 1
  ) first
), ${maxPosition})`;

/** Adds one to the noted attempts of waiting requests, or subtracts one. */
export async function changeAttempts(
  pool: pg.Pool,
  lanes: Lanes,
  rows: readonly QueueRow[],
  by: 1 | -1,
): Promise<void> {
  if (rows.length === 0) return;
  await updateRows(pool, lanes, rows, `attempts = greatest(attempts + ${by}, 0)`);
}

/** Makes parts wait for all lanes of their account. Each is applied by itself then, in its order. */
export async function moveToAllLanes(pool: pg.Pool, lanes: Lanes, rows: readonly QueueRow[]): Promise<void> {
  await updateRows(pool, lanes, rows, `lane = ${allLanes}`);
}

async function updateRows(pool: pg.Pool, lanes: Lanes, rows: readonly QueueRow[], change: string): Promise<void> {
  await inTransaction(pool, async (client) => {
    // Before the rows, as a withdrawal does, to prevent a deadlock.
    await lockSharedRows(client, lanes);
    await client.query(`update request_queue set ${change} where ${ofRows()}`, rowParameters(lanes, rows));
  });
}

/** Deletes rows from the queue. Returns how many there were. */
export async function deleteRows(client: pg.ClientBase, lanes: Lanes, rows: readonly QueueRow[]): Promise<number> {
  const { rowCount } = await client.query(`delete from request_queue where ${ofRows()}`, rowParameters(lanes, rows));
  return rowCount ?? 0;
}

/** What identifies a row of the queue in its account. */
export type QueueRow = Pick<WaitingRequest, 'lane' | 'seq' | 'part'>;

/** SQL for rows by {@link rowParameters}. Each is looked up by its whole key, however many rows wait. */
function ofRows(): string {
  return `account_id = ${opaqueFirstParameter()} and ctid = any (array(
    select found.place from unnest($2::smallint[], $3::bigint[], $4::smallint[]) as wanted (lane, seq, part) cross join lateral (
      select ctid as place from request_queue q
      where q.account_id = ${opaqueFirstParameter()} and q.lane = wanted.lane and q.seq = wanted.seq and q.part = wanted.part
      offset 0
    ) as found
  ))`;
}

function rowParameters({ accountId }: Lanes, rows: readonly QueueRow[]): unknown[] {
  return [
    accountId,
    arrayLiteral(rows, ({ lane }) => lane),
    arrayLiteral(rows, ({ seq }) => seq),
    arrayLiteral(rows, ({ part }) => part),
  ];
}

// In practice, fewer lanes than this have waiting requests at the same time. Reading one takes 20 µs.
const lanesRead = 20_000;

// Milliseconds to wait for a node of a cluster that hangs. Meanwhile, no other account has its turn.
const patience = 2000;

/** The lanes of an account that can apply a request now. */
export interface WaitingLanes extends Lanes {
  /** Requests wait in single lanes, or wait for requests in other lanes. */
  readonly hasSeveral: boolean;
}

/**
 * Lists the lanes of each account that can apply a request now, as far as their servers respond. What
 * was accepted first comes first, among the accounts and among the lanes of each. Reads one index
 * entry for each waiting lane: with the settings of a worker, the plan of an empty queue does so, too.
 */
export async function readWaitingLanes(context: Pick<Context, 'servers' | 'log'>): Promise<WaitingLanes[]> {
  const rows = await findAccounts(
    context,
    ['request_queue'],
    ({ request_queue: queue }) => sql<{ account_id: number; lane: number; seq: number }>`
    with recursive waiting as (
      (select account_id, lane, seq from ${queue} order by account_id, lane, seq limit 1)
      union all
      select next.* from waiting w cross join lateral (
        select account_id, lane, seq from ${queue} q where (q.account_id, q.lane) > (w.account_id, w.lane)
        order by account_id, lane, seq limit 1
      ) next
    )
    select account_id, lane, seq from waiting limit ${lanesRead}`,
    { keepsPlan: true, patience },
  );
  rows.sort((a, b) => a.seq - b.seq);
  return Map.groupBy(rows, (row) => row.account_id)
    .entries()
    .map(([accountId, lanes]) => {
      const firstAll = lanes.find(({ lane }) => lane === allLanes)?.seq ?? Number.POSITIVE_INFINITY;
      const firstOne = lanes.find(({ lane }) => lane !== allLanes)?.seq ?? Number.POSITIVE_INFINITY;
      const able = lanes.filter(({ lane, seq }) => (lane === allLanes ? seq < firstOne : seq <= firstAll));
      return { accountId, numbers: able.map(({ lane }) => lane), hasSeveral: firstOne < Number.POSITIVE_INFINITY };
    })
    .toArray();
}
