import type pg from 'pg';
import type { Context } from '#platform/context.ts';
import { databaseFault } from '#platform/database/connection/database.ts';
import { needsCoordinator } from '#platform/database/layout/needs-coordinator.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { pause } from '#platform/loops/pause.ts';
import { repeatUntilAborted } from '#platform/loops/repeat-until-aborted.ts';
import { applyBatch, EarlierBatchFailed } from './apply.ts';
import { moveToAllLanes } from '../queue/batch-store.ts';
import { laneName, leaveLane, takeLane, type Lane } from '../queue/lane.ts';
import { RequestsGone } from '../queue/finish-store.ts';
import { connectionsWithLock, connectionsWithTerm, type LaneConnections } from './lane-connections.ts';
import { LaneWriters, type WriteBatch } from './lane-writers.ts';
import { batchModelOf, type AccountModel, type Plan } from '../operations/batch-model.ts';
import { allLanes } from '../operations/buckets.ts';
import type { RequestResult } from '../operations/request-result.ts';
import type { WaitingRequest } from '../operations/waiting-request.ts';
import { NeedsAllLanes, oneLaneModel } from './one-lane-model.ts';
import { createReadAhead, type ReadyBatch } from './read-ahead.ts';
import { createPoisonGuard } from './poison-requests.ts';
import { watchQueues } from './watch-queues.ts';

// Milliseconds. Notifications wake a worker at once; polling is for lost notifications.
const pollInterval = 500;
// Milliseconds for which a worker keeps a lane.
const defaultSlice = 1000;
// Batches with at least this many items are written two at a time.
const itemsToWriteInParallel = 1000;
const backoff = { first: 100, max: 5000 };

/** A running worker. Disposing it finishes the batches under way. */
export interface Worker extends AsyncDisposable {
  /** Resolves when the worker has stopped. */
  readonly done: Promise<void>;
}

/** Called for each applied batch, with its results and the milliseconds of its transaction. */
export type BatchListener = (results: readonly RequestResult[], milliseconds: number) => void;

/**
 * Starts a worker. It applies accepted requests in `config.workerLanes` loops. A loop holds at most
 * one lane, so a worker serves up to that many lanes at the same time. An account with one bucket has
 * one lane. An account with several buckets has several, and loops of several processes serve them.
 *
 * A loop is always in one of these states:
 *
 * - **waiting**: there is nothing to do. No request waits, or other loops and other workers hold
 *   the lanes of all waiting requests. Ends when a notification arrives, or after
 *   half a second in case a notification was lost.
 * - **choosing** ({@link serveOneLane}): takes a lane with waiting requests. It tries the account
 *   first that this process served longest ago, and of its lanes the one that has waited longest.
 *   The lane is a lock of the session of one connection, so it is free when the connection ends.
 * - **serving** ({@link serveLane}): applies the requests of the lane, batch by batch, in the order
 *   of acceptance. Ends when no request is left or the worker stops. It also ends after
 *   `laneSlice` milliseconds (default 1000), so that other accounts do not wait for a large one.
 *   Batches under way are always finished first.
 * - **failed**: the database failed, or an unexpected error occurred. The connection is closed,
 *   which frees the lane. The loop begins again after 0.1 to 5 seconds, and applies everything that
 *   was not committed.
 *
 * While a lane is served, several batches can be under way:
 *
 * 1. The next batch is read. If it names other contacts than the batches under way, it is also
 *    planned ahead ({@link createReadAhead}).
 * 2. A large batch whose plan is disjoint from those under way is written at the same time as the
 *    batch before it, on a second connection. Batches commit in order ({@link LaneWriters}).
 * 3. Some batches must end before the next one is read: a batch that outdates the model of the
 *    account (it changed attributes), and a batch that the poison guard watches. That is the first
 *    batch of each lane, and each batch that may have killed a worker
 *    ({@link createPoisonGuard}).
 * 4. A batch that fails is applied in halves before later batches ({@link applyBatch}). The later
 *    batches under way fail, too, and are read again.
 */
