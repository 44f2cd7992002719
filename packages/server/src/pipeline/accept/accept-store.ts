import { CompiledQuery, sql } from 'kysely';
import type pg from 'pg';
import type { Database } from '#platform/database/connection/database.ts';
import type { Idempotency } from './acceptor.ts';
import { daysBefore } from '#platform/time/intervals.ts';
import { allLanes } from '../operations/buckets.ts';
import { laneName } from '../queue/lane.ts';
import type { EncodedPayload, PipelineOperation } from '../operations/payload.ts';

/**
 * Channel that tells workers about accepted requests. A notification has the names of their lanes
 * ({@link laneName}) with spaces between them, or nothing if they are many.
 */
export const requestsChannel = 'roster_requests';

// PostgreSQL allows 7999 bytes in a notification.
const longestNotification = 7999;

/** The row of a request for the log and the queue. */
export interface NewRequest extends EncodedPayload {
  readonly accountId: number;
  readonly requestId: string;
  readonly operation: PipelineOperation;
  readonly total: number;
  /** The request needs a batch of its own. */
  readonly isWhole: boolean;
  readonly acceptedAt: Date;
}

/**
 * Stores requests in the order given, and wakes a worker. `positions`: those that
 * {@link reservePositions} returned, on a cluster.
 */
export async function insertRequests(
  trx: Database,
  requests: readonly NewRequest[],
  positions?: readonly number[],
): Promise<void> {
  const statements = positions === undefined ? [insertion(requests)] : plainInsertions(requests, positions);
  for (const { text, values } of statements) await trx.executeQuery(CompiledQuery.raw(text, values));
}

/**
 * Reserves positions in the order of acceptance. Only the coordinator of a cluster has the sequence,
 * so whoever stores requests on a node gets the positions first.
 */
export async function reservePositions(coordinator: Database, count: number): Promise<number[]> {
  const { rows } = await sql<{ position: number }>`
    select nextval('request_seq') as position from generate_series(1, ${count})`.execute(coordinator);
  return rows.map(({ position }) => position);
}

/**
 * Stores requests like {@link insertRequests}, each group in a transaction of its own. PostgreSQL
 * keeps the plans for small groups, because planning takes longer than inserting. An insertion
 * has only one plan, so it cannot get out of date.
 */
export async function insertGroup(pool: pg.Pool, requests: readonly NewRequest[]): Promise<void> {
  const { length } = requests;
  const statement = insertion(requests);
  const name = `accept ${length}${requests.some(isSplit) ? ' in parts' : ''}`;
  await pool.query(length <= largestKept ? { name, ...statement } : statement);
}

/** Largest group whose plan is kept. Each connection keeps a plan for each size. */
const largestKept = 16;

const rowTypes = ['int', 'uuid', 'text', 'bytea', 'text', 'int', 'int', 'boolean', 'timestamptz', 'smallint'];
const partTypes = ['smallint[]', 'int[]'];

/** A statement with its parameters. */
interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/** Returns the statement that stores requests. Its text depends on their number and on {@link isSplit}. */
function insertion(requests: readonly NewRequest[]): Statement {
  const hasParts = requests.some(isSplit);
  const types = [...rowTypes, ...(hasParts ? partTypes : [])];
  const rows = requests.map((_, row) => {
    const parameters = types.map((type, column) => `$${row * types.length + column + 1}::${type}`);
    return `(nextval('request_seq'), ${parameters.join(', ')})`;
  });
  const partColumns = hasParts ? ', lanes, totals' : '';
  const text = `
    with input (seq, account_id, request_id, operation, payload, payload_codec, payload_bytes, total, exclusive, accepted_at, lane${partColumns}) as materialized (
      values ${rows.join(', ')}
    ), logged as (
      insert into requests (account_id, request_id, seq, operation, payload, payload_codec, total, accepted_at)
      select account_id, request_id, seq, operation, payload, payload_codec, total, accepted_at from input
    ), queued as (
      ${hasParts ? queuedParts : queuedWholes}
    )
    select pg_notify('${requestsChannel}', $${requests.length * types.length + 1})`;
  return { text, values: [...parametersOf(requests), lanesOf(requests)] };
}

const queuedWholes = `
      insert into request_queue (account_id, lane, seq, request_id, total, payload_bytes, exclusive, accepted_at)
      select account_id, lane, seq, request_id, total, payload_bytes, exclusive, accepted_at from input`;

// A request without parts has null arrays, which make one row with nulls.
const queuedParts = `
      insert into request_queue (account_id, lane, seq, request_id, total, payload_bytes, exclusive, accepted_at, part, parts)
      select i.account_id, coalesce(p.lane, i.lane), i.seq, i.request_id, coalesce(p.total, i.total), i.payload_bytes,
        i.exclusive, i.accepted_at, coalesce(p.part, 0), coalesce(cardinality(i.lanes), 1)
      from input i left join lateral unnest(i.lanes, i.totals) with ordinality as p (lane, total, part) on true`;

