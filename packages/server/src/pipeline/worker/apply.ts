import pg from 'pg';
import {
  databaseFault,
  databaseOn,
  isLockTimeout,
  isPartitionViolation,
} from '#platform/database/connection/database.ts';
import { ShardMoved } from '#platform/database/layout/hold-shard.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { decodeRequests } from './decode.ts';
import { finishRequests, RequestsGone } from '../queue/finish-store.ts';
import { BatchTooLarge, type AccountModel, type Plan } from '../operations/batch-model.ts';
import type { BatchItem, PipelineContext } from '../operations/operation.ts';
import type { RequestResult } from '../operations/request-result.ts';
import type { WaitingRequest } from '../operations/waiting-request.ts';
import { holdTerms, lockSharedRows, TermOver, type Lanes } from '../queue/lane.ts';
import { NeedsAllLanes } from './one-lane-model.ts';
import { planBatch } from './plan-batch.ts';
import type { ReadyBatch } from './read-ahead.ts';
import { Tally } from '../operations/tally.ts';

/** The input of {@link applyBatch}, besides the database and the batch. */
export interface ApplyTools {
  readonly context: PipelineContext;
  readonly model: AccountModel;
  readonly lanes: Lanes;
}

/** The commit order of batches of one account that are written at the same time. */
export interface CommitOrder {
  /**
   * Resolves when all earlier batches are committed. Rejects as soon as one of them could not be
   * written as a whole.
   */
  readonly earlier: Promise<unknown>;
  /** Tells later batches that this batch is applied in parts, which takes time. */
  split(): void;
}

const noEarlierBatch: CommitOrder = { earlier: Promise.resolve(), split: () => undefined };

/** An earlier batch was not committed as a whole, so this batch was not committed, either. */
export class EarlierBatchFailed extends Error {
  override readonly name = 'EarlierBatchFailed';
  constructor(cause: unknown) {
    super('a batch before this one could not be committed', { cause });
  }
}

/**
 * Writes a batch of one account and ends its requests in one transaction. So each request is
 * applied exactly once, or not at all.
 *
 * Until all earlier batches are committed, only {@link Plan.writes} are done. When an earlier batch
 * fails, this batch is not committed either ({@link EarlierBatchFailed}). So a later request of an
 * account is never visible before an earlier one. When an earlier batch is applied in parts, this
 * batch fails, too. Otherwise it could keep its lock on the contacts table for minutes.
 *
 * A batch that fails is applied in halves, each in a transaction of its own. The items of one
 * request are halved under savepoints. This finds the items that cannot be stored and records them
 * as failed. It also makes a batch smaller that needs too much memory.
 *
 * The connection must hold the lanes since before the plan was made. Throws when the
 * database fails. Requests that were not applied stay in the queue.
 */
export async function applyBatch(
  client: pg.ClientBase,
  { requests, plan }: Pick<ReadyBatch, 'requests' | 'plan'>,
  tools: ApplyTools,
  order: CommitOrder = noEarlierBatch,
): Promise<RequestResult[]> {
  const { lanes } = tools;
  const { accountId } = lanes;
  const write = (): Promise<RequestResult[]> =>
    commit(client, requests, tools, async () => {
      await writeAll(client, plan.writes);
      await committed(order.earlier);
      await lockSharedRows(client, lanes);
      await writeAll(client, plan.sharedWrites);
      return plan.tally;
    });
  try {
    return await write().catch((error: unknown) => {
      // On a cluster, a violation of a check looks the same. Then the second attempt fails, too.
      if (!isPartitionViolation(error) || stopsLane(error, tools)) throw error;
      return write();
    });
  } catch (error) {
    if (stopsLane(error, tools)) throw error;
    const level = error instanceof BatchTooLarge ? 'debug' : 'warn';
    const facts = { err: describeError(error), account_id: accountId, requests: requests.length };
    tools.context.log[level](facts, 'could not apply a batch as a whole; applying it in halves');
    order.split();
    await committed(order.earlier);
  }
  if (requests.length === 1) return applySingle(client, requests[0]!, tools);
  const middle = requests.length >> 1;
  const results: RequestResult[] = [];
  for (const half of [requests.slice(0, middle), requests.slice(middle)]) {
    const halfPlan = await planBatch(client, accountId, decodeRequests(half, tools.context), tools.model);
    results.push(...(await applyBatch(client, { requests: half, plan: halfPlan }, tools)));
  }
  return results;
}

