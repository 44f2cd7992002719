import type pg from 'pg';
import type { Context } from '#platform/context.ts';
import { databaseFault } from '#platform/database/connection/database.ts';
import { listen, type Listener } from '#platform/database/connection/listen.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { pause } from '#platform/loops/pause.ts';
import { repeatUntilAborted } from '#platform/loops/repeat-until-aborted.ts';
import { requestsChannel } from '../accept/accept-store.ts';
import { applyBatch, EarlierBatchFailed } from './apply.ts';
import { waitingAccounts } from './batch-store.ts';
import { leaveLane, takeLane } from '../log/lane.ts';
import { RequestsGone } from './finish-store.ts';
import { LaneWriters, type WriteBatch } from './lane-writers.ts';
import { batchModelOf, type Plan } from '../operations/batch-model.ts';
import type { RequestResult, WaitingRequest } from '../operations/request-result.ts';
import { openLane, type ReadyBatch } from './read-ahead.ts';
import { createPoisonGuard } from './poison-requests.ts';

// Notifications wake a worker at once; this is for one that was lost.
const pollInterval = 500;
// Milliseconds for which a lane serves one account.
const ordinarySlice = 1000;
// Batches with at least so many items are written two at a time.
const itemsToWriteBeside = 1000;
const backoff = { first: 100, most: 5000 };

/** A running worker. Disposing it finishes the batches under way. */
export interface Worker extends AsyncDisposable {
  /** Resolves when the worker has stopped. */
  readonly done: Promise<void>;
}

/** Told about each batch that was applied: its results and how long the transaction took, in milliseconds. */
export type BatchListener = (results: readonly RequestResult[], milliseconds: number) => void;

/**
 * Starts applying accepted requests, of `config.workerLanes` accounts at a time.
 *
 * Each lane is a loop that is always in one of these states:
 *
 * - **waiting**: no account has requests that nobody serves. A notification ends it at once, a
 *   lost one after half a second.
 * - **choosing** ({@link serveOneAccount}): takes the lock of a waiting account, beginning with the
 *   one that this process served longest ago. The lock belongs to the session of one connection,
 *   so it ends with the connection.
 * - **serving** ({@link serveLane}): applies the requests of the account, batch by batch, in the
 *   order of acceptance. It ends when no request is left, after `laneSlice` milliseconds (default
 *   1000), so that one large account does not keep the others waiting, or when the worker stops.
 *   Batches under way are always finished first.
 * - **failed**: the database is away, or something unexpected happened. The connection is closed,
 *   which frees the lane. The loop begins again after 0.1 to 5 seconds. What was not committed is
 *   applied then.
 *
 * While an account is served, several batches can be under way:
 *
 * 1. The next batch is read, and planned ahead if it names other contacts than those under way
 *    ({@link openLane}).
 * 2. A large batch whose plan is apart from those under way is written at the same time as the one
 *    before it, on a second connection. Batches commit in order ({@link LaneWriters}).
 * 3. A batch that outdates the model of the account (it changed attributes), or that is watched
 *    because it may have killed a worker ({@link createPoisonGuard}), has no other batch under way after
 *    it.
 * 4. A batch that fails is applied in halves, in its place in the order ({@link applyBatch}). The
 *    batches after it fail, too, and are read again.
 */