/** True for a request that waits in parts. */
function isSplit({ parts }: NewRequest): boolean {
  return parts !== undefined;
}

/** Returns the text of the notification about requests. */
function lanesOf(requests: readonly NewRequest[]): string {
  const names = requests.flatMap(({ accountId, lane = allLanes, parts = [{ lane }] }) =>
    parts.map((part) => laneName({ accountId, number: part.lane })),
  );
  const text = [...new Set(names)].join(' ');
  return text.length > longestNotification ? '' : text;
}

function parametersOf(requests: readonly NewRequest[]): unknown[] {
  const hasParts = requests.some(isSplit);
  // In the order of `rowTypes` and `partTypes`.
  return requests.flatMap(({ parts, ...r }) => [
    r.accountId,
    r.requestId,
    r.operation,
    r.payload,
    r.codec,
    r.bytes,
    r.total,
    r.isWhole,
    r.acceptedAt,
    r.lane ?? allLanes,
    ...(hasParts ? (['lane', 'total'] as const).map((name) => parts?.map((part) => part[name]) ?? null) : []),
  ]);
}

/**
 * Returns the statements that store requests of one account on a cluster. For a statement like
 * {@link insertion}, Citus sends the input to every node, so it would need all of them.
 */
function plainInsertions(requests: readonly NewRequest[], positions: readonly number[]): Statement[] {
  const log = requests.map((r, at) => [
    r.accountId,
    r.requestId,
    positions[at],
    r.operation,
    r.payload,
    r.codec,
    r.total,
    r.acceptedAt,
  ]);
  const queue = requests.flatMap((r, at) => {
    const { parts = [{ lane: r.lane ?? allLanes, total: r.total }] } = r;
    return parts.map((part, number) => [
      r.accountId,
      part.lane,
      positions[at],
      r.requestId,
      part.total,
      r.bytes,
      r.isWhole,
      r.acceptedAt,
      isSplit(r) ? number + 1 : 0,
      parts.length,
    ]);
  });
  return [
    valuesInto('requests (account_id, request_id, seq, operation, payload, payload_codec, total, accepted_at)', log),
    valuesInto(
      'request_queue (account_id, lane, seq, request_id, total, payload_bytes, exclusive, accepted_at, part, parts)',
      queue,
    ),
    { text: `select pg_notify('${requestsChannel}', $1)`, values: [lanesOf(requests)] },
  ];
}

function valuesInto(target: string, rows: readonly (readonly unknown[])[]): Statement {
  const width = rows[0]!.length;
  const places = rows.map((_, row) => `(${rows[0]!.map((__, column) => `$${row * width + column + 1}`).join(', ')})`);
  return { text: `insert into ${target} values ${places.join(', ')}`, values: rows.flat() };
}

/** The first request with an idempotency key. */
export interface FirstUse {
  readonly requestId: string;
  /** True when the first request had the same body. */
  readonly sameBody: boolean;
}

/** The request that comes with an idempotency key. */
export interface KeyUse extends Pick<NewRequest, 'accountId' | 'requestId' | 'acceptedAt'> {
  /** Each operation has idempotency keys of its own. */
  readonly operation: string;
}

/**
 * Claims an idempotency key for a request within the transaction. Returns the first request when
 * the key was used in the last 24 hours; otherwise returns undefined. Waits for any transaction
 * that is claiming the same key.
 */
export async function claimIdempotencyKey(
  trx: Database,
  request: KeyUse,
  idempotency: Idempotency,
): Promise<FirstUse | undefined> {
  const claimed = await sql`
    insert into idempotency_keys as k (account_id, operation, idempotency_key, body_hash, request_id, accepted_at)
    values (${request.accountId}, ${request.operation}, ${idempotency.key}, ${idempotency.bodyHash}, ${request.requestId}, ${request.acceptedAt})
    on conflict (account_id, operation, idempotency_key) do update
      set body_hash = excluded.body_hash, request_id = excluded.request_id, accepted_at = excluded.accepted_at
      where k.accepted_at <= ${daysBefore(request.acceptedAt, 1)}
    returning 1`.execute(trx);
  if (claimed.rows.length > 0) return undefined;
  return findIdempotencyKey(trx, request, idempotency);
}

/** Finds the first request with an idempotency key in the last 24 hours. */
export async function findIdempotencyKey(
  db: Database,
  request: Omit<KeyUse, 'requestId'>,
  idempotency: Idempotency,
): Promise<FirstUse | undefined> {
  const row = await db
    .selectFrom('idempotency_keys')
    .where('account_id', '=', request.accountId)
    .where('operation', '=', request.operation)
    .where('idempotency_key', '=', idempotency.key)
    .where('accepted_at', '>', daysBefore(request.acceptedAt, 1))
    .select(['request_id', 'body_hash'])
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return { requestId: row.request_id, sameBody: row.body_hash.equals(idempotency.bodyHash) };
}
