import type { Context } from '#platform/context.ts';
import { databaseFault } from '#platform/database/connection/database.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { ShardMoved } from '#platform/database/layout/hold-shard.ts';
import { repeatUntilAborted } from '#platform/loops/repeat-until-aborted.ts';
import { batchModelOf } from '../operations/batch-model.ts';
import { RequestsMissing } from '../queue/batch-store.ts';
import { RequestsGone } from '../queue/finish-store.ts';
import { areAllLanes, laneName, leaveLanes, takeLanes, type Lanes } from '../queue/lane.ts';
import { EarlierBatchFailed } from './apply.ts';
import { createLanesPerLoop } from './lanes-per-loop.ts';
import { NodeTurns } from './node-turns.ts';
import { NeedsAllLanes } from './one-lane-model.ts';
import { createPoisonGuard } from './poison-requests.ts';
import { serveHeldLanes, type BatchListener, type LaneService } from './serve-lanes.ts';
import { watchQueues } from './watch-queues.ts';

// Milliseconds. Notifications wake a worker at once; polling is for lost notifications.
const pollInterval = 500;
// Milliseconds for which a worker keeps lanes.
const defaultSlice = 1000;
const backoff = { first: 100, max: 5000 };

/** A running worker. Disposing it finishes the batches under way. */
export interface Worker extends AsyncDisposable {
  /** Resolves when the worker has stopped. */
  readonly done: Promise<void>;
}

/**
 * Starts a worker. It applies accepted requests in `config.workerLoops` loops. A loop serves one
 * account at a time. An account with one bucket has one lane. An account with several buckets has
 * several, and loops of several processes share them ({@link createLanesPerLoop}).
 *
 * A loop is always in one of these states:
 *
 * - **waiting**: there is nothing to do. No request waits, or other loops and other workers hold the
 *   lanes of all waiting requests. Ends when a notification arrives, or after half a second in case
 *   a notification was lost.
 * - **choosing** ({@link serveOneAccount}): takes lanes of an account with waiting requests. It tries
 *   the account first that has waited longest since it was served, and the lanes that have waited
 *   longest. A lane is a lock of the session of one connection, so it is free when the connection ends.
 * - **serving** ({@link serveHeldLanes}): applies the requests of the lanes, batch by batch, in the
 *   order of acceptance. Ends when no request is left or the worker stops. While other accounts wait,
 *   it ends after a small batch, so that a steady flow of small requests does not keep a loop. It
 *   always ends after `laneSlice` milliseconds (default 1000), so that other accounts do not wait for
 *   a large one. Batches under way are finished first.
 * - **failed**: the database failed, or an unexpected error occurred. The connection is closed,
 *   which frees the lanes. The loop begins again after 0.1 to 5 seconds, and applies everything that
 *   was not committed.
 */
export function startWorker(
  context: Context,
  onBatch: BatchListener = () => undefined,
  laneSlice = defaultSlice,
): Worker {
  const { config, log, pool, servers } = context;
  const stopping = new AbortController();
  const held = new Set<string>();
  /**
   * Accounts that no loop tries before a time of `performance.now()`: their node of a cluster failed,
   * their shard moved, or their requests are missing.
   */
  const avoidedUntil = new Map<number, number>();
  const nodeTurns = new NodeTurns();
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
  const service: LaneService = {
    context,
    batchModel: batchModelOf(context.features),
    poisonGuard: createPoisonGuard(),
    onBatch,
    slice: laneSlice,
    signal: stopping.signal,
    queues,
    othersWait: () => othersWait,
    hasIdleLoop: () => idleLoops > 0,
  };
  const loops = Promise.all(Array.from({ length: config.workerLoops }, runLoop)).then(() => undefined);

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
          isEmpty = await serveHeldLanes(service, client, lanes).catch((error: unknown) => {
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

function namesOf({ accountId, numbers }: Lanes): string[] {
  return numbers.map((number) => laneName({ accountId, number }));
}
