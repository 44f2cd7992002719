import type pg from 'pg';
import type { Context } from '#platform/context.ts';
import type { Shard } from '#platform/database/layout/account-servers.ts';
import { ShardMoved } from '#platform/database/layout/hold-shard.ts';
import { needsCoordinator } from '#platform/database/layout/needs-coordinator.ts';
import { pause } from '#platform/loops/pause.ts';
import type { AccountModel, BatchModel, Plan } from '../operations/batch-model.ts';
import type { RequestResult } from '../operations/request-result.ts';
import type { WaitingRequest } from '../operations/waiting-request.ts';
import { moveToAllLanes, nextRequests } from '../queue/batch-store.ts';
import { areAllLanes, type Lanes } from '../queue/lane.ts';
import { applyBatch } from './apply.ts';
import { connectionsWithLock, connectionsWithTerms, type LaneConnections } from './lane-connections.ts';
import { LaneWriters, type WriteBatch } from './lane-writers.ts';
import { NeedsAllLanes, oneLaneModel } from './one-lane-model.ts';
import type { PoisonGuard } from './poison-requests.ts';
import { planAhead, type ReadyBatch } from './read-ahead.ts';
import type { QueueWatch } from './watch-queues.ts';

// Batches with at least this many items or bytes of payloads are large. They are written two at a time.
const large = { items: 1000, bytes: 1024 * 1024 };
// Milliseconds. The longest pause after a small batch.
const longestPause = 25;

/** Called for each applied batch, with its results and the milliseconds of its transaction. */
export type BatchListener = (results: readonly RequestResult[], milliseconds: number) => void;

/** What all loops of a worker use to serve lanes. */
export interface LaneService {
  readonly context: Context;
  readonly batchModel: BatchModel;
  readonly poisonGuard: PoisonGuard;
  readonly onBatch: BatchListener;
  /** Milliseconds for which a loop serves the same lanes. */
  readonly slice: number;
  /** Aborted when the worker stops. */
  readonly signal: AbortSignal;
  readonly queues: QueueWatch;
  /** True when an account may wait although no loop is free. */
  othersWait(): boolean;
  /** True when another loop is free for other accounts. */
  hasIdleLoop(): boolean;
}

/**
 * Serves lanes whose locks `holder` has. True if no request is left.
 *
 * While lanes are served, several batches can be under way:
 *
 * 1. While a large batch is written, the next one is read. If it names other contacts than the
 *    batches under way, it is also planned ahead ({@link planAhead}).
 * 2. A large batch whose plan is disjoint from those under way is written at the same time as the
 *    batch before it, on a second connection. Batches commit in order ({@link LaneWriters}).
 * 3. Some batches must end before the next one is read: a batch that outdates the model of the
 *    account (it changed attributes), and a batch that the poison guard watches. That is the first
 *    batch of each lane, and each batch that may have killed a worker
 *    ({@link createPoisonGuard}).
 * 4. A batch that fails is applied in halves before later batches ({@link applyBatch}). The later
 *    batches under way fail, too, and are read again.
 *
 * A small batch takes nearly as long as one with ten times as many requests. So the next one is read
 * when it has ended. After a batch of several requests, the loop pauses as long as the batch took, at
 * most 25 ms, so that more requests join the next one. It pauses only while another loop is free for
 * other accounts.
 */
export async function serveHeldLanes(service: LaneService, holder: pg.PoolClient, lanes: Lanes): Promise<boolean> {
  const { config, pool, servers } = service.context;
  if (config.layout === 'single') return serveLanes(service, pool, connectionsWithLock(pool, holder, lanes));
  const server = await servers.of(lanes.accountId);
  const shard = await servers.shardOf(lanes.accountId);
  try {
    await using connections = await connectionsWithTerms(shard.server.pool, { ...lanes, shardId: shard.id });
    return await serveLanes(service, shard.server.pool, connections, { shard });
  } catch (error) {
    if (error instanceof ShardMoved) servers.forget();
    if (!needsCoordinator(error)) throw error;
    // A batch that also writes tables of the coordinator, such as jobs, is written there.
    await using connections = await connectionsWithTerms(pool, lanes);
    using _ = await servers.endWithServer(lanes.accountId, connections.first);
    return await serveLanes(service, pool, connections, { maxBatches: 1, queuePool: server.pool });
  }
}