export function startWorker(
  context: Context,
  onBatch: BatchListener = () => undefined,
  laneSlice = ordinarySlice,
): Worker {
  const { log, pool } = context;
  const batchModel = batchModelOf(context.features);
  const stopping = new AbortController();
  const lastServed = new Map<number, number>();
  const held = new Set<number>();
  const poisonGuard = createPoisonGuard(pool);
  let wake = Promise.withResolvers<void>();
  const wakeUp = (): void => {
    wake.resolve();
    wake = Promise.withResolvers();
  };

  const listener: Listener = listen(context, requestsChannel, wakeUp);
  const lanes = Promise.all(Array.from({ length: context.config.workerLanes }, runLane)).then(() => undefined);

  async function runLane(): Promise<void> {
    const { signal } = stopping;
    const serve = async (): Promise<void> => {
      const notified = wake.promise;
      if (!(await serveOneAccount())) await Promise.race([notified, pause(pollInterval, { signal })]);
    };
    const onError = (error: unknown): void => {
      const level = databaseFault(error) === 'unreachable' ? 'warn' : 'error';
      log[level]({ err: describeError(error) }, 'a worker lane stopped; it starts again');
    };
    await repeatUntilAborted(serve, { signal, ...backoff, onError });
  }

  /** Serves the waiting account that was served longest ago; false when none waits or all are taken. */
  async function serveOneAccount(): Promise<boolean> {
    const waiting = (await waitingAccounts(pool)).filter((accountId) => !held.has(accountId));
    waiting.sort((a, b) => (lastServed.get(a) ?? 0) - (lastServed.get(b) ?? 0));
    if (waiting.length === 0) return false;
    const client = await pool.connect();
    let broken = true;
    try {
      for (const accountId of waiting) {
        if (held.has(accountId) || !(await takeLane(client, accountId))) continue;
        held.add(accountId);
        try {
          await serveLane(client, accountId);
        } catch (error) {
          // Rolled back: the connection and the lane are sound, and whatever waits is applied when the account is served again.
          if (error instanceof RequestsGone && error.withdrawn) {
            log.info({ account_id: accountId }, 'a request was withdrawn while it was applied; nothing of it is kept');
          } else if (!(error instanceof EarlierBatchFailed)) throw error;
        } finally {
          held.delete(accountId);
          lastServed.set(accountId, Date.now());
        }
        await leaveLane(client, accountId);
        broken = false;
        return true;
      }
      broken = false;
      return false;
    } finally {
      // A connection that failed may still hold the lane: closing it is what lets go.
      client.release(broken);
    }
  }

  async function serveLane(client: pg.PoolClient, accountId: number): Promise<void> {
    const until = Date.now() + laneSlice;
    let model = await batchModel.open(client, accountId, context);
    let lane = openLane(context, accountId, model);
    await using writers = new LaneWriters(pool, client, accountId, writeBatch);
    let ahead: Promise<unknown> | undefined;
    try {
      while (!stopping.signal.aborted && Date.now() < until) {
        const read = await lane.readNext(writers.underWay);
        if (read.requests.length === 0) break;
        ahead = read.ahead;
        const isLarge = sizeOf(read.requests) >= itemsToWriteBeside;
        const isWatched = poisonGuard.isWatched(accountId, read.requests);
        // A small batch gains nothing from a second connection: while it waits, more requests arrive that can go into one.
        const isBeside = isLarge && !isWatched && canBeBeside(await read.ahead, writers.underWay);
        if (!isBeside) await writers.settled();
        if (isLarge && writers.underWay.length === 0) await writers.widen();
        const { outdatesModel } = (await writers.begin(read)).plan;
        if (isWatched || outdatesModel) await writers.settled();
        if (outdatesModel) {
          model = await batchModel.open(client, accountId, context);
          lane = openLane(context, accountId, model);
        }
      }
      await writers.settled();
    } finally {
      // A plan that is dropped, because a batch before it failed, is made again; here it only has to end.
      await ahead;
    }

    function writeBatch(...[writer, next, place, onReady]: Parameters<WriteBatch>): Promise<void> {
      return poisonGuard.apply(accountId, next.requests, async () => {
        const batch = await next.ready();
        onReady(batch);
        const started = performance.now();
        const results = await applyBatch(writer, accountId, batch, { context, model }, place);
        onBatch(results, performance.now() - started);
      });
    }
  }

  return {
    done: lanes,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      wakeUp();
      await lanes;
      await listener[Symbol.asyncDispose]();
    },
  };
}

/** True when a plan that was made ahead has something to write while other batches are written. */
function canBeBeside(plan: Plan | undefined, underWay: readonly ReadyBatch[]): boolean {
  return plan !== undefined && plan.writes.length > 0 && underWay.every((other) => plan.isApartFrom(other.plan));
}

function sizeOf(requests: readonly WaitingRequest[]): number {
  return requests.reduce((sum, { total }) => sum + total, 0);
}
