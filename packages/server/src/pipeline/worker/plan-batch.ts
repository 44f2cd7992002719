import type pg from 'pg';
import { databaseOn } from '#platform/database/connection/database.ts';
import type { AccountModel, Plan, Write } from '../operations/batch-model.ts';
import { Tally } from '../operations/tally.ts';
import type { DecodedBatch, WholeRequest } from './decode.ts';

// All writes of these plans are shared writes, so no two of them can conflict.
const onlySharedWrites = {
  writes: [],
  outdatesModel: true,
  exceedsFootprint: false,
  isDisjointFrom: () => true,
} as const;

/**
 * Plans a batch: its items in memory, or its only request as a whole.
 *
 * When planning fails, returns a plan whose write fails with the same error. Then the writer splits
 * the batch.
 */
export async function planBatch(
  client: pg.ClientBase | pg.Pool,
  accountId: number,
  { items, wholeRequest }: DecodedBatch,
  model: AccountModel,
): Promise<Plan> {
  if (wholeRequest !== undefined) return planWholeRequest(accountId, wholeRequest);
  try {
    return await model.plan(client, items);
  } catch (error) {
    const refuse: Write = async () => {
      throw error;
    };
    // The halves of the batch may outdate the model.
    return { ...onlySharedWrites, sharedWrites: [refuse], tally: new Tally() };
  }
}

/**
 * Plans a request that is applied as a whole. Nothing is read now: its only write reads, locks and
 * changes rows in the transaction of the batch.
 */
function planWholeRequest(accountId: number, apply: WholeRequest): Plan {
  const tally = new Tally();
  const write: Write = async (client) => {
    const results = await apply(databaseOn(client), accountId);
    for (const [index, { outcome, failures, attributeId }] of results.entries()) {
      tally.add(0, index, outcome, failures);
      if (attributeId !== undefined) tally.changed(0, attributeId);
    }
  };
  return { ...onlySharedWrites, sharedWrites: [write], tally };
}
