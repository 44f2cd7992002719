import type pg from 'pg';
import type { Context } from '#platform/context.ts';
import type { AccountModel, Footprint, Plan } from '../operations/batch-model.ts';
import { isSuspected, type WaitingRequest } from '../operations/waiting-request.ts';
import type { Lanes } from '../queue/lane.ts';
import { decodeRequests, type DecodedBatch } from './decode.ts';
import { planBatch } from './plan-batch.ts';

/** A batch that is planned and may be written now. */
export interface ReadyBatch {
  readonly requests: readonly WaitingRequest[];
  readonly footprint: Footprint;
  readonly plan: Plan;
}

/** The next batch of an account. It may be planned already. */
export interface NextBatch {
  readonly requests: readonly WaitingRequest[];
  /**
   * The plan that is made while earlier batches are written. Undefined when the batch must be
   * planned after them. Never rejects.
   */
  readonly plannedAhead: Promise<Plan | undefined> | undefined;
  /** Returns the plan made ahead, or plans the batch now. Call it once, when it may be written. */
  ready(): Promise<ReadyBatch>;
}

/** What batches are planned with. `pool` is of the server with the account. */
interface Planning {
  readonly context: Context;
  readonly pool: pg.Pool;
  readonly lanes: Lanes;
  readonly model: AccountModel;
}

/**
 * Plans the next batch of lanes while earlier batches are written.
 *
 * Plans the oldest waiting requests, except those of the batches `underWay`, at once, unless the
 * plan can depend on a batch under way. So the worker plans the next batch while PostgreSQL
 * writes. Suspected requests are never planned ahead.
 *
 * The caller must hold the lanes. When it leaves them or when a batch fails, it drops the next
 * batch, because its plan may be out of date. When a batch outdates the model, the caller waits
 * for the end of that batch and calls this function again with a new model.
 */
export function planAhead(
  { context, pool, lanes, model }: Planning,
  requests: readonly WaitingRequest[],
  underWay: readonly ReadyBatch[],
): NextBatch {
  const plan = (batch: DecodedBatch): Promise<Plan> => planBatch(pool, lanes.accountId, batch, model);

  function decode() {
    const batch = decodeRequests(requests, context);
    return { batch, footprint: footprintOf(batch) };
  }

  /**
   * Returns the footprint of a batch. Damaged items have none: their batch is planned after the
   * others, and planning fails only these items.
   */
  function footprintOf({ items }: DecodedBatch): Footprint {
    try {
      return model.footprint(items);
    } catch {
      return { isDisjointFrom: () => false };
    }
  }

  // `planned` and `unplanned` are two functions, so that the closures of a planned batch do not
  // keep its decoded items. The items are then garbage while they are young, which is cheap.

  function planned(footprint: Footprint, made: Promise<Plan>): NextBatch {
    // Drop the plan if it depends on more than its footprint, although the footprints are disjoint.
    const plannedAhead = made.then((plan) => (plan.exceedsFootprint ? undefined : plan));
    const plannedLater = unplanned();
    return {
      requests,
      plannedAhead,
      async ready() {
        const plan = await plannedAhead;
        return plan === undefined ? plannedLater.ready() : { requests, footprint, plan };
      },
    };
  }

  function unplanned(decoded?: ReturnType<typeof decode>): NextBatch {
    // Dropped at its first use, to free the memory.
    let kept = decoded;
    return {
      requests,
      plannedAhead: undefined,
      async ready() {
        const { batch, footprint } = kept ?? decode();
        kept = undefined;
        return { requests, footprint, plan: await plan(batch) };
      },
    };
  }

  if (underWay.length === 0 || requests.some(isSuspected)) return unplanned();
  const { batch, footprint } = decode();
  return underWay.every((other) => !other.plan.exceedsFootprint && footprint.isDisjointFrom(other.footprint))
    ? planned(footprint, plan(batch))
    : unplanned({ batch, footprint });
}