/** Runs `apply`, ends the requests and calls the features (`onRequestsEnd`), in one transaction. */
async function commit(
  client: pg.ClientBase,
  requests: readonly WaitingRequest[],
  tools: ApplyTools,
  apply: () => Promise<Tally>,
): Promise<RequestResult[]> {
  const { lanes, context } = tools;
  await client.query('begin');
  try {
    await holdTerms(client, lanes);
    const results = (await apply()).results(requests);
    const ended = await finishRequests(client, lanes, results, context.now());
    if (ended.length > 0) {
      const { accountId } = lanes;
      for (const { onRequestsEnd } of context.features) {
        await onRequestsEnd?.(databaseOn(client), { accountId, results: ended }, context);
      }
    }
    await client.query('commit');
    return results;
  } catch (error) {
    // This fails on a broken connection, too. Then the server has already rolled back.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

async function writeAll(client: pg.ClientBase, writes: Plan['writes']): Promise<void> {
  for (const write of writes) await write(client);
}

async function committed(earlier: Promise<unknown>): Promise<void> {
  try {
    await earlier;
  } catch (error) {
    throw new EarlierBatchFailed(error);
  }
}

/**
 * True when no item caused the error, so that smaller parts would fail, too:
 *
 * - The database is unreachable or out of a resource.
 * - The transaction lost a race.
 * - The tables are being migrated to another version, or are read-only.
 * - A statement that the connection keeps returns other types since a migration, or a connection
 *   pooler has lost it. The connection is closed then.
 * - A request was withdrawn.
 * - An earlier batch failed.
 * - The batch needs all lanes of its account.
 * - A partition could not be created, because of a lock.
 * - The shard of the account has moved.
 * - Partitions have changed meanwhile. A cluster does not say whether this is the cause.
 */
function stopsLane(error: unknown, { context }: ApplyTools): boolean {
  if (isPartitionViolation(error) && context.config.layout === 'single') return true;
  if (error instanceof RequestsGone || error instanceof EarlierBatchFailed || error instanceof TermOver) return true;
  if (error instanceof NeedsAllLanes || error instanceof ShardMoved) return true;
  if (isLockTimeout(error)) return true;
  const fault = databaseFault(error);
  if (fault === 'unreachable' || fault === 'timeout') return true;
  return error instanceof pg.DatabaseError && /^(0A|25|26|42)/.test(error.code ?? '');
}

/**
 * Applies a request that failed, without the items that cause the failure. A request of a
 * {@link WholeOperation} fails as a whole.
 */
async function applySingle(
  client: pg.ClientBase,
  request: WaitingRequest,
  tools: ApplyTools,
): Promise<RequestResult[]> {
  const requests = [request];
  try {
    const { items, wholeRequest } = decodeRequests(requests, tools.context);
    if (wholeRequest === undefined) {
      return await commit(client, requests, tools, async () => {
        // The items are written part by part, so the other lanes wait for all of them.
        await lockSharedRows(client, tools.lanes);
        return applyItems(client, items, tools, 0);
      });
    }
  } catch (error) {
    if (stopsLane(error, tools)) throw error;
    const facts = { err: describeError(error), request_id: request.requestId };
    tools.context.log.warn(facts, 'could not store the result of a request');
  }
  tools.context.log.error({ request_id: request.requestId }, 'could not apply a request');
  return commit(client, requests, tools, async () => {
    await lockSharedRows(client, tools.lanes);
    return new Tally().refuse(0, 'internal');
  });
}

/** Applies items under a savepoint. If they fail, applies them in halves, down to a single item. */
async function applyItems(
  client: pg.ClientBase,
  items: readonly BatchItem[],
  tools: ApplyTools,
  depth: number,
): Promise<Tally> {
  const savepoint = `part_${depth}`;
  await client.query(`savepoint ${savepoint}`);
  try {
    const plan = await tools.model.plan(client, items);
    await writeAll(client, [...plan.writes, ...plan.sharedWrites]);
    await client.query(`release savepoint ${savepoint}`);
    return plan.tally;
  } catch (error) {
    if (stopsLane(error, tools)) throw error;
    await client.query(`rollback to savepoint ${savepoint}`);
    await client.query(`release savepoint ${savepoint}`);
    if (items.length === 1) {
      const { request, index } = items[0]!;
      const facts = { err: describeError(error), account_id: tools.lanes.accountId, item: index };
      tools.context.log.error(facts, 'could not store an item');
      return new Tally().add(request.index, index, 'failed', [{ code: 'internal' }]);
    }
  }
  const middle = items.length >> 1;
  const first = await applyItems(client, items.slice(0, middle), tools, depth + 1);
  return first.merge(await applyItems(client, items.slice(middle), tools, depth + 1));
}
