import type pg from 'pg';
import type { Context } from '#platform/context.ts';
import { databaseFault } from '#platform/database/connection/database.ts';
import type { Shard } from '#platform/database/layout/account-servers.ts';
import { ShardMoved } from '#platform/database/layout/hold-shard.ts';
import { needsCoordinator } from '#platform/database/layout/needs-coordinator.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { pause } from '#platform/loops/pause.ts';
import { repeatUntilAborted } from '#platform/loops/repeat-until-aborted.ts';
import { applyBatch, EarlierBatchFailed } from './apply.ts';
import { moveToAllLanes, nextRequests, RequestsMissing } from '../queue/batch-store.ts';
import { areAllLanes, laneName, leaveLanes, takeLanes, type Lanes } from '../queue/lane.ts';
import { RequestsGone } from '../queue/finish-store.ts';
import { connectionsWithLock, connectionsWithTerms, type LaneConnections } from './lane-connections.ts';
import { LaneWriters, type WriteBatch } from './lane-writers.ts';
import { batchModelOf, type AccountModel, type Plan } from '../operations/batch-model.ts';
import type { RequestResult } from '../operations/request-result.ts';
import type { WaitingRequest } from '../operations/waiting-request.ts';
import { NeedsAllLanes, oneLaneModel } from './one-lane-model.ts';
import { planAhead, type ReadyBatch } from './read-ahead.ts';
import { createLanesPerLoop } from './lanes-per-loop.ts';
import { NodeTurns } from './node-turns.ts';
import { createPoisonGuard } from './poison-requests.ts';
import { watchQueues } from './watch-queues.ts';

// Milliseconds. Notifications wake a worker at once; polling is for lost notifications.
const pollInterval = 500;
// Milliseconds for which a worker keeps lanes.
const defaultSlice = 1000;
// Batches with at least this many items or bytes of payloads are large. They are written two at a time.
const large = { items: 1000, bytes: 1024 * 1024 };
// Milliseconds. The longest pause after a small batch.
const longestPause = 25;
const backoff = { first: 100, max: 5000 };

/** A running worker. Disposing it finishes the batches under way. */
export interface Worker extends AsyncDisposable {
  /** Resolves when the worker has stopped. */
  readonly done: Promise<void>;
}

/** Called for each applied batch, with its results and the milliseconds of its transaction. */
export type BatchListener = (results: readonly RequestResult[], milliseconds: number) => void;