/** How lanes are served. */
interface ServeOptions {
  /** By default, the lanes are served until no request is left, or their time is over. */
  readonly maxBatches?: number;
  /** Connections to the server with the queue, for short statements. */
  readonly queuePool?: pg.Pool;
  /** The shard whose tables are read and written directly. All connections are to its server. */
  readonly shard?: Shard;
}

/** Reads with `serverPool`. Returns true if no request is left. */
async function serveLanes(
  service: LaneService,
  serverPool: pg.Pool,
  connections: LaneConnections,
  { maxBatches = Number.POSITIVE_INFINITY, queuePool = serverPool, shard }: ServeOptions = {},
): Promise<boolean> {
  const { context, poisonGuard, onBatch, slice, signal, queues } = service;
  const until = performance.now() + slice;
  const { first: client, lanes } = connections;
  let batches = 0;
  // Opened for the first batch: an account that was deleted meanwhile cannot be opened.
  let model: AccountModel | undefined;
  const writeBatch: WriteBatch = async (connection, next, order, onReady) => {
    try {
      await poisonGuard.apply(queuePool, lanes, next.requests, async () => {
        const batch = await next.ready();
        onReady(batch);
        const started = performance.now();
        const results = await applyBatch(connection, batch, { context, model: model!, lanes }, order);
        onBatch(results, performance.now() - started);
      });
    } catch (error) {
      if (error instanceof NeedsAllLanes) await moveToAllLanes(queuePool, lanes, next.requests);
      throw error;
    }
  };
  await using writers = new LaneWriters(connections, writeBatch);
  let plannedAhead: Promise<Plan | undefined> | undefined;
  let isEmpty = false;
  try {
    while (!signal.aborted && performance.now() < until && batches++ < maxBatches) {
      queues.forget(lanes);
      const underWay = writers.underWay.flatMap((batch) => batch.requests);
      const requests = await nextRequests(serverPool, lanes, underWay);
      isEmpty = requests.length === 0;
      if (isEmpty) break;
      model ??= await openModel(service, client, lanes, shard);
      const next = planAhead({ context, pool: serverPool, lanes, model }, requests, writers.underWay);
      plannedAhead = next.plannedAhead;
      const isLarge = isLargeBatch(requests);
      const isWatched = poisonGuard.isWatched(lanes, requests);
      const isParallel = isLarge && !isWatched && canWriteInParallel(await plannedAhead, writers.underWay);
      if (!isParallel) await writers.settled();
      if (isLarge && writers.underWay.length === 0) await writers.openSecondConnection();
      const started = performance.now();
      const { outdatesModel } = (await writers.begin(next)).plan;
      if (!isLarge || isWatched || outdatesModel) await writers.settled();
      if (outdatesModel) model = undefined;
      if (isLarge) continue;
      if (service.othersWait()) break;
      const isLast = batches >= maxBatches || performance.now() >= until;
      if (!isLast && areSeveral(requests) && service.hasIdleLoop()) {
        await pause(Math.min(performance.now() - started, longestPause), { signal });
      }
    }
    await writers.settled();
    return isEmpty;
  } finally {
    // After a failure, the worker may still be planning the next batch. It must not read contacts
    // or reserve numbers after it leaves the lane.
    await plannedAhead;
  }
}

async function openModel(
  { batchModel, context }: LaneService,
  client: pg.ClientBase,
  lanes: Lanes,
  shard: Shard | undefined,
): Promise<AccountModel> {
  const model = await batchModel.open(client, lanes.accountId, context, shard);
  return areAllLanes(lanes) ? model : oneLaneModel(model);
}

/** True when a plan can begin its writes while the batches under way are written. */
function canWriteInParallel(plan: Plan | undefined, underWay: readonly ReadyBatch[]): boolean {
  return plan !== undefined && plan.writes.length > 0 && underWay.every((other) => plan.isDisjointFrom(other.plan));
}

function isLargeBatch(requests: readonly WaitingRequest[]): boolean {
  const items = requests.reduce((sum, { total }) => sum + total, 0);
  const payloads = new Set(requests.map(({ payload }) => payload));
  const bytes = payloads.values().reduce((sum, { size }) => sum + size, 0);
  return items >= large.items || bytes >= large.bytes;
}

/** False for the parts of one request. */
function areSeveral(requests: readonly WaitingRequest[]): boolean {
  return requests.some(({ requestId }) => requestId !== requests[0]!.requestId);
}
