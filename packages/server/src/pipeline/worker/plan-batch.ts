import type pg from 'pg';
import { databaseOn } from '#platform/database/connection/database.ts';
import type { AccountModel, Plan, Write } from '../operations/batch-model.ts';
import { Tally } from '../operations/tally.ts';
import type { DecodedBatch, WholeRequest } from './decode.ts';

// A plan that writes nothing before its turn has nothing that could meet another one.
const inTurn = { writes: [], outdatesModel: true, exceedsFootprint: false, isApartFrom: () => true } as const;

/**
 * Plans a batch: its items in memory, or its one request as a whole.
 *
 * A plan that cannot be made is one that cannot be written: the reason shows when that is tried, and the batch is split there.
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
    // The halves of the batch may well outdate the model.
    return { ...inTurn, sharedWrites: [refuse], tally: new Tally() };
  }
}

/** A request that is applied as a whole reads what it depends on under locks, so all of it happens when the plan is written. */
function planWholeRequest(accountId: number, apply: WholeRequest): Plan {
  const tally = new Tally();
  const write: Write = async (lane) => {
    const results = await apply(databaseOn(lane), accountId);
    for (const [index, { outcome, failures, attributeId }] of results.entries()) {
      tally.add(0, index, outcome, failures);
      if (attributeId !== undefined) tally.changed(0, attributeId);
    }
  };
  return { ...inTurn, sharedWrites: [write], tally };
}