export function startWorker(
  context: Context,
  onBatch: BatchListener = () => undefined,
  laneSlice = defaultSlice,
): Worker {
  const { config, log, pool, servers } = context;
  const batchModel = batchModelOf(context.features);
  const stopping = new AbortController();
  const lastServed = new Map<number, number>();
  const held = new Set<string>();
  /** Accounts whose node of a cluster has failed, and until when no loop tries them again. */
  const avoidedUntil = new Map<number, number>();
  const poisonGuard = createPoisonGuard();
  let wake = Promise.withResolvers<void>();
  const wakeUp = (): void => {
    wake.resolve();
    wake = Promise.withResolvers();
  };

  const queues = watchQueues(context, (lanes) => {
    // The loop that has a lane looks for more requests when it has applied the present ones.
    if (lanes === undefined || !lanes.every((name) => held.has(name))) wakeUp();
  });
  const loops = Promise.all(Array.from({ length: context.config.workerLanes }, runLoop)).then(() => undefined);

  async function runLoop(): Promise<void> {
    const { signal } = stopping;
    const serve = async (): Promise<void> => {
      const notified = wake.promise;
      if (!(await serveOneLane())) await Promise.race([notified, pause(pollInterval, { signal })]);
    };
    const onError = (error: unknown): void => {
      const level = databaseFault(error) === 'unreachable' ? 'warn' : 'error';
      log[level]({ err: describeError(error) }, 'a loop of the worker failed; restarting it');
    };
    await repeatUntilAborted(serve, { signal, ...backoff, onError });
  }

  /** Serves the waiting lane whose account was served longest ago. False when none is free. */
  async function serveOneLane(): Promise<boolean> {
    const now = Date.now();
    const waiting = (await queues.waitingLanes()).filter(
      (lane) => !held.has(laneName(lane)) && (avoidedUntil.get(lane.accountId) ?? 0) <= now,
    );
    const servedAt = ({ accountId }: Lane): number => lastServed.get(accountId) ?? 0;
    waiting.sort((a, b) => servedAt(a) - servedAt(b));
    if (waiting.length === 0) return false;
    const client = await pool.connect();
    let broken = true;
    try {
      for (const lane of waiting) {
        const name = laneName(lane);
        if (held.has(name) || !(await takeLane(client, lane))) continue;
        held.add(name);
        try {
          await serveHeld(client, lane);
        } catch (error) {
          // The transaction is rolled back, and the connection and the lane still work. The
          // remaining requests are applied when the lane is served again.
          if (error instanceof RequestsGone && error.withdrawn) {
            log.info(
              { account_id: lane.accountId },
              'a request was withdrawn while it was applied; rolled back its batch',
            );
          } else if (!(error instanceof EarlierBatchFailed) && !(error instanceof NeedsAllLanes)) {
            if (config.layout === 'single') throw error;
            // The lock is on the coordinator, so only the accounts of the node are concerned.
            avoidedUntil.set(lane.accountId, Date.now() + backoff.max);
            log.warn({ account_id: lane.accountId, err: describeError(error) }, 'a node of the cluster failed');
          }
        } finally {
          held.delete(name);
          lastServed.set(lane.accountId, Date.now());
        }
        await leaveLane(client, lane);
        broken = false;
        // Lanes that waited for this one can be served by other loops now.
        wakeUp();
        return true;
      }
      broken = false;
      return false;
    } finally {
      // A broken connection may still hold the lane. Closing it frees the lane.
      client.release(broken);
    }
  }

  async function openModel(client: pg.ClientBase, { accountId, number }: Lane): Promise<AccountModel> {
    const model = await batchModel.open(client, accountId, context);
    return number === allLanes ? model : oneLaneModel(model);
  }

  /** Serves a lane whose lock `holder` has. */
  async function serveHeld(holder: pg.PoolClient, lane: Lane): Promise<void> {
    if (config.layout === 'single') return serveLane(pool, connectionsWithLock(pool, holder, lane));
    const server = await servers.of(lane.accountId);
    try {
      await using connections = await connectionsWithTerm(server.pool, lane);
      await serveLane(server.pool, connections);
    } catch (error) {
      if (!needsCoordinator(error)) throw error;
      // A batch that also writes tables of the coordinator, such as jobs, is written there.
      await using connections = await connectionsWithTerm(pool, lane);
      using _ = await servers.endWithServer(lane.accountId, connections.first);
      await serveLane(pool, connections, { maxBatches: 1, queuePool: server.pool });
    }
  }

  /** Reads with `serverPool`. `queuePool` is of the server with the queue, for short statements. */
  async function serveLane(
    serverPool: pg.Pool,
    connections: LaneConnections,
    { maxBatches = Number.POSITIVE_INFINITY, queuePool = serverPool } = {},
  ): Promise<void> {
    const until = Date.now() + laneSlice;
    const { first: client, lane } = connections;
    let batches = 0;
    let model = await openModel(client, lane);
    let readAhead = createReadAhead(context, serverPool, lane, model);
    const writeBatch: WriteBatch = async (connection, next, order, onReady) => {
      try {
        await poisonGuard.apply(queuePool, lane, next.requests, async () => {
          const batch = await next.ready();
          onReady(batch);
          const started = performance.now();
          const results = await applyBatch(connection, batch, { context, model, lane }, order);
          onBatch(results, performance.now() - started);
        });
      } catch (error) {
        if (error instanceof NeedsAllLanes) await moveToAllLanes(queuePool, lane, next.requests);
        throw error;
      }
    };
    await using writers = new LaneWriters(connections, writeBatch);
    let plannedAhead: Promise<Plan | undefined> | undefined;
    try {
      while (!stopping.signal.aborted && Date.now() < until && batches++ < maxBatches) {
        const read = await readAhead.readNext(writers.underWay);
        if (read.requests.length === 0) break;
        plannedAhead = read.plannedAhead;
        const isLarge = sizeOf(read.requests) >= itemsToWriteInParallel;
        const isWatched = poisonGuard.isWatched(lane, read.requests);
        // A small batch is faster on one connection: while it waits, more requests join it.
        const isParallel = isLarge && !isWatched && canWriteInParallel(await plannedAhead, writers.underWay);
        if (!isParallel) await writers.settled();
        if (isLarge && writers.underWay.length === 0) await writers.openSecondConnection();
        const { outdatesModel } = (await writers.begin(read)).plan;
        if (isWatched || outdatesModel) await writers.settled();
        if (outdatesModel) {
          model = await openModel(client, lane);
          readAhead = createReadAhead(context, serverPool, lane, model);
        }
      }
      await writers.settled();
    } finally {
      // After a failure, the worker may still be planning the next batch. It must not read contacts
      // or reserve numbers after it leaves the lane.
      await plannedAhead;
    }
  }

  return {
    done: loops,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      wakeUp();
      await loops;
      await queues[Symbol.asyncDispose]();
    },
  };
}

/** True when a plan can begin its writes while the batches under way are written. */
function canWriteInParallel(plan: Plan | undefined, underWay: readonly ReadyBatch[]): boolean {
  return plan !== undefined && plan.writes.length > 0 && underWay.every((other) => plan.isDisjointFrom(other.plan));
}

function sizeOf(requests: readonly WaitingRequest[]): number {
  return requests.reduce((sum, { total }) => sum + total, 0);
}
