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
import { leaveLane, takeLane } from './lane.ts';
import { RequestsGone } from './finish-store.ts';
import { LaneWriters, type WriteBatch } from './lane-writers.ts';
import { batchModelOf, type Plan } from '../operations/batch-model.ts';
import type { RequestResult } from '../operations/request-result.ts';
import type { WaitingRequest } from '../operations/waiting-request.ts';
import { createReadAhead, type ReadyBatch } from './read-ahead.ts';
import { createPoisonGuard } from './poison-requests.ts';

// Milliseconds. Notifications wake a worker at once; polling is for lost notifications.
const pollInterval = 500;
// Milliseconds for which a worker keeps the lane of one account.
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
 * Starts a worker. It applies accepted requests in `config.workerLanes` loops. A loop holds the
 * lane of at most one account, so a worker serves up to that many accounts at the same time.
 *
 * A loop is always in one of these states:
 *
 * - **waiting**: there is nothing to do. No request waits, or other loops and other workers hold
 *   the lanes of all accounts with waiting requests. Ends when a notification arrives, or after
 *   half a second in case a notification was lost.
 * - **choosing** ({@link serveOneAccount}): takes the lane of a waiting account. It tries the
 *   account first that this process served longest ago. The lane is a lock of the session of one
 *   connection, so it is free when the connection ends.
 * - **serving** ({@link serveAccount}): applies the requests of the account, batch by batch, in the
 *   order of acceptance. Ends when no request is left or the worker stops. It also ends after
 *   `laneSlice` milliseconds (default 1000), so that other accounts do not wait for a large one.
 *   Batches under way are always finished first.
 * - **failed**: the database failed, or an unexpected error occurred. The connection is closed,
 *   which frees the lane. The loop begins again after 0.1 to 5 seconds, and applies everything that
 *   was not committed.
 *
 * While an account is served, several batches can be under way:
 *
 * 1. The next batch is read. If it names other contacts than the batches under way, it is also
 *    planned ahead ({@link createReadAhead}).
 * 2. A large batch whose plan is disjoint from those under way is written at the same time as the
 *    batch before it, on a second connection. Batches commit in order ({@link LaneWriters}).
 * 3. Some batches must end before the next one is read: a batch that outdates the model of the
 *    account (it changed attributes), and a batch that the poison guard watches. That is the first
 *    batch of each account, and each batch that may have killed a worker
 *    ({@link createPoisonGuard}).
 * 4. A batch that fails is applied in halves before later batches ({@link applyBatch}). The later
 *    batches under way fail, too, and are read again.
 */
export function startWorker(
  context: Context,
  onBatch: BatchListener = () => undefined,
  laneSlice = defaultSlice,
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
  const loops = Promise.all(Array.from({ length: context.config.workerLanes }, runLoop)).then(() => undefined);

  async function runLoop(): Promise<void> {
    const { signal } = stopping;
    const serve = async (): Promise<void> => {
      const notified = wake.promise;
      if (!(await serveOneAccount())) await Promise.race([notified, pause(pollInterval, { signal })]);
    };
    const onError = (error: unknown): void => {
      const level = databaseFault(error) === 'unreachable' ? 'warn' : 'error';
      log[level]({ err: describeError(error) }, 'a loop of the worker failed; restarting it');
    };
    await repeatUntilAborted(serve, { signal, ...backoff, onError });
  }

  /** Serves the waiting account that was served longest ago. False when none is free. */
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
          await serveAccount(client, accountId);
        } catch (error) {
          // The transaction is rolled back, and the connection and the lane still work. The
          // remaining requests are applied when the account is served again.
          if (error instanceof RequestsGone && error.withdrawn) {
            log.info({ account_id: accountId }, 'a request was withdrawn while it was applied; rolled back its batch');
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
      // A broken connection may still hold the lane. Closing it frees the lane.
      client.release(broken);
    }
  }

  async function serveAccount(client: pg.PoolClient, accountId: number): Promise<void> {
    const until = Date.now() + laneSlice;
    let model = await batchModel.open(client, accountId, context);
    let readAhead = createReadAhead(context, accountId, model);
    const writeBatch: WriteBatch = (connection, next, order, onReady) =>
      poisonGuard.apply(accountId, next.requests, async () => {
        const batch = await next.ready();
        onReady(batch);
        const started = performance.now();
        const results = await applyBatch(connection, accountId, batch, { context, model }, order);
        onBatch(results, performance.now() - started);
      });
    await using writers = new LaneWriters(pool, client, accountId, writeBatch);
    let plannedAhead: Promise<Plan | undefined> | undefined;
    try {
      while (!stopping.signal.aborted && Date.now() < until) {
        const read = await readAhead.readNext(writers.underWay);
        if (read.requests.length === 0) break;
        plannedAhead = read.plannedAhead;
        const isLarge = sizeOf(read.requests) >= itemsToWriteInParallel;
        const isWatched = poisonGuard.isWatched(accountId, read.requests);
        // A small batch is faster on one connection: while it waits, more requests join it.
        const isParallel = isLarge && !isWatched && canWriteInParallel(await plannedAhead, writers.underWay);
        if (!isParallel) await writers.settled();
        if (isLarge && writers.underWay.length === 0) await writers.openSecondConnection();
        const { outdatesModel } = (await writers.begin(read)).plan;
        if (isWatched || outdatesModel) await writers.settled();
        if (outdatesModel) {
          model = await batchModel.open(client, accountId, context);
          readAhead = createReadAhead(context, accountId, model);
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
      await listener[Symbol.asyncDispose]();
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
