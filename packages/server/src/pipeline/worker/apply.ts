import pg from 'pg';
import { databaseFault, databaseOn } from '#platform/database/connection/database.ts';
import { isPartitionViolation } from '#platform/database/connection/partition-violation.ts';
import { describeError } from '#platform/database/connection/describe-error.ts';
import { decodeRequests } from './decode.ts';
import { finishRequests, RequestsGone } from './finish-store.ts';
import { BatchTooLarge, type AccountModel, type Plan } from '../operations/batch-model.ts';
import type { BatchItem, PipelineContext } from '../operations/operation.ts';
import type { RequestResult, WaitingRequest } from '../operations/request-result.ts';
import { planBatch } from './plan-batch.ts';
import type { ReadyBatch } from './read-ahead.ts';
import { Tally } from '../operations/tally.ts';

/** What applying needs besides the database. */
export interface ApplyTools {
  readonly context: PipelineContext;
  readonly model: AccountModel;
}

/** The place of a batch among those of its account that are written at the same time. */
export interface PlaceInLine {
  /** Resolves when all batches before it are committed; rejects as soon as one of them could not be written as a whole. */
  readonly earlier: Promise<unknown>;
  /** Tells those behind it that it is applied in parts, and takes its time. */
  split(): void;
}

const alone: PlaceInLine = { earlier: Promise.resolve(), split: () => undefined };

/** A batch was not committed as a whole, so nothing of those behind it is; they can be tried again. */
export class EarlierBatchFailed extends Error {
  override readonly name = 'EarlierBatchFailed';
  constructor(cause: unknown) {
    super('a batch before this one could not be committed', { cause });
  }
}

/**
 * Writes a batch of one account in one transaction, and ends its requests in the same: each is applied exactly once, or not at all.
 *
 * Until all batches before it are committed, only its contacts and new activities are written ({@link Plan.writes}). When one of those fails, nothing is committed here either
 * ({@link EarlierBatchFailed}): whatever is visible of the requests of an account is the beginning of them. Nor does it wait for one that is
 * applied in parts: its transaction has locked the contacts table, and that could take minutes.
 *
 * A batch that fails, whether it was planned, written or ended, is applied in halves: its requests in transactions of their own, the items
 * of one request under savepoints. That finds the items that cannot be applied, which are recorded as failed, and makes a batch that is too
 * large for the memory smaller.
 *
 * The connection must hold the lane of the account, since before the plan was made. Throws when the database is away; what was not applied
 * by then waits.
 */
export async function applyBatch(
  client: pg.ClientBase,
  accountId: number,
  { requests, plan }: Pick<ReadyBatch, 'requests' | 'plan'>,
  tools: ApplyTools,
  place: PlaceInLine = alone,
): Promise<RequestResult[]> {
  try {
    return await commit(client, accountId, requests, tools, async () => {
      await writeAll(client, plan.writes);
      await committed(place.earlier);
      await writeAll(client, plan.sharedWrites);
      return plan.tally;
    });
  } catch (error) {
    if (stopsLane(error)) throw error;
    const level = error instanceof BatchTooLarge ? 'debug' : 'warn';
    const facts = { err: describeError(error), account_id: accountId, requests: requests.length };
    tools.context.log[level](facts, 'a batch cannot be applied as a whole; it is applied in halves');
    place.split();
    await committed(place.earlier);
  }
  if (requests.length === 1) return applyAlone(client, accountId, requests[0]!, tools);
  const middle = requests.length >> 1;
  const results: RequestResult[] = [];
  for (const half of [requests.slice(0, middle), requests.slice(middle)]) {
    const halfPlan = await planBatch(client, accountId, await decodeRequests(half, tools.context), tools.model);
    results.push(...(await applyBatch(client, accountId, { requests: half, plan: halfPlan }, tools)));
  }
  return results;
}

/** Applies what `apply` does for requests, ends them and tells who waits for that, in one transaction. */
async function commit(
  client: pg.ClientBase,
  accountId: number,
  requests: readonly WaitingRequest[],
  tools: ApplyTools,
  apply: () => Promise<Tally>,
): Promise<RequestResult[]> {
  await client.query('begin');
  try {
    const results = (await apply()).results(requests);
    await finishRequests(client, accountId, results, tools.context.now());
    for (const { onRequestsEnd } of tools.context.features) {
      await onRequestsEnd?.(databaseOn(client), { accountId, results }, tools.context);
    }
    await client.query('commit');
    return results;
  } catch (error) {
    // On a broken connection this fails too; the server has rolled back by itself then.
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
 * True when no item is to blame, so that parts would fare no better: the database is away or out of a resource, the transaction lost a race
 * (also with the upkeep of partitions), the tables are not those that we know (another version migrates them) or cannot be written, a
 * request was withdrawn, or a batch before this one has failed.
 */
function stopsLane(error: unknown): boolean {
  if (error instanceof RequestsGone || error instanceof EarlierBatchFailed || isPartitionViolation(error)) return true;
  const fault = databaseFault(error);
  if (fault === 'unreachable' || fault === 'timeout') return true;
  return error instanceof pg.DatabaseError && /^(25|42)/.test(error.code ?? '');
}

/** Applies a request that failed, without the items that cause it; one that is applied as a whole is one item for the database, and fails as a whole. */
async function applyAlone(
  client: pg.ClientBase,
  accountId: number,
  request: WaitingRequest,
  tools: ApplyTools,
): Promise<RequestResult[]> {
  const requests = [request];
  try {
    const { items, wholeRequest } = await decodeRequests(requests, tools.context);
    if (wholeRequest === undefined) {
      return await commit(client, accountId, requests, tools, () => applyItems(client, accountId, items, tools, 0));
    }
  } catch (error) {
    if (stopsLane(error)) throw error;
    tools.context.log.warn(
      { err: describeError(error), request_id: request.requestId },
      'what became of a request cannot be stored',
    );
  }
  tools.context.log.error({ request_id: request.requestId }, 'a request cannot be applied');
  return commit(client, accountId, requests, tools, async () => new Tally().refuse(0, 'internal'));
}

/** Applies items, under a savepoint; when they fail, in halves, until one item is left, which is recorded as failed. */
async function applyItems(
  client: pg.ClientBase,
  accountId: number,
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
    if (stopsLane(error)) throw error;
    await client.query(`rollback to savepoint ${savepoint}`);
    await client.query(`release savepoint ${savepoint}`);
    if (items.length === 1) {
      const { request, index } = items[0]!;
      tools.context.log.error(
        { err: describeError(error), account_id: accountId, item: index },
        'an item cannot be stored',
      );
      return new Tally().add(request.index, index, 'failed', [{ code: 'internal' }]);
    }
  }
  const middle = items.length >> 1;
  const first = await applyItems(client, accountId, items.slice(0, middle), tools, depth + 1);
  return first.merge(await applyItems(client, accountId, items.slice(middle), tools, depth + 1));
}
