import type { Context } from '#platform/context.ts';
import type { AccountModel, Footprint, Plan } from '../operations/batch-model.ts';
import { isSuspected, type WaitingRequest } from '../operations/request-result.ts';
import { nextRequests } from './batch-store.ts';
import { decodeRequests, type DecodedBatch } from './decode.ts';
import { planBatch } from './plan-batch.ts';

/** A batch whose turn has come. */
export interface ReadyBatch {
  readonly requests: readonly WaitingRequest[];
  readonly footprint: Footprint;
  readonly plan: Plan;
}

/** A batch that was read ahead. */
export interface NextBatch {
  /** Empty when none waits. */
  readonly requests: readonly WaitingRequest[];
  /** The plan that is made ahead of the turn, if one is; undefined when it has to be made in its turn after all. Never rejects. */
  readonly ahead: Promise<Plan | undefined> | undefined;
  /** Plans the batch, unless that was done ahead; called once, when its turn has come. */
  ready(): Promise<ReadyBatch>;
}

/**
 * Reads and plans the batches of one account ahead of their turn, on other connections than the one that writes.
 *
 * `readNext` reads the oldest waiting requests, without those of `underWay`, the batches that are being written, and plans what they do
 * unless that can depend on one of those. While PostgreSQL writes some, the worker puts the next together. Nothing is done with a request
 * that is suspected before its turn.
 *
 * The caller holds the lane, and drops what was read when it lets go or a batch fails: only then is it certain that nobody else has changed
 * what was read. After a batch that outdates the model nothing is read ahead, and the lane is opened again with a new model.
 */
export function openLane(context: Context, accountId: number, model: AccountModel) {
  const { pool } = context;
  const plan = (batch: DecodedBatch): Promise<Plan> => planBatch(pool, accountId, batch, model);

  async function decode(requests: readonly WaitingRequest[]) {
    const batch = await decodeRequests(requests, context);
    return { batch, footprint: model.footprint(batch.items) };
  }

  // These two are not one: a batch that waits or is written keeps what its functions can see, and what is decoded has to be garbage as
  // soon as it is planned, while it is young.

  function planned(requests: readonly WaitingRequest[], footprint: Footprint, made: Promise<Plan>): NextBatch {
    // Whose contacts it touches was not known when it was compared with those under way.
    const ahead = made.then((plan) => (plan.exceedsFootprint ? undefined : plan));
    const inTurn = unplanned(requests);
    return {
      requests,
      ahead,
      async ready() {
        const plan = await ahead;
        return plan === undefined ? inTurn.ready() : { requests, footprint, plan };
      },
    };
  }

  function unplanned(requests: readonly WaitingRequest[], ahead?: Awaited<ReturnType<typeof decode>>): NextBatch {
    let decoded = ahead;
    return {
      requests,
      ahead: undefined,
      async ready() {
        const { batch, footprint } = decoded ?? (await decode(requests));
        decoded = undefined;
        return { requests, footprint, plan: await plan(batch) };
      },
    };
  }

  return {
    async readNext(underWay: readonly ReadyBatch[]): Promise<NextBatch> {
      const seqs = underWay.flatMap((batch) => batch.requests.map(({ seq }) => seq));
      const requests = await nextRequests(pool, accountId, seqs);
      if (underWay.length === 0 || requests.length === 0 || requests.some(isSuspected)) return unplanned(requests);
      const { batch, footprint } = await decode(requests);
      return underWay.every((other) => !other.plan.exceedsFootprint && footprint.isApartFrom(other.footprint))
        ? planned(requests, footprint, plan(batch))
        : unplanned(requests, { batch, footprint });
    },
  };
}