/**
 * Starts a worker. It applies accepted requests in `config.workerLoops` loops. A loop serves
 * one account at a time. An account with one bucket has one lane. An account with several buckets has
 * several, and loops of several processes share them ({@link createLanesPerLoop}).
 *
 * A loop is always in one of these states:
 *
 * - **waiting**: there is nothing to do. No request waits, or other loops and other workers hold
 *   the lanes of all waiting requests. Ends when a notification arrives, or after
 *   half a second in case a notification was lost.
 * - **choosing** ({@link serveOneAccount}): takes lanes of an account with waiting requests. It tries the
 *   account first that has waited longest since it was served, and the lanes that have waited longest.
 *   A lane is a lock of the session of one connection, so it is free when the connection ends.
 * - **serving** ({@link serveLanes}): applies the requests of the lanes, batch by batch, in the order
 *   of acceptance. Ends when no request is left or the worker stops. While other accounts wait, it
 *   ends after a small batch, so that a steady flow of small requests does not keep a loop. It always
 *   ends after `laneSlice` milliseconds (default 1000), so that other accounts do not wait for a
 *   large one. Batches under way are finished first.
 * - **failed**: the database failed, or an unexpected error occurred. The connection is closed,
 *   which frees the lanes. The loop begins again after 0.1 to 5 seconds, and applies everything that
 *   was not committed.
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
export function startWorker(
  context: Context,
  onBatch: BatchListener = () => undefined,
  laneSlice = defaultSlice,
): Worker {
  const { config, log, pool, servers } = context;
  const batchModel = batchModelOf(context.features);
  const stopping = new AbortController();
  const held = new Set<string>();
  /**
   * Accounts that no loop tries before a time of `performance.now()`: their node of a cluster failed,
   * their shard moved, or their requests are missing.
   */
  const avoidedUntil = new Map<number, number>();
  const nodeTurns = new NodeTurns();
  const poisonGuard = createPoisonGuard();
  const lanesPerLoop = createLanesPerLoop(context);
  /** Loops that wait, because there is nothing to do. */
  let idleLoops = 0;
  /** True when an account may wait although no loop is free. */
  let othersWait = false;
  let wake = Promise.withResolvers<void>();
  const wakeUp = (): void => {
    wake.resolve();
    wake = Promise.withResolvers();
  };

  const queues = watchQueues(context, (lanes) => {
    // The loop that has a lane looks for more requests when it has applied the present ones.
    if (lanes?.every((lane) => held.has(laneName(lane))) === true) return;
    if (idleLoops === 0) othersWait = true;
    wakeUp();
  });
  const loops = Promise.all(Array.from({ length: context.config.workerLoops }, runLoop)).then(() => undefined);

  async function runLoop(): Promise<void> {
    const { signal } = stopping;
    const serve = async (): Promise<void> => {
      const notified = wake.promise;
      if (await serveOneAccount()) return;
      // A race with a timer would leave 300 bytes on this promise at each poll, until a request comes.
      const poll = setTimeout(wakeUp, pollInterval);
      idleLoops += 1;
      await notified;
      idleLoops -= 1;
      clearTimeout(poll);
    };
    const onError = (error: unknown): void => {
      const level = databaseFault(error) === 'unreachable' ? 'warn' : 'error';
      log[level]({ err: describeError(error) }, 'a loop of the worker failed; restarting it');
    };
    await repeatUntilAborted(serve, { signal, ...backoff, onError });
  }

  /** Serves waiting lanes of the account that has waited longest. False when none is free. */
  async function serveOneAccount(): Promise<boolean> {
    othersWait = false;
    const waiting = await queues.waitingLanes();
    if (free(waiting).next().done === true) return false;
    const client = await pool.connect();
    let broken = true;
    try {
      for (const account of free(waiting)) {
        const node = await nodeOf(account.accountId);
        using turn = node === undefined ? undefined : nodeTurns.begin(node);
        if (node !== undefined && turn === undefined) continue;
        const most = areAllLanes(account) ? 1 : await lanesPerLoop();
        // Another loop can have taken some of them meanwhile.
        const untaken = withoutHeld(account);
        const lanes = untaken.numbers.length > 0 ? await takeLanes(client, untaken, most) : undefined;
        if (lanes === undefined) continue;
        const { accountId } = lanes;
        for (const name of namesOf(lanes)) held.add(name);
        if (free(waiting).some((other) => other.accountId !== accountId)) othersWait = true;
        let isEmpty = false;
        try {
          isEmpty = await serveHeld(client, lanes).catch((error: unknown) => {
            afterFailure(error, accountId, node);
            return false;
          });
          await leaveLanes(client, lanes);
          broken = false;
        } finally {
          // Not earlier: another loop would find that the lanes are still taken.
          for (const name of namesOf(lanes)) held.delete(name);
          queues.left(lanes, isEmpty);
        }
        // Lanes that waited for these can be served by other loops now.
        wakeUp();
        return true;
      }
      broken = false;
      return false;
    } finally {
      // A broken connection may still hold the lanes. Closing it frees them.
      client.release(broken);
    }
  }

  /**
   * Decides what follows when an account could not be served. Its transaction is rolled back. Throws
   * the error if the connection or the server failed. Otherwise the connection and the lanes still
   * work, and the remaining requests are applied when the lanes are served again.
   */
  function afterFailure(error: unknown, accountId: number, node: string | undefined): void {
    if (error instanceof RequestsGone && error.withdrawn) {
      log.info({ account_id: accountId }, 'a request was withdrawn while it was applied; rolled back its batch');
    } else if (error instanceof ShardMoved) {
      log.info({ account_id: accountId }, 'the shard of an account has moved or was split; planning its batch again');
      avoidedUntil.set(accountId, performance.now() + backoff.first);
    } else if (error instanceof RequestsMissing) {
      log.warn({ account_id: accountId }, 'waiting requests are not in the log; looking for them again in 5 s');
      avoidedUntil.set(accountId, performance.now() + backoff.max);
    } else if (!(error instanceof EarlierBatchFailed) && !(error instanceof NeedsAllLanes)) {
      if (config.layout === 'single') throw error;
      // The locks are on the coordinator, so only the accounts of the node are concerned.
      avoidedUntil.set(accountId, performance.now() + backoff.max);
      if (node !== undefined) nodeTurns.noteFailure(node);
      log.warn({ account_id: accountId, err: describeError(error) }, 'a node of the cluster failed');
    }
  }

  /** Returns the name of the node of an account; undefined on a single server, or if the node is down. */
  async function nodeOf(accountId: number): Promise<string | undefined> {
    if (config.layout === 'single') return undefined;
    return (await servers.shardOf(accountId)).server.name;
  }

  /** Waits for some milliseconds, but not for long, and only until the worker stops. */
  function pauseFor(milliseconds: number): Promise<void> {
    return pause(Math.min(milliseconds, longestPause), { signal: stopping.signal });
  }

  /** Yields the waiting lanes of each account that no loop has and that are not avoided. */
  function* free(waiting: ReadonlyMap<number, ReadonlySet<number>>): Generator<Lanes> {
    const now = performance.now();
    for (const [accountId, numbers] of waiting) {
      if ((avoidedUntil.get(accountId) ?? 0) > now) continue;
      const lanes = withoutHeld({ accountId, numbers: [...numbers] });
      if (lanes.numbers.length > 0) yield lanes;
    }
  }

  function withoutHeld({ accountId, numbers }: Lanes): Lanes {
    return { accountId, numbers: numbers.filter((number) => !held.has(laneName({ accountId, number }))) };
  }

  async function openModel(client: pg.ClientBase, lanes: Lanes, shard: Shard | undefined): Promise<AccountModel> {
    const model = await batchModel.open(client, lanes.accountId, context, shard);
    return areAllLanes(lanes) ? model : oneLaneModel(model);
  }

  /** Serves lanes whose locks `holder` has. True if no request is left. */
  async function serveHeld(holder: pg.PoolClient, lanes: Lanes): Promise<boolean> {
    if (config.layout === 'single') return serveLanes(pool, connectionsWithLock(pool, holder, lanes));
    const server = await servers.of(lanes.accountId);
    const shard = await servers.shardOf(lanes.accountId);
    try {
      await using connections = await connectionsWithTerms(shard.server.pool, { ...lanes, shardId: shard.id });
      return await serveLanes(shard.server.pool, connections, { shard });
    } catch (error) {
      if (error instanceof ShardMoved) servers.forget();
      if (!needsCoordinator(error)) throw error;
      // A batch that also writes tables of the coordinator, such as jobs, is written there.
      await using connections = await connectionsWithTerms(pool, lanes);
      using _ = await servers.endWithServer(lanes.accountId, connections.first);
      return await serveLanes(pool, connections, { maxBatches: 1, queuePool: server.pool });
    }
  }

  /** Reads with `serverPool`. Returns true if no request is left. */
  async function serveLanes(
    serverPool: pg.Pool,
    connections: LaneConnections,
    { maxBatches = Number.POSITIVE_INFINITY, queuePool = serverPool, shard }: ServeOptions = {},
  ): Promise<boolean> {
    const until = performance.now() + laneSlice;
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
      while (!stopping.signal.aborted && performance.now() < until && batches++ < maxBatches) {
        queues.forget(lanes);
        const underWay = writers.underWay.flatMap((batch) => batch.requests);
        const requests = await nextRequests(serverPool, lanes, underWay);
        isEmpty = requests.length === 0;
        if (isEmpty) break;
        model ??= await openModel(client, lanes, shard);
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
        if (!isLarge && othersWait) break;
        const isLast = batches >= maxBatches || performance.now() >= until;
        if (!isLarge && !isLast && areSeveral(requests) && idleLoops > 0) {
          await pauseFor(performance.now() - started);
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

/** How lanes are served. */
interface ServeOptions {
  /** By default, the lanes are served until no request is left, or their time is over. */
  readonly maxBatches?: number;
  /** Connections to the server with the queue, for short statements. */
  readonly queuePool?: pg.Pool;
  /** The shard whose table of contacts is read and written directly. All connections are to its server. */
  readonly shard?: Shard;
}

/** True when a plan can begin its writes while the batches under way are written. */
function canWriteInParallel(plan: Plan | undefined, underWay: readonly ReadyBatch[]): boolean {
  return plan !== undefined && plan.writes.length > 0 && underWay.every((other) => plan.isDisjointFrom(other.plan));
}

function namesOf({ accountId, numbers }: Lanes): string[] {
  return numbers.map((number) => laneName({ accountId, number }));
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
