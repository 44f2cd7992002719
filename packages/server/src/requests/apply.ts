import type pg from 'pg';
import type { Logger } from 'pino';
import { databaseFault } from '../db/database.ts';
import { isPartitionViolation } from '../db/partition-violation.ts';
import { describeError } from '../observability/describe-error.ts';
import type { WaitingRequest } from './batch-store.ts';
import { finishRequests, type RequestResult } from './finish-store.ts';
import { decodeRequests } from './decode.ts';
import type { BatchItem } from './operations.ts';
import { planItems, type Plan, type PlanTools } from './plan.ts';
import type { ReadyBatch } from './read-ahead.ts';
import { Tally } from './tally.ts';

/** What applying needs besides the database. */
export type ApplyTools = PlanTools & { readonly log: Logger };

/**
 * Writes a batch of one account in one transaction, and ends its requests in the same: each is applied exactly once, or not at all.
 *
 * When the database refuses a statement of the plan, the items are planned again in parts, until the culprit is alone; it is recorded as
 * failed and the others are kept.
 *
 * The connection must hold the lane of the account, since before the plan was made. Throws, with nothing applied, when the database is away.
 */
export async function applyBatch(
  client: pg.ClientBase,
  accountId: number,
  { requests, plan }: Pick<ReadyBatch, 'requests' | 'plan'>,
  tools: ApplyTools,
): Promise<RequestResult[]> {
  let { tally } = plan;
  await client.query('begin');
  try {
    try {
      await write(client, plan);
    } catch (error) {
      if (isTransient(error)) throw error;
      tools.log.warn(
        { err: describeError(error), account_id: accountId },
        'a batch was refused; looking for the item that causes it',
      );
      await client.query('rollback');
      await client.query('begin');
      const { items, registryRequest } = await decodeRequests(requests, tools.log);
      tally =
        registryRequest === undefined
          ? await split(client, accountId, items, tools, 0)
          : refuseWhole(requests[0]!, tools.log, error);
    }
    const results = tally.results(requests);
    await finishRequests(client, accountId, results, tools.now());
    await client.query('commit');
    return results;
  } catch (error) {
    // On a broken connection this fails too; the server has rolled back by itself then.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

async function write(client: pg.ClientBase, plan: Plan): Promise<void> {
  for (const statement of plan.writes) await statement(client);
}

/** True when the same batch can succeed later: the database is away, out of a resource, or the transaction lost a race, also with the upkeep of partitions. */
function isTransient(error: unknown): boolean {
  const fault = databaseFault(error);
  return fault === 'unreachable' || fault === 'timeout' || isPartitionViolation(error);
}

/** A request on the registry is one item for the database: when it refuses a statement, all of it has failed. */
function refuseWhole({ total, requestId }: WaitingRequest, log: Logger, error: unknown): Tally {
  log.error({ err: describeError(error), request_id: requestId }, 'a request on the registry cannot be stored');
  const tally = new Tally();
  for (let index = 0; index < total; index++) tally.add(0, index, 'failed', [{ code: 'internal' }]);
  return tally;
}

/** Applies items in parts, each under a savepoint; a part that is refused is halved until one item is left, which fails. */
async function split(
  client: pg.ClientBase,
  accountId: number,
  items: readonly BatchItem[],
  tools: ApplyTools,
  depth: number,
): Promise<Tally> {
  const savepoint = `part_${depth}`;
  await client.query(`savepoint ${savepoint}`);
  try {
    const plan = await planItems(client, accountId, items, tools);
    await write(client, plan);
    await client.query(`release savepoint ${savepoint}`);
    return plan.tally;
  } catch (error) {
    if (isTransient(error)) throw error;
    await client.query(`rollback to savepoint ${savepoint}`);
    await client.query(`release savepoint ${savepoint}`);
    if (items.length === 1) {
      const { request, index } = items[0]!;
      tools.log.error({ err: describeError(error), account_id: accountId, item: index }, 'an item cannot be stored');
      return new Tally().add(request.index, index, 'failed', [{ code: 'internal' }]);
    }
    const middle = items.length >> 1;
    const first = await split(client, accountId, items.slice(0, middle), tools, depth + 1);
    return first.merge(await split(client, accountId, items.slice(middle), tools, depth + 1));
  }
}
