import type { Context } from '../context.ts';
import type { Lookups } from '../contacts/lookups.ts';
import { decodeBatch, type DecodedBatch } from './apply.ts';
import { nextRequests } from './batch-store.ts';
import { lookupsOf, planItems, type Plan } from './plan.ts';

/** A batch in the order of the account. */
export interface LaneBatch extends DecodedBatch {
  /** The contacts that it looks for. */
  readonly lookups: Lookups;
  /** What it does, planned ahead; undefined when that depends on the batch before it. */
  readonly plan: Promise<Plan> | undefined;
}

/** The batch that is being written while the next is read. */
export interface CurrentBatch extends LaneBatch {
  readonly planned: Plan;
}

/** Reads and plans the batches of one account ahead of their turn, on other connections than the one that writes. */
export interface LaneReader {
  /**
   * Reads the oldest waiting requests, without those of `current`, and plans what they do unless that can depend on `current`. While
   * PostgreSQL writes one batch, the worker puts the next together.
   */
  read(current?: CurrentBatch): Promise<LaneBatch>;
  /** Plans a batch whose turn has come. */
  plan(batch: LaneBatch): Promise<Plan>;
}

/**
 * Opens the reader of a lane. The caller holds the lane, and drops what was read when it lets go or a batch fails: only then is it certain
 * that nobody else has changed the contacts, and that the account has kept its primary key.
 */
export function openLane(context: Context, accountId: number, primaryKey: string): LaneReader {
  const { pool, log } = context;
  return {
    async read(current) {
      const requests = await nextRequests(pool, accountId, current?.requests.map((request) => request.seq) ?? []);
      const batch = await decodeBatch(requests, log);
      const lookups = lookupsOf(batch.items, primaryKey);
      const ahead =
        current !== undefined && !current.planned.addsAttributes && haveNothingInCommon(lookups, current.lookups);
      const plan = ahead ? planItems(pool, accountId, batch.items, context) : undefined;
      // Whoever waits for the plan sees its failure; until then it must not count as unhandled.
      plan?.catch(() => undefined);
      return { ...batch, lookups, plan };
    },
    plan: (batch) => planItems(pool, accountId, batch.items, context),
  };
}

/** True when two batches touch different contacts for certain: both name theirs by key, and no key is in both. */
function haveNothingInCommon(a: Lookups, b: Lookups): boolean {
  return a.onlyKeys && b.onlyKeys && a.key.isDisjointFrom(b.key);
}
